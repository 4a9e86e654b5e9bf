"""What lies on the felt: the scores, the way to the target, whose turn it is."""

from collections.abc import Mapping

from flask import url_for

from scorekeeper.engine.matches import HandResult, MatchState
from scorekeeper.engine.outcome import is_there, target_of
from scorekeeper.engine.outlook import Outlook, outlook
from scorekeeper.engine.words import bid_word, plain
from scorekeeper.rules.words import money
from scorekeeper.services.load import LoadedMatch
from scorekeeper.web.contexts.drawing import RaceView, draw_race
from scorekeeper.web.contexts.match import ScoreView, TurnView
from scorekeeper.web.contexts.parts import SideView
from scorekeeper.web.present.hands import last_scored
from scorekeeper.web.present.once import once
from scorekeeper.web.present.sides import side_views


def score_views(match: LoadedMatch) -> tuple[ScoreView, ...]:
    """Give every side's card."""
    ahead = _ahead(match)
    return tuple(_score(match, view, ahead) for view in side_views(match).values())


def race_view(state: MatchState, sides: Mapping[str, SideView]) -> RaceView | None:
    """Lay the scores on the way to the target, where there is one."""
    target = target_of(state.ruleset)
    if target is None:
        return None
    places = sorted(((view, state.scores[name]) for name, view in sides.items()), key=lambda place: place[1])
    said = ", ".join(f"{view.name} {plain(score)}" for view, score in places)
    start = state.ruleset.winning.count_down_from or 0
    return draw_race(f"{said}; the target is {target}", places, target=target, start=start)


def turn_view(match: LoadedMatch) -> TurnView | None:
    """Look ahead to the next hand, which follows on all that is written, whether it counts yet or not."""
    if match.state.outcome:
        return None
    ahead = outlook(match.state) if match.state is not match.counted else _ahead(match)
    number = len(match.state.hands) + 1
    return TurnView(
        deals=f"{ahead.dealer} deals hand {number}." if ahead.dealer else f"Hand {number} is next.",
        speaks=f"{ahead.speaks_first} speaks first." if ahead.speaks_first else "",
        out=ahead.sentence if match.state is match.counted else f"If all is accepted: {ahead.sentence}",
        move_url=url_for("deal.show", code=match.code) if match.link.may_score else "",
    )


@once
def _ahead(match: LoadedMatch) -> Outlook:
    return outlook(match.counted)


def _score(match: LoadedMatch, view: SideView, ahead: Outlook) -> ScoreView:
    state = match.counted
    score = state.scores[view.name]
    would_be = match.state.scores[view.name]
    line, strong = _score_line(match, view.name, ahead)
    return ScoreView(
        side=view,
        score=plain(score),
        line=line,
        strong=strong,
        is_negative=score < 0,
        is_winner=bool(state.outcome and view.name in state.outcome.winners),
        waiting="" if would_be == score else f"{plain(would_be)} if accepted",
        is_dealer=match.state.dealer is not None and state.seats.side_of(match.state.dealer) == view.name,
    )


def _score_line(match: LoadedMatch, name: str, ahead: Outlook) -> tuple[str, str]:
    """Say under a score what matters to that side, the end of it in bold."""
    state = match.counted
    if state.outcome:
        return _what_it_did(last_scored(state), name), ""
    if state.money is not None:
        cents = state.money[name]
        if cents:
            return ("gets" if cents > 0 else "owes"), money(abs(cents))
        return "even", ""
    needs = next(side.needs for side in ahead.sides if side.side == name)
    if needs is None:
        return "in the hole" if state.scores[name] < 0 else "", ""
    if is_there(state.ruleset, state.scores[name]):
        return "needs", "a made bid" if state.ruleset.winning.win_rule == "made_bid" else "another hand"
    hole = "in the hole, " if state.scores[name] < 0 and not state.ruleset.winning.count_down_from else ""
    return f"{hole}needs", plain(needs)


def _what_it_did(hand: HandResult | None, name: str) -> str:
    if hand is None or hand.score is None:
        return ""
    took = hand.score.points.get(name, 0)
    if hand.camps and hand.camps.has_bidders:
        if name in hand.camps.groups[0]:
            return f"bid {bid_word(hand.bid)}, took {took}"
        return "did not bid"
    return f"took {took}"
