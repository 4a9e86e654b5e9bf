"""What is done with a house's own rules: saved, changed, copied, retired, put back. Each of these commits."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.rules.code import BadCode, encode
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.house import NAME_LENGTH, HouseRules, Variants, house_of, resolve, tidied
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.beginnings import new_code
from scorekeeper.services.bounds import cut_actor, key_faults
from scorekeeper.services.devices import device_digest
from scorekeeper.services.refusals import refusal, refuse_any
from scorekeeper.services.standing import LoadedMatch
from scorekeeper.store import houses
from scorekeeper.store.houses import HouseVersion, StoredHouse

__all__ = ["HouseVersion", "StoredHouse"]

MOST_VERSIONS = 500
_COPY = " (copy)"


class UnknownHouse(Exception):
    """No house rules have this code."""


class StaleHouse(Exception):
    """Somebody else changed these rules first: `house` is how they are now."""

    def __init__(self, house: StoredHouse) -> None:
        super().__init__("Somebody else changed these rules first.")
        self.house = house


def house_of_code(session: Session, code: str) -> StoredHouse:
    """Give the house rules of a code; raises `UnknownHouse`."""
    house = houses.house_by_code(session, code)
    if house is None:
        raise UnknownHouse(code)
    return house


def every_house(session: Session) -> list[StoredHouse]:
    """Give all house rules, the oldest first, those that were retired too."""
    return houses.every_house(session)


def houses_of_device(session: Session, device: str) -> list[StoredHouse]:
    """Give the house rules that a device has saved or opened, the last one first."""
    return houses.houses_of_device(session, device_digest(device))


def remember_house(session: Session, device: str, house: StoredHouse) -> None:
    """Put house rules on top of a device's list, and commit."""
    try:
        houses.note_house(session, device_digest(device), house.id, datetime.now(UTC))
        session.commit()
    except IntegrityError:  # two pages of one device at the same moment: the other has noted it
        session.rollback()


def house_of_match(match: LoadedMatch, base: Ruleset) -> HouseRules | None:
    """Give the house rules that a match goes by now, if they have a name of their own and can travel."""
    house = house_of(match.state.ruleset, base)
    if house.name == base.name or match.state.ruleset.source != "house":
        return None
    try:
        encode(house)
    except BadCode:
        return None
    return house


def save_house(
    session: Session, variants: Variants, rules: HouseRules, *, client_key: str, device: str = "", actor: str = ""
) -> StoredHouse:
    """Keep rules as a house's own; raises `Refused`. A form that comes twice saves them once."""
    refuse_any([*key_faults(client_key), *house_faults(rules, variants)])
    known = houses.code_by_client_key(session, client_key)
    if known is None:
        known = _add(session, tidied(rules, variants), client_key, actor)
    house = house_of_code(session, known)
    if device:
        remember_house(session, device, house)
    return house


def _add(session: Session, rules: HouseRules, client_key: str, actor: str) -> str:
    now, code = datetime.now(UTC), new_code()
    try:
        house_id = houses.add_house(session, code, client_key, now)
        houses.add_version(session, house_id, HouseVersion(1, client_key, now, cut_actor(actor), rules, False))
        session.commit()
    except IntegrityError:  # the same form, twice at the same moment
        session.rollback()
        known = houses.code_by_client_key(session, client_key)
        if known is None:
            raise
        return known
    return code


def house_faults(rules: HouseRules, variants: Variants) -> list[Fault]:
    """Find what keeps rules from being saved: they must be sound, and short enough to travel."""
    faults = resolve(rules, variants)[1]
    if not faults:
        try:
            encode(tidied(rules, variants))
        except BadCode as bad:
            faults = [Fault("notes", "too_long", str(bad))]
    return faults


def change_house(
    session: Session,
    variants: Variants,
    code: str,
    rules: HouseRules,
    *,
    seq: int,
    client_key: str,
    actor: str = "",
) -> StoredHouse:
    """Change a house's rules; raises `Refused` and `StaleHouse`. Matches keep the rules that they began with."""
    refuse_any(house_faults(rules, variants))
    return _write(
        session,
        code,
        lambda last: replace(last, rules=tidied(rules, variants), is_retired=False),
        seq=seq,
        client_key=client_key,
        actor=actor,
    )


def retire_house(session: Session, code: str, *, client_key: str, actor: str = "") -> StoredHouse:
    """Take a house's rules off the lists of rules to play by; `put_back` brings them back."""
    return _write(session, code, lambda last: replace(last, is_retired=True), client_key=client_key, actor=actor)


def put_back(session: Session, code: str, *, client_key: str, to: int | None = None, actor: str = "") -> StoredHouse:
    """Let a house's rules be what they were in an earlier version, or just play by them again."""
    if to is None:
        return _write(session, code, lambda last: replace(last, is_retired=False), client_key=client_key, actor=actor)
    earlier = house_of_code(session, code).version(to)
    if earlier is None:
        raise refusal("", "no_such_version", "These rules never were that way.")
    return _write(session, code, lambda _: earlier, client_key=client_key, actor=actor)


def copy_house(
    session: Session, variants: Variants, code: str, *, client_key: str, device: str = "", actor: str = ""
) -> StoredHouse:
    """Save the same rules once more, to be changed apart from the first."""
    rules = house_of_code(session, code).last.rules
    name = f"{rules.name[: NAME_LENGTH - len(_COPY)].strip()}{_COPY}"
    return save_house(session, variants, replace(rules, name=name), client_key=client_key, device=device, actor=actor)


def _write(
    session: Session,
    code: str,
    become: Callable[[HouseVersion], HouseVersion],
    *,
    client_key: str,
    actor: str,
    seq: int | None = None,
) -> StoredHouse:
    """Add a version and commit; one that says nothing new is not added."""
    refuse_any(key_faults(client_key))
    house = house_of_code(session, code)
    if any(version.client_key == client_key for version in house.versions):
        return house
    if seq is not None and seq != house.last.seq + 1:
        raise StaleHouse(house)
    if len(house.versions) >= MOST_VERSIONS:
        raise refusal("", "too_many", f"Rules can be changed {MOST_VERSIONS} times. Make a copy and go on with that.")
    new = become(house.last)
    if (new.rules, new.is_retired) == (house.last.rules, house.last.is_retired):
        return house
    now = datetime.now(UTC)
    version = replace(new, seq=house.last.seq + 1, client_key=client_key, at=now, actor=cut_actor(actor))
    try:
        houses.add_version(session, house.id, version)
        session.commit()
    except IntegrityError:  # another phone was faster, or the same one twice
        session.rollback()
        house = house_of_code(session, code)
        if any(version.client_key == client_key for version in house.versions):
            return house
        raise StaleHouse(house) from None
    return house_of_code(session, code)
