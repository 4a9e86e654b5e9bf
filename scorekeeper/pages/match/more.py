"""What the verdict of a match opens to: what the deciding hand scored, other rules, changes, the chart.

It is worked out only when somebody opens it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from scorekeeper.matches.fold import Match, played_match
from scorekeeper.pages.match.hands import OpenedHand, opened_hand
from scorekeeper.pitch.compare.sentences import ending_words, other_rule_sentences, played_sentence
from scorekeeper.pitch.drawings.chart import ChartView, draw_chart
from scorekeeper.pitch.rules.phrases import listed
from scorekeeper.pitch.scoring.match import HandResult, score_histories
from scorekeeper.pitch.scoring.standing import has_reached_target, target_of
from scorekeeper.pitch.sheets.citations import Cited
from scorekeeper.pitch.text.endings import changed_in_play, held_back_words, verdict
from scorekeeper.pitch.text.hands import explained, remarks
from scorekeeper.pitch.text.phrases import joined, score_text
from scorekeeper.web.context import budget
from scorekeeper.web.library import decided_by, rules_of_hand, standard_rules
from scorekeeper.web.locale import date_style
from scorekeeper.web.match_views import side_views

_MAX_NOT_ENDED = 2
"""How many hands that ended nothing are explained: the last of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class More:
    """What a verdict opens to."""

    hand: OpenedHand | None
    """The last hand that counts; `None` where it scored nothing."""
    others: tuple[str, ...]
    """The rules by which another side would have won: "Nobody scores the Off Jack: They win, 42 to 40."."""
    since: tuple[str, ...]
    not_ended: tuple[tuple[str, Cited], ...]
    explained: tuple[str, ...]
    """The hand, explained as to a child."""
    chart: ChartView | None


def more_of(match: Match) -> More:
    """Return what the verdict of a match opens to."""
    state, last = match.state, match.state.last_scored
    hand = opened_hand(match, last, decided_by(match), has_sums=True) if last and last.changes_scores else None
    return More(
        hand=hand if hand and hand.lines else None,
        others=_other_winners(match) if not match.log.is_stopped else (),
        since=since(match),
        not_ended=tuple(_not_ended(match)) if state.outcome else (),
        explained=tuple(_explained(match, last)) if last and state.outcome else (),
        chart=chart(match),
    )


def _other_winners(match: Match) -> tuple[str, ...]:
    """Return the other rules by which another side would have won, each in a sentence."""
    state = match.state
    if state.last_scored is None or (state.goes_on and not state.standing.at_target):
        return ()
    return other_rule_sentences(played_match(match, standard_rules(match.rules)), match.names, budget())


def _explained(match: Match, last: HandResult) -> Iterator[str]:
    names = match.names_in(last.position)
    if played := played_sentence(last, names):
        yield played
    yield from explained(last, names)
    yield verdict(match.state, match.names).sentence


def _not_ended(match: Match) -> list[tuple[str, Cited]]:
    """Return why the last hands with a side at the target, before the deciding one, did not end the match."""
    last = match.state.last_scored
    earlier = (hand for hand in reversed(match.state.results) if hand is not last and hand.status == "scored")
    at_target = (hand for hand in earlier if hand.standing and hand.standing.at_target)
    return [_why_not_ended(match, hand) for hand in islice(at_target, _MAX_NOT_ENDED)][::-1]


def _why_not_ended(match: Match, result: HandResult) -> tuple[str, Cited]:
    """Return why a side at the target did not win with a hand; the match is replayed up to it."""
    state = match.state_before(result.position + 1)._replace(ruleset=result.ruleset)
    names, sheet = match.names_in(result.position), rules_of_hand(result)
    waiting = held_back_words(state, names, hand="that hand")
    tied = next((said for said in remarks(result, names) if "count.game_tie" in said.rules), None)
    tied = tied if result.has_tied_game else None
    said = joined(f"Hand {result.number} did not end it: {waiting.sentence}", tied.text if tied else "")
    return said, sheet.goes_on(state) + (sheet.rule(*tied.rules) if tied else ())


def since(match: Match) -> tuple[str, ...]:
    """Return which rules came in play, how a match had ended before the last change, and which hands came after it."""
    return tuple(_since(match))


def _since(match: Match) -> Iterator[str]:
    yield from changed_in_play(match.rules, match.state, date_style())
    for result in match.state.results:
        if result.standing and "target" in (result.hand.house or {}):
            was = match.state_before(result.position).ruleset
            names, scores = match.names_in(result.position), result.standing.before
            there = [side for side in scores if has_reached_target(result.ruleset, scores[side])]
            if there and not any(has_reached_target(was, scores[side]) for side in there):
                had = listed(f"{names[side]} had {score_text(scores[side])}" for side in there)
                yield f"{had} before that, which won nothing: a new target is looked at when a hand ends."
    before = match.before_last_change()
    if before and before.state.outcome and before.state.winners != match.state.winners:
        yield f"Before that: {ending_words(before.state, before.names)}."
    late = [str(result.number) for result in match.state.results if result.status == "after_end"]
    if late:
        came = "came after the end and do" if len(late) > 1 else "came after the end and does"
        yield f"Hand{'s' if len(late) > 1 else ''} {listed(late)} {came} not count."


def chart(match: Match) -> ChartView | None:
    """Return the scores hand by hand; `None` where there are none to draw."""
    if match.state.ruleset.money.settles == "hand":
        return None
    return draw_chart(score_histories(match.state), side_views(match), target=target_of(match.state.ruleset))
