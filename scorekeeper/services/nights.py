"""A tournament night: how it starts, how it is loaded, and how a fact gets into it, once and in its place."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy.orm import Session

from scorekeeper.ladder.facts import (
    NightChange,
    NightRenamed,
    NightRestored,
    NightStarted,
    RoundsAgreed,
    RoundStarted,
)
from scorekeeper.ladder.limits import MOST_IN_PAIR, MOST_ROUNDS
from scorekeeper.ladder.night import Night
from scorekeeper.ladder.roles import NightLink, NightSetup
from scorekeeper.ledger.fact_log import Event, Fact
from scorekeeper.ledger.limits import KEY_LENGTH, key_faults, remark_faults
from scorekeeper.ledger.refusals import NotAllowed, refusal, refuse_any
from scorekeeper.ledger.roles import OWNER, AnyHead
from scorekeeper.services.codes import device_digest, new_code
from scorekeeper.services.once import Writer, add_once, write
from scorekeeper.store import nights
from scorekeeper.store.links import NIGHT_LINKS

MOST_LISTED = 12


class UnknownNight(Exception):
    """No link in force to a night has this code."""


class DeletedNight(Exception):
    """The night was deleted; `code` is that of the link."""

    def __init__(self, code: str) -> None:
        super().__init__("This night was deleted.")
        self.code = code


class NightLinkEnded(UnknownNight):
    """The link led to a night, until somebody ended it."""


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

    @property
    def log(self) -> Night:
        """The night, as a log of facts."""
        return self.night

    def takes(self, fact: Fact, actor: str = "") -> bool:
        """Return whether a fact is not so already; raises `Refused` and `NotAllowed` where it cannot be written."""
        if not fact.is_new(self.night):
            return False
        if not self.night.may_write(self.link.role, fact):
            raise NotAllowed
        if self.night.is_deleted and not isinstance(fact, NightRestored):
            raise refusal("", "deleted", "This night was deleted. Restore it first.")
        return True

    def add(self, session: Session, event: Event) -> "NightAtHand":
        """Add an event, and return the night with it; commits nothing, and raises `IntegrityError`."""
        nights.add_event(session, self.setup.id, event)
        return replace(self, night=Night.fold((*self.night.events, event), self.setup.title, self.setup.rounds))


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
        NIGHT_LINKS.add(session, night_id, code, OWNER, now, device=device_digest(device))
        return code

    return add_once(session, lambda: nights.code_by_client_key(session, client_key), add)


def night_head(session: Session, code: str) -> AnyHead[NightLink]:
    """Return a link as it is now, and where its night ends; raises `UnknownNight`."""
    head = NIGHT_LINKS.head(session.connection(), code)
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
    setup = nights.setup_by_id(session, link.place_id)
    return NightAtHand(setup, link, Night.fold(nights.events_of(session, setup.id), setup.title, setup.rounds))


def nights_of_device(session: Session, device: str) -> list[NightAtHand]:
    """Return the nights that a device has a link to and nobody deleted, the last one first."""
    links = nights.nights_of_device(session, device_digest(device), 2 * MOST_LISTED)
    found = [night_of_link(session, link) for link in links]
    return [it for it in found if not it.night.is_deleted][:MOST_LISTED]


def write_night(
    session: Session, code: str, change: NightChange, writer: Writer, *, version: int | None = None
) -> NightAtHand:
    """Write a change into a night and commit; return the night as it stands then. See `once.write`."""

    def fact(found: NightAtHand) -> Fact:
        return change if isinstance(change, Fact) else change(found.night)

    return write(session, lambda: load_night(session, code), fact, writer, version=version)


def change_settings(session: Session, code: str, writer: Writer, *, title: str, rounds: int) -> NightAtHand:
    """Change the name of a night and its number of rounds, both or nothing; raises `Refused`."""
    refuse_any(remark_faults(title))
    refuse_any(key_faults(writer.client_key))
    write_night(session, code, RoundsAgreed(rounds=rounds), writer)
    # Each fact has a key of its own.
    key = f"{writer.client_key[: KEY_LENGTH - 1]}t"
    return write_night(session, code, NightRenamed(title=title), replace(writer, client_key=key))


def draw_tables(night: Night) -> NightStarted:
    """Draw by lot who sits where in the first round, and who sits out of an odd number."""
    order = list(night.present)
    secrets.SystemRandom().shuffle(order)
    sits_out = order.pop() if len(order) % 2 else None
    return NightStarted(tables=tuple(zip(order[::2], order[1::2], strict=True)), sits_out=sits_out)


def draw_round(number: int, night: Night) -> RoundStarted:
    """Start a round, and draw by lot who sits out of an odd number."""
    may = night.may_sit_out if night.current and night.current.is_done else ()
    return RoundStarted(round=number, sits_out=secrets.choice(may) if may else None)
