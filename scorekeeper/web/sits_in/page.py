"""What the page asks when a player leaves: who, and who sits in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.limits import NAME_LENGTH
from scorekeeper.rules.faults import Fault
from scorekeeper.web.match.page import match_title
from scorekeeper.web.shared.match_views import side_view_of
from scorekeeper.web.shared.widgets import Choice, FaultsView, QuestionView, each_once, faults_view

WHO_FIELD, NAME_FIELD = "who", "name"


@dataclass(frozen=True, slots=True, kw_only=True)
class SitsInPage:
    """Template sits_in/show.html. Blocks: faults."""

    code: str
    version: int
    match_title: str
    number: int
    """The first hand of whoever sits in."""
    is_for_money: bool
    """Whether the table settles up first, and begins a new match."""
    leaver: QuestionView
    name: str
    name_fault: str
    name_length: ClassVar = NAME_LENGTH
    known_names: tuple[str, ...]
    faults: FaultsView | None


def sits_in_page(
    match: Match, known_names: Sequence[str], typed: Mapping[str, str] | None = None, faults: Sequence[Fault] = ()
) -> SitsInPage:
    """Return the page; `typed` is what was sent, where it was refused for `faults`."""
    typed, messages = typed or {}, {fault.field: fault.message for fault in faults}
    people = [seat.id for seat in match.setup.seats]
    present = {match.names[who] for who in people}
    return SitsInPage(
        code=match.code,
        version=match.version,
        match_title=match_title(match),
        number=match.state.next_number,
        is_for_money=match.state.ruleset.pays,
        leaver=QuestionView(
            field=WHO_FIELD,
            question="Who leaves?",
            choices=tuple(
                Choice(
                    value=who,
                    label=match.names[who],
                    side=side_view_of(match, who),
                    is_chosen=who == typed.get(WHO_FIELD),
                )
                for who in people
            ),
            fault=messages.get(WHO_FIELD, ""),
        ),
        name=typed.get(NAME_FIELD, ""),
        name_fault=messages.get(NAME_FIELD, ""),
        known_names=tuple(name for name in known_names if name not in present),
        faults=faults_view("Not saved yet", each_once((fault.message, fault.field) for fault in faults)),
    )
