"""What the TV shows, the match page as far as it can be read from across the room, and how it gets there."""

from dataclasses import dataclass

from scorekeeper.graphics.race_and_strip import RaceView
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.roles import Invitation
from scorekeeper.narration.hands import bid_in_play
from scorekeeper.narration.notices import announcement
from scorekeeper.web.match.hands import HandsView, latest_hands
from scorekeeper.web.match.page import (
    MOST_CARDS,
    ScoreView,
    TurnView,
    VerdictView,
    match_title,
    race_view,
    rules_words,
    score_views,
    turn_view,
    verdict_view,
)

MOST_HANDS = 5
MOST_HANDS_AT_END = 3
"""Beside the verdict, which has more room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TvPage:
    """Template tv/show.html. Blocks: head, board, announcement."""

    code: str
    version: int
    invitation_id: int
    title: str
    rules: str
    """"Partnership Pitch, to 21"."""
    scores: tuple[ScoreView, ...]
    race: RaceView | None
    turn: TurnView | None
    bid: str
    """Who has the bid of a hand that is being played: "Dan has it for 3 ♠"."""
    verdict: VerdictView | None
    hands: HandsView
    invitation: Invitation | None
    """How somebody at the table follows on a phone."""
    announcement: str

    @property
    def is_two_rows(self) -> bool:
        """Whether the cards stand in two rows."""
        return len(self.scores) > MOST_CARDS

    @property
    def columns(self) -> int:
        """How many cards stand beside each other."""
        return -(-len(self.scores) // 2) if self.is_two_rows else len(self.scores)


def tv_page(match: Match, invitation: Invitation | None, *, since: int | None = None) -> TvPage:
    """Return what the TV shows; what was written after the version `since` is new."""
    state, verdict = match.counted, verdict_view(match)
    return TvPage(
        code=match.code,
        version=match.version,
        invitation_id=invitation_id(invitation),
        title=match_title(match),
        rules=rules_words(state),
        scores=score_views(match),
        race=None if verdict else race_view(match),
        turn=None if verdict else turn_view(match),
        bid=bid_in_play(match.state, match.names_in(len(match.state.results))),
        verdict=verdict,
        hands=latest_hands(match, MOST_HANDS_AT_END if verdict else MOST_HANDS, since, is_told=False),
        invitation=invitation,
        announcement=announcement(match),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenOnPage:
    """Template tv/open.html: how the score gets on a TV."""

    code: str
    match_title: str
    invitation: Invitation | None
    """By which a TV joins; `None` where nobody has opened one."""


def open_on_page(match: Match, invitation: Invitation | None) -> OpenOnPage:
    """Return how the score gets on a TV."""
    return OpenOnPage(code=match.code, match_title=match_title(match), invitation=invitation)


def invitation_id(invitation: Invitation | None) -> int:
    """Return what tells one invitation on the screen from the next; 0 for none."""
    return invitation.id if invitation else 0
