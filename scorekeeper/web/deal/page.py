"""What moving the deal shows: everybody who may deal the next hand, each with what follows."""

from dataclasses import dataclass

from scorekeeper.graphics.markers import SideView
from scorekeeper.ledger import changes
from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.outlook import deal_words
from scorekeeper.services.writing import preview
from scorekeeper.web.match.page import match_title
from scorekeeper.web.shared.match_views import side_views


@dataclass(frozen=True, slots=True, kw_only=True)
class DealChoice:
    """Somebody who may deal."""

    who: str
    """The id of the seat, or of the side."""
    name: str
    side: SideView
    follows: str
    """"Dan bids first, and deals next"."""
    is_dealer: bool
    """Whether it is that person's deal already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealPage:
    """Template deal/show.html."""

    code: str
    version: int
    match_title: str
    number: int
    """The hand that is dealt next."""
    choices: tuple[DealChoice, ...]
    is_stale: bool
    """Whether another phone saved first."""


def deal_page(match: Match, *, is_stale: bool = False) -> DealPage:
    """Return who may deal, and what follows if they do; `is_stale` where another phone saved first."""
    seats = match.state.seats
    return DealPage(
        code=match.code,
        version=match.version,
        match_title=match_title(match),
        number=match.state.next_number,
        choices=tuple(
            DealChoice(
                who=who,
                name=match.names[who],
                side=side_views(match)[seats.side_of(who) or who],
                follows=_what_follows(match, who),
                is_dealer=who == match.state.dealer,
            )
            for who in seats.chairs
        ),
        is_stale=is_stale,
    )


def _what_follows(match: Match, dealer: str) -> str:
    is_moved = dealer != match.state.dealer
    state = preview(match, changes.moving_dealer(dealer)).state if is_moved else match.state
    return deal_words(state, dealer, match.names)
