"""What the page asks when somebody joins or leaves a game for money."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from scorekeeper.book.people import name_key
from scorekeeper.engine.seats import seats_wanted
from scorekeeper.graphics.markers import SideView
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.limits import NAME_LENGTH
from scorekeeper.narration.payments import transfers
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.phrases import sentence
from scorekeeper.web.match.page import match_title
from scorekeeper.web.money_night.form import JOINS_PREFIX, STAYS_FIELD, PlayersForm, fields_to_join, new_form
from scorekeeper.web.shared.match_views import side_view_of
from scorekeeper.web.shared.widgets import FaultsView, each_once, faults_view


@dataclass(frozen=True, slots=True, kw_only=True)
class Stays:
    """Somebody who plays, and may stay."""

    seat: str
    name: str
    side: SideView | None
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Joins:
    """A field for the name of somebody who joins."""

    field: str
    label: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePage:
    """Template money_night/change.html. Blocks: faults."""

    code: str
    version: int
    match_title: str
    is_playing: bool
    """Whether the match goes on, and ends here."""
    payments: tuple[str, ...]
    """What this match settles: "Bob pays Ann $1.20"."""
    stays_field: ClassVar = STAYS_FIELD
    stays: tuple[Stays, ...]
    joins: tuple[Joins, ...]
    name_length: ClassVar = NAME_LENGTH
    known_names: tuple[str, ...]
    wanted: str
    """"This game seats 4 to 8 players, each alone"."""
    faults: FaultsView | None


def change_page(
    match: Match, known_names: Sequence[str], form: PlayersForm | None = None, faults: Sequence[Fault] = ()
) -> ChangePage:
    """Return the page; `form` is what was sent, where it was refused for `faults`."""
    form = form or new_form(match)
    present = {name_key(match.names[it.id]) for it in match.setup.seats}
    typed = (*form.joins, *("" for _ in range(fields_to_join(match))))
    return ChangePage(
        code=match.code,
        version=match.version,
        match_title=match_title(match),
        is_playing=match.status == "in_progress",
        payments=transfers(match.counted.money or {}, match.names),
        stays=tuple(
            Stays(seat=it.id, name=match.names[it.id], side=side_view_of(match, it.id), is_chosen=it.id in form.stays)
            for it in match.setup.seats
        ),
        joins=tuple(
            Joins(field=f"{JOINS_PREFIX}{number}", label=f"New player {number}", name=typed[number - 1])
            for number in range(1, fields_to_join(match) + 1)
        ),
        known_names=tuple(name for name in known_names if name_key(name) not in present),
        wanted=sentence(seats_wanted(match.state.ruleset.table)),
        faults=faults_view("Not saved yet", each_once((fault.message, _target(fault)) for fault in faults)),
    )


def _target(fault: Fault) -> str:
    return STAYS_FIELD if fault.field.startswith("players") else ""
