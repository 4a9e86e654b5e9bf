"""The rules of a house, with all their versions: save, change, copy, archive and restore them."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.access.links import device_digest
from scorekeeper.access.roles import UnknownCode
from scorekeeper.database.rows import Select, insert_row, upsert_row, utc
from scorekeeper.database.tables import DeviceHouseRow, HouseRulesetRow, HouseVersionRow
from scorekeeper.eventlog.store import Writer, add_once, retry_on_conflict
from scorekeeper.eventlog.stream import refusal, refuse_any
from scorekeeper.matches.fold import Match
from scorekeeper.matches.match_list import HIGHEST_ID
from scorekeeper.pitch.rules.entered_text import MAX_KEY_LENGTH, clean_actor
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.house_rules import (
    MAX_RULES_NAME_LENGTH,
    HouseRules,
    Variants,
    derive_house_rules,
    resolve_house_rules,
    simplify_house_rules,
)
from scorekeeper.pitch.rules.share_codes import BadCode, encode
from scorekeeper.random_codes import new_code


@dataclass(frozen=True, slots=True)
class HouseVersion:
    """A version of house rules: its number, its rules, and when and by which phone they were saved."""

    seq: int
    idempotency_key: str
    at: datetime
    actor: str
    rules: HouseRules
    is_retired: bool = False
    """Whether this version archives the rules, so that no list offers them."""


@dataclass(frozen=True, slots=True)
class StoredHouseRules:
    """House rules with their versions, oldest first; some queries read only the last one."""

    id: int
    code: str
    """The code in the URLs of these rules."""
    versions: tuple[HouseVersion, ...]

    @property
    def last(self) -> HouseVersion:
        """The last version, which is in force."""
        return self.versions[-1]

    def version(self, seq: int) -> HouseVersion | None:
        """Return the version with a `seq`; `None` if there is none."""
        return next((version for version in self.versions if version.seq == seq), None)


_HOUSES, _VERSIONS, _HOUSES_OF_DEVICES = (row.__table__ for row in (HouseRulesetRow, HouseVersionRow, DeviceHouseRow))
"""The tables of house rules, of their versions, and of which device has saved which house rules."""
_SELECT_VERSIONS: Select = sa.select(_HOUSES.c.code, *(column for column in _VERSIONS.c if column.name != "id")).join(
    _VERSIONS, _VERSIONS.c.house_id == _HOUSES.c.id
)


def _read_stored(session: Session, selected: Select) -> list[StoredHouseRules]:
    """Return the house rules of the versions that an SQL query selects, with only these versions."""
    versions_by_id: dict[int, tuple[str, list[HouseVersion]]] = {}
    for row in session.execute(selected):
        rules = HouseRules(row.name, row.variant, row.options, tuple(row.notes))
        version = HouseVersion(row.seq, row.client_key, utc(row.at), row.actor, rules, bool(row.retired))
        versions_by_id.setdefault(row.house_id, (row.code, []))[1].append(version)
    return [StoredHouseRules(house_id, code, tuple(versions)) for house_id, (code, versions) in versions_by_id.items()]


def add_house_rules(session: Session, code: str, idempotency_key: str, created_at: datetime) -> int:
    """Insert house rules without a version, and return their id; commits nothing."""
    return insert_row(session, _HOUSES, {"code": code, "client_key": idempotency_key, "created_at": created_at})


def add_version(session: Session, house_id: int, version: HouseVersion) -> None:
    """Insert a version of house rules; commits nothing."""
    values = {
        "house_id": house_id,
        "seq": version.seq,
        "client_key": version.idempotency_key,
        "at": version.at,
        "actor": version.actor,
        "retired": version.is_retired,
        **asdict(version.rules),
    }
    session.execute(sa.insert(_VERSIONS), values)


MAX_CHANGES = 500
"""The most times that the same house rules can be changed."""
_COPY_SUFFIX = " (copy)"


class StaleHouseRules(Exception):
    """Another phone changed the same house rules first; `stored` has the rules as they are now."""

    def __init__(self, stored: StoredHouseRules) -> None:
        super().__init__("Someone else changed these rules first.")
        self.stored = stored


def house_rules_of_code(session: Session, code: str) -> StoredHouseRules:
    """Return the house rules with a code, with all their versions; raises `UnknownCode` where there are none."""
    stored_rules = _read_stored(session, _SELECT_VERSIONS.where(_HOUSES.c.code == code).order_by(_VERSIONS.c.seq))
    if not stored_rules:
        raise UnknownCode(code)
    return stored_rules[0]


def latest_house_rules(
    session: Session, at_most: int, before: int = HIGHEST_ID
) -> tuple[list[StoredHouseRules], int | None]:
    """Return the latest `at_most` house rules with ids below `before`, newest first, and the `before` of the next page.

    On the last page, that is `None`. Archived rules are included. Each has only its last version.
    """
    # The page first, so that a large table is not scanned for the last version of each.
    ids = sa.select(_HOUSES.c.id).where(_HOUSES.c.id < before).order_by(_HOUSES.c.id.desc()).limit(at_most + 1)
    page, later = ids.subquery(), _VERSIONS.alias("later")
    last_seq = sa.select(sa.func.max(later.c.seq)).where(later.c.house_id == page.c.id).scalar_subquery()
    selected = _SELECT_VERSIONS.join(page, page.c.id == _HOUSES.c.id).where(_VERSIONS.c.seq == last_seq)
    stored_rules = _read_stored(session, selected.order_by(_HOUSES.c.id.desc()))
    return stored_rules[:at_most], stored_rules[at_most - 1].id if len(stored_rules) > at_most else None


def house_rules_of_device(session: Session, device: str) -> list[StoredHouseRules]:
    """Return the house rules on the list of a device, including archived ones, ordered by when it last saved them."""
    columns = _HOUSES_OF_DEVICES.c
    selected_versions = _SELECT_VERSIONS.join(_HOUSES_OF_DEVICES, columns.house_id == _HOUSES.c.id)
    device_versions = selected_versions.where(columns.device == device_digest(device))
    return _read_stored(
        session, device_versions.order_by(columns.last_seen.desc(), _HOUSES.c.id.desc(), _VERSIONS.c.seq)
    )


def remember_house_rules(session: Session, device: str, stored: StoredHouseRules) -> None:
    """Put house rules first on the list of a device, and commit."""
    try:
        key = {"device": device_digest(device), "house_id": stored.id}
        upsert_row(session, _HOUSES_OF_DEVICES, key, {"last_seen": datetime.now(UTC)})
        session.commit()
    except IntegrityError:  # two pages of one device at the same moment: the other has done it
        session.rollback()


def rules_to_save(match: Match, variants: Variants) -> HouseRules | None:
    """Return a match's present house rules, with a name such as "Our Pedro", ready to be saved.

    `None` without house rules, if they have faults, or if there is no such variant any more.
    """
    if match.setup.variant not in variants:
        return None
    base = variants[match.setup.variant]
    rules = simplify_house_rules(derive_house_rules(match.state.ruleset, base), variants)
    if not (rules.options or rules.notes):
        return None
    if rules.name == base.name:
        rules = replace(rules, name=f"Our {base.name}"[:MAX_RULES_NAME_LENGTH])
    return None if house_faults(rules, variants) else rules


def find_equal_house_rules(saved_rules: Iterable[StoredHouseRules], rules: HouseRules) -> StoredHouseRules | None:
    """Return those of `saved_rules` that equal `rules` except perhaps for the name; `None` if there are none.

    Rules with the same name are preferred. Archived ones are left out.
    """
    unarchived = (stored for stored in saved_rules if not stored.last.is_retired)
    equal_rules = (stored for stored in unarchived if replace(stored.last.rules, name=rules.name) == rules)
    return min(equal_rules, key=lambda stored: stored.last.rules.name != rules.name, default=None)


def save_house_rules(
    session: Session, variants: Variants, rules: HouseRules, writer: Writer, *, device: str = ""
) -> StoredHouseRules:
    """Save new house rules, commit, and return them; raises `Refused`.

    They are put on the list of `device`, unless that is empty. A form that is posted twice saves them once.
    """
    refuse_any(house_faults(rules, variants))

    form_key = writer.idempotency_key

    def find() -> str | None:
        return session.execute(sa.select(_HOUSES.c.code).where(_HOUSES.c.client_key == form_key)).scalar()

    def add() -> str:
        now, code = datetime.now(UTC), new_code()
        first_version = HouseVersion(1, form_key, now, clean_actor(writer.actor), simplify_house_rules(rules, variants))
        add_version(session, add_house_rules(session, code, form_key, now), first_version)
        return code

    stored = house_rules_of_code(session, add_once(session, find, add))
    if device:
        remember_house_rules(session, device, stored)
    return _as_saved_by_form(stored, form_key) or stored


def save_played_rules(
    session: Session, variants: Variants, rules: HouseRules, writer: Writer, *, device: str
) -> tuple[StoredHouseRules, bool]:
    """Save rules by which a device has played, commit, and return them, and whether the device had saved them before.

    Rules that differ only in the name count as the same. Raises `Refused`, and `BadCode` for rules too long for a share
    code.
    """
    saved_rules = house_rules_of_device(session, device)
    if equal_rules := find_equal_house_rules(saved_rules, rules):
        return equal_rules, True
    # The same key on two pages of a device, so that both at the same moment save the rules once.
    form_key = device_digest(f"{device} {len(saved_rules)} {encode(rules)}")[:MAX_KEY_LENGTH]
    return save_house_rules(session, variants, rules, replace(writer, idempotency_key=form_key), device=device), False


def house_faults(rules: HouseRules, variants: Variants) -> list[Fault]:
    """Return the faults of rules to save: faults under their variant, or else that a share code cannot hold them."""
    faults = resolve_house_rules(rules, variants)[1]
    if not faults:
        try:
            encode(simplify_house_rules(rules, variants))
        except BadCode as bad_code:
            faults = [Fault("notes", "too_long", str(bad_code))]
    return faults


def change_house_rules(
    session: Session,
    variants: Variants,
    stored: StoredHouseRules,
    rules: HouseRules,
    writer: Writer,
    *,
    seq: int,
) -> StoredHouseRules:
    """Save changed house rules as version `seq`, commit, and return them; archived ones are restored by that.

    Raises `Refused`, and `StaleHouseRules` if `seq` is not that of the next version.
    """
    refuse_any(house_faults(rules, variants))
    return _add_changed_version(
        session, stored.code, writer, simplify_house_rules(rules, variants), is_retired=False, seq=seq
    )


def retire_house_rules(session: Session, code: str, writer: Writer) -> StoredHouseRules:
    """Archive house rules, so that no list offers them, commit, and return them.

    Raises `UnknownCode`, and `Refused` if there is no room for one more version.
    """
    return _add_changed_version(session, code, writer, is_retired=True)


def restore_house_rules(session: Session, code: str, writer: Writer, *, to: int | None = None) -> StoredHouseRules:
    """Restore archived house rules, commit, and return them; with `to`, restore the version before the last.

    `to` is the `seq` of that version. Raises `UnknownCode`, `StaleHouseRules` if a later version was added since, and
    `Refused` without such a version or room for one more.
    """
    if to is None:
        return _add_changed_version(session, code, writer, is_retired=False)
    earlier_version = house_rules_of_code(session, code).version(to)
    if earlier_version is None:
        raise refusal("", "These rules have no such version.")
    return _add_changed_version(
        session, code, writer, earlier_version.rules, is_retired=earlier_version.is_retired, seq=to + 2
    )


def copy_house_rules(
    session: Session, variants: Variants, code: str, writer: Writer, *, device: str = ""
) -> StoredHouseRules:
    """Save a copy of house rules, named "… (copy)", commit, and return it; raises `UnknownCode` and `Refused`.

    It is put on the list of `device`, unless that is empty. A form that is posted twice makes one copy.
    """
    rules = house_rules_of_code(session, code).last.rules
    name = f"{rules.name[: MAX_RULES_NAME_LENGTH - len(_COPY_SUFFIX)].strip()}{_COPY_SUFFIX}"
    return save_house_rules(session, variants, replace(rules, name=name), writer, device=device)


def _add_changed_version(
    session: Session,
    code: str,
    writer: Writer,
    rules: HouseRules | None = None,
    *,
    is_retired: bool,
    seq: int | None = None,
) -> StoredHouseRules:
    """Add a version with `rules`, or else with the last rules, commit, and return the house rules.

    Nothing is added if nothing would change, or if the form was posted before. Raises `UnknownCode`, `Refused`, and
    `StaleHouseRules` if `seq` is not that of the next version.
    """
    form_key = writer.idempotency_key

    def write() -> StoredHouseRules:
        stored = house_rules_of_code(session, code)
        if already_saved := _as_saved_by_form(stored, form_key):
            return already_saved
        last_version, now = stored.last, datetime.now(UTC)
        if seq is not None and seq != last_version.seq + 1:
            raise StaleHouseRules(stored)
        if len(stored.versions) > MAX_CHANGES:
            raise refusal("", f"Rules can be changed {MAX_CHANGES} times. Make a copy and change that.")
        version = HouseVersion(
            last_version.seq + 1, form_key, now, clean_actor(writer.actor), rules or last_version.rules, is_retired
        )
        if (version.rules, version.is_retired) == (last_version.rules, last_version.is_retired):
            return stored
        add_version(session, stored.id, version)
        session.commit()
        return replace(stored, versions=(*stored.versions, version))

    return retry_on_conflict(session, write)  # another phone was faster, or the same one twice


def _as_saved_by_form(stored: StoredHouseRules, idempotency_key: str) -> StoredHouseRules | None:
    """Return house rules with their versions up to the one that a form has added; `None` if it has added none."""
    seq = next((version.seq for version in stored.versions if version.idempotency_key == idempotency_key), None)
    return None if seq is None else replace(stored, versions=stored.versions[:seq])
