"""What the page of the pairs shows: who plays tonight, who left, and how they sit down for the first round."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.ladder import words
from scorekeeper.ledger.limits import NAME_LENGTH
from scorekeeper.rules.faults import Fault
from scorekeeper.services.nights import NightAtHand
from scorekeeper.web.shared.widgets import FaultsView, faults_view


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRow:
    """A pair."""

    uid: int
    name: str
    small: str
    """"table 3", "sits out", "plays from the next round on", "left"."""
    has_left: bool
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairsPage:
    """Template nights/pairs.html."""

    code: str
    title: str
    pairs: tuple[PairRow, ...]
    summary: str
    typed: tuple[str, ...]
    """The names in the form, one for each who plays together."""
    faults: FaultsView | None
    name_length: int
    has_started: bool
    may_add: bool
    may_start: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingPage:
    """Template nights/seating.html."""

    code: str
    title: str
    tables: tuple[int, ...]
    """Their numbers, the top one first."""
    pairs: tuple[tuple[int, str, int], ...]
    """Each pair's uid, its name, and the table that is chosen for it; 0 is sitting out."""
    one_sits_out: bool
    faults: FaultsView | None


def pairs_page(found: NightAtHand, typed: Sequence[str] = (), faults: Sequence[Fault] = ()) -> PairsPage:
    """Return the page of the pairs, with what was typed where that was refused."""
    night, size = found.night, found.setup.size
    names = [*typed, *[""] * size][:size]
    return PairsPage(
        code=found.code,
        title=words.night_title(night),
        pairs=tuple(_row(found, uid) for uid in night.pairs),
        summary=words.odd_words(night, size),
        typed=tuple(names),
        faults=faults_view("Not added yet", [(fault.message, fault.field.replace(".", "-")) for fault in faults]),
        name_length=NAME_LENGTH,
        has_started=bool(night.rounds),
        may_add=not night.is_over,
        may_start=found.link.is_owner and not night.rounds and len(night.present) > 1,
    )


def _row(found: NightAtHand, uid: int) -> PairRow:
    night = found.night
    pair, current = night.pairs[uid], night.current
    game = current.game_of(uid) if current else None
    if pair.has_left:
        small = "left"
    elif current is None:
        small = ""
    elif game:
        small = f"table {game.table}"
    else:
        small = "sits out" if current.sits_out == uid else "plays from the next round on"
    return PairRow(uid=uid, name=pair.name, small=small, has_left=pair.has_left, players=pair.players)


def seating_page(found: NightAtHand, chosen: dict[int, int] | None = None, faults: Sequence[Fault] = ()) -> SeatingPage:
    """Return the page on which somebody places the pairs by hand; at first in the order in which they came."""
    night = found.night
    order, top = night.present, len(night.present) // 2
    at_first = {uid: min(place // 2 + 1, top) if place < 2 * top else 0 for place, uid in enumerate(order)}
    return SeatingPage(
        code=found.code,
        title=words.night_title(night),
        tables=tuple(range(top, 0, -1)),
        pairs=tuple((uid, night.name(uid), (chosen or at_first).get(uid, 0)) for uid in order),
        one_sits_out=len(order) % 2 == 1,
        faults=faults_view("Not started yet", [(fault.message, "") for fault in faults]),
    )
