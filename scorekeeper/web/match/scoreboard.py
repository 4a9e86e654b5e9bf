"""The scoreboard: every side's score, the way to the target, and what hangs on the next hand."""

from dataclasses import dataclass

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.match import HandResult, MatchState
from scorekeeper.engine.outlook import Outlook, outlook
from scorekeeper.engine.standing import Clause, has_reached_target, is_overtime, target_of
from scorekeeper.graphics.markers import SideView
from scorekeeper.graphics.race_and_strip import RaceView, draw_race
from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.outlook import outlook_sentence
from scorekeeper.narration.payments import owed_words, shown_amounts
from scorekeeper.narration.phrases import bid_word, score_text
from scorekeeper.web.shared.match_views import memoized, side_views

MOST_CARDS = 3
"""More sides than these stand in rows on a phone, in two rows of cards on a TV, and have no race."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreView:
    """A side's card on the scoreboard."""

    side: SideView
    score: str
    line: str
    """"needs", "did not bid", "in the hole"; what follows in bold is `strong`."""
    strong: str
    is_negative: bool
    is_winner: bool
    if_accepted: str
    """The score with the hands that wait for another side; empty where it is the same."""
    is_dealer: bool

    @property
    def width(self) -> str:
        """The class that makes room for long numbers."""
        return "n4" if len(self.score) > 3 else "n3" if len(self.score) > 2 else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnView:
    """Who deals the next hand, who bids first, and whether anybody can go out."""

    number: int
    dealer: str
    """Empty where it is not known."""
    bids_first: str
    outlook: str
    """"Either side can go out by making a bid."."""
    is_if_accepted: bool
    """Whether that holds only if the hands that wait are accepted."""


def score_views(match: Match) -> tuple[ScoreView, ...]:
    """Return every side's card."""
    ahead = _outlook(match)
    return tuple(_score(match, side, view, ahead) for side, view in side_views(match).items())


def race_view(match: Match) -> RaceView | None:
    """Return the scores on the way to the target; `None` without a target, or with too many sides."""
    state, sides = match.counted, side_views(match)
    target = target_of(state.ruleset)
    if target is None or len(sides) > MOST_CARDS:
        return None
    places = sorted(((view, state.scores[side]) for side, view in sides.items()), key=lambda place: place[1])
    scores = ", ".join(f"{view.name} {score_text(score)}" for view, score in places)
    start = state.ruleset.winning.count_down_from or 0
    return draw_race(f"{scores}; the target is {target}", places, target=target, start=start)


def turn_view(match: Match) -> TurnView | None:
    """Return what hangs on the next hand, which follows on all that is written, whether it counts yet or not."""
    if not match.state.goes_on:
        return None
    is_all = match.state is match.counted
    ahead = _outlook(match) if is_all else outlook(match.state)
    return TurnView(
        number=match.state.next_number,
        dealer=match.names[ahead.dealer] if ahead.dealer else "",
        bids_first=match.names[ahead.bids_first] if ahead.bids_first else "",
        outlook=outlook_sentence(match.state, match.names, ahead.sides),
        is_if_accepted=not is_all,
    )


@memoized
def _outlook(match: Match) -> Outlook:
    return outlook(match.counted)


def _score(match: Match, side: SideId, view: SideView, ahead: Outlook) -> ScoreView:
    state = match.counted
    score, if_accepted = state.scores[side], match.state.scores[side]
    line, strong = _score_line(match, side, ahead)
    return ScoreView(
        side=view,
        score=shown_amounts(state)[side],
        line=line,
        strong=strong,
        is_negative=score < 0,
        is_winner=bool(state.outcome and side in state.outcome.winners),
        if_accepted="" if if_accepted == score else score_text(if_accepted),
        is_dealer=_is_dealer(match, side),
    )


def _is_dealer(match: Match, side: SideId) -> bool:
    """Return whether a side deals the next hand; there is none after the end."""
    state = match.state
    return state.goes_on and state.dealer is not None and state.seats.side_of(state.dealer) == side


def _score_line(match: Match, side: SideId, ahead: Outlook) -> tuple[str, str]:
    """Return what matters to a side, the end of it in bold."""
    state = match.counted
    if state.outcome:
        last = _last_hand(match, state.last_scored, side)
        return (f"{last}, " if last and state.money else last), _owed(state, side)
    if state.ruleset.money.settles == "hand":
        return "", ""
    if state.money is not None:
        return "", _owed(state, side)
    needs = next(it.needs for it in ahead.sides if it.side == side)
    if needs is None:
        return "in the hole" if state.scores[side] < 0 else "", ""
    if state.question and side in state.question.winners:
        return "may have won", ""
    if has_reached_target(state.ruleset, state.scores[side]):
        return "needs", _needed(state, side)
    is_in_the_hole = state.scores[side] < 0 and not state.ruleset.winning.count_down_from
    return f"{'in the hole, ' if is_in_the_hole else ''}needs", score_text(needs)


def _needed(state: MatchState, side: SideId) -> str:
    """Return what a side at the target needs to win."""
    missing = next(it.missing for it in state.standing.sides if it.side == side)
    if Clause.LEAD in missing and Clause.MADE_BID not in missing:
        return f"a lead of {state.ruleset.winning.win_by}"
    if is_overtime(state.ruleset, state.best_of_two) or state.ruleset.winning.win_rule == "made_bid":
        return "a made bid"
    return "another hand"


def _owed(state: MatchState, side: SideId) -> str:
    """Return what a side is owed if the table settles now; empty where nobody pays."""
    return owed_words(state.money[side]) if state.money is not None else ""


def _last_hand(match: Match, hand: HandResult | None, side: SideId) -> str:
    """Return what a side did in the hand that decided; a partner who was called took part in a bid and made none."""
    if hand is None or hand.score is None:
        return ""
    took = hand.score.points.get(side, 0)
    if hand.hand_sides is None or not hand.hand_sides.has_bidders:
        return f"took {took}"
    bidder, *partners = hand.hand_sides.bidders
    if side in partners:
        return f"with {match.names[bidder]}, took {took}"
    return f"bid {bid_word(hand.bid)}, took {took}" if side == bidder else "did not bid"
