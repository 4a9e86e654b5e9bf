"""A tournament night: how it starts, how it is loaded, and how a fact gets into it, once and in its place."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.ladder import changes
from scorekeeper.ladder.changes import NightChange
from scorekeeper.ladder.facts import NightEvent, NightFact, NightRestored
from scorekeeper.ladder.fold import fold
from scorekeeper.ladder.limits import MOST_IN_PAIR, MOST_NIGHT_EVENTS, MOST_ROUNDS
from scorekeeper.ladder.night import Night
from scorekeeper.ladder.rights import may_write
from scorekeeper.ladder.roles import NightHead, NightLink, NightSetup
from scorekeeper.ledger.limits import KEY_LENGTH, cut_actor, key_faults, remark_faults
from scorekeeper.ledger.refusals import NotAllowed, refusal, refuse_any
from scorekeeper.ledger.roles import OWNER
from scorekeeper.services.codes import new_code
from scorekeeper.services.match_list import device_digest
from scorekeeper.services.once import add_once
from scorekeeper.store import nights

MOST_LISTED = 12
_MOST_TRIES = 50


class UnknownNight(Exception):
    """No link in force to a night has this code."""


class DeletedNight(Exception):
    """The night was deleted; `code` is that of the link."""

    def __init__(self, code: str) -> None:
        super().__init__("This night was deleted.")
        self.code = code


class NightLinkEnded(UnknownNight):
    """The link led to a night, until somebody ended it."""


class StaleNight(Exception):
    """Somebody else wrote first; `found` is how the night stands now."""

    def __init__(self, found: "NightAtHand") -> None:
        super().__init__("Someone else changed the night first.")
        self.found = found


@dataclass(frozen=True, slots=True)
class NightAtHand:
    """A night with the link that led to it."""

    setup: NightSetup
    link: NightLink
    night: Night

    @property
    def code(self) -> str:
        """The code of the link that led here."""
        return self.link.code


def refuse_wrong_night(title: str, rounds: int, size: int) -> None:
    """Raise `Refused` where no night can start so."""
    refuse_any(remark_faults(title))
    if not 1 <= rounds <= MOST_ROUNDS:
        raise refusal("rounds", "rounds", f"A night has 1 to {MOST_ROUNDS} rounds.")
    if not 1 <= size <= MOST_IN_PAIR:
        raise refusal("size", "size", f"1 to {MOST_IN_PAIR} play together.")


def start_night(
    session: Session,
    device: str,
    *,
    title: str,
    rounds: int,
    client_key: str,
    size: int = 2,
    variant: str = "",
    house: Mapping[str, Any] | None = None,
) -> str:
    """Start a night without pairs, commit, and return the code of its owner's link; raises `Refused`.

    `house` is what was agreed of the game, see `night_matches.start_match_at`.
    """
    refuse_any(key_faults(client_key))
    refuse_wrong_night(title, rounds, size)

    def add() -> str:
        now, code = datetime.now(UTC), new_code()
        values = {"title": title, "rounds": rounds, "size": size, "variant": variant, "house": dict(house or {})}
        night_id = nights.add_night(session, created_at=now, client_key=client_key, **values)
        nights.add_link(session, night_id, code, OWNER, now, device=device_digest(device))
        return code

    return add_once(session, lambda: nights.code_by_client_key(session, client_key), add)


def night_head(session: Session, code: str) -> NightHead:
    """Return a link as it is now, and where its night ends; raises `UnknownNight`."""
    head = nights.head_of(session, code)
    if head is None:
        raise UnknownNight(code)
    if head.is_ended:
        raise NightLinkEnded(code)
    return head


def load_night(session: Session, code: str) -> NightAtHand:
    """Return the night that a link leads to; raises `UnknownNight`."""
    return night_of_link(session, night_head(session, code).link)


def night_of_link(session: Session, link: NightLink) -> NightAtHand:
    """Return the night of a link that need not be stored."""
    setup = nights.setup_by_id(session, link.night_id)
    return NightAtHand(setup, link, fold(nights.events_of(session, setup.id), setup.title, setup.rounds))


def nights_of_device(session: Session, device: str) -> list[NightAtHand]:
    """Return the nights that a device has a link to and nobody deleted, the last one first."""
    links = nights.nights_of_device(session, device_digest(device), 2 * MOST_LISTED)
    found = [night_of_link(session, link) for link in links]
    return [it for it in found if not it.night.is_deleted][:MOST_LISTED]


def write_night(
    session: Session, code: str, change: NightChange, *, client_key: str, actor: str = "", version: int | None = None
) -> NightAtHand:
    """Write a change into a night and commit; return the night as it stands then.

    A `client_key` that has been seen before is answered as it was the first time. With a `version`, nothing may
    have been written since. Raises `Refused`, `NotAllowed` and `StaleNight`.
    """
    refuse_any(key_faults(client_key))
    for _ in range(_MOST_TRIES):
        found = load_night(session, code)
        if any(event.client_key == client_key for event in found.night.events):
            return found
        if version is not None and version != found.night.version:
            raise StaleNight(found)
        fact = change(found.night)
        if fact is None:
            return found
        if not may_write(found.night, found.link.role, fact):
            raise NotAllowed
        if found.night.is_deleted and not isinstance(fact, NightRestored):
            raise refusal("", "deleted", "This night was deleted. Restore it first.")
        try:
            after = add_fact(session, found, fact, client_key, actor)
            session.commit()
        except IntegrityError:  # another phone was faster, or the same one twice: look again
            session.rollback()
            continue
        return after
    raise StaleNight(load_night(session, code))


def add_fact(session: Session, found: NightAtHand, fact: NightFact, client_key: str, actor: str) -> NightAtHand:
    """Add a fact to a night, and return the night with it; does not commit, and raises `IntegrityError`."""
    night = found.night
    if len(night.events) >= MOST_NIGHT_EVENTS:
        raise refusal("", "too_many", f"A night has room for {MOST_NIGHT_EVENTS} entries. Start a new one.")
    event = NightEvent(night.version + 1, client_key, datetime.now(UTC), cut_actor(actor), fact)
    nights.add_event(session, found.setup.id, event)
    return replace(found, night=fold((*night.events, event), found.setup.title, found.setup.rounds))


def change_settings(
    session: Session, code: str, *, title: str, rounds: int, client_key: str, actor: str = ""
) -> NightAtHand:
    """Change the name of a night and its number of rounds, both or nothing; raises `Refused`."""
    refuse_any(remark_faults(title))
    refuse_any(key_faults(client_key))
    write_night(session, code, changes.agreeing_rounds(rounds), client_key=client_key, actor=actor)
    # Each fact has a key of its own.
    key = f"{client_key[: KEY_LENGTH - 1]}t"
    return write_night(session, code, changes.renaming_night(title), client_key=key, actor=actor)


def drawing_tables() -> NightChange:
    """Draw by lot who sits where in the first round, and who sits out of an odd number."""

    def change(night: Night) -> NightFact | None:
        order = list(night.present)
        secrets.SystemRandom().shuffle(order)
        sits_out = order.pop() if len(order) % 2 else None
        tables = list(zip(order[::2], order[1::2], strict=True))
        return changes.starting(tables, sits_out, by_lot=True)(night)

    return change


def drawing_round(number: int) -> NightChange:
    """Start a round, and draw by lot who sits out of an odd number."""

    def change(night: Night) -> NightFact | None:
        may = night.may_sit_out if night.current and night.current.is_done else ()
        return changes.starting_round(number, secrets.choice(may) if may else None)(night)

    return change
