"""The form of a change of players: who stays, and who joins."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from werkzeug.datastructures import MultiDict

from scorekeeper.ledger.derive_match import Match

STAYS_FIELD, JOINS_PREFIX = "stays", "joins-"
_LEAST_JOINS = 2
_LONGEST_TYPED = 100


@dataclass(frozen=True, slots=True)
class PlayersForm:
    """Who stays, by the ids of their seats, and the names of those who join, as they were typed."""

    stays: Sequence[str]
    joins: Sequence[str] = field(default=())

    def players(self, match: Match) -> tuple[str, ...]:
        """Return who plays now: whoever joins takes a seat that is free, then one after the last."""
        new = [name for name in self.joins if name]
        seats = [match.names[it.id] if it.id in self.stays else "" for it in match.setup.seats]
        for place, name in enumerate(seats):
            if not name and new:
                seats[place] = new.pop(0)
        return tuple(name for name in (*seats, *new) if name)


def fields_to_join(match: Match) -> int:
    """Return how many names can be typed: as many as there is room for, and never fewer than two."""
    return max(_LEAST_JOINS, max(match.state.ruleset.table.player_counts) - len(match.setup.seats))


def new_form(match: Match) -> PlayersForm:
    """Return the form before anything is typed: everybody stays."""
    return PlayersForm(tuple(it.id for it in match.setup.seats))


def read_form(match: Match, form: MultiDict[str, str]) -> PlayersForm:
    """Return what was sent."""
    typed = (form.get(f"{JOINS_PREFIX}{number}", "") for number in range(1, fields_to_join(match) + 1))
    return PlayersForm(
        tuple(form.getlist(STAYS_FIELD)),
        tuple(" ".join(name[:_LONGEST_TYPED].split()) for name in typed),
    )
