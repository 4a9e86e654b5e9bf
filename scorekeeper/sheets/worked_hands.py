"""Worked hands for the rule sheet: a made bid, and the oddest rule of the ruleset. The engine scores them."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from scorekeeper.engine.hand import Bid, SideId
from scorekeeper.engine.standing import comparable, target_of
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import WorkedHand
from scorekeeper.sheets.sample_hands import (
    USUAL_TARGET,
    SampleHand,
    SampleTable,
    Takers,
    lost_on_made,
    lost_on_set,
    one_lost,
    sample_bid,
    sample_table,
    shown_awards,
)
from scorekeeper.sheets.worked_hand_words import HELD, result_sentence, score_rows, story

_FAR_AHEAD = 3
"""So far beyond the target is a side that may win only on its own bid (`002`, Partnership Pitch)."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """A hand to show, and what it shows."""

    title: str
    table: SampleTable
    sample: SampleHand
    target: int | None = None
    """What the match is to, where the table has not agreed on it."""


def worked_hands(ruleset: Ruleset) -> tuple[WorkedHand, ...]:
    """Return a hand with a made bid, and one for the rule that surprises most; where nobody bids, a hand and a tie."""
    table = sample_table(ruleset)
    first = _usual_hand(table)
    odd = next(filter(None, (show(table) for show in _ODD_RULES)), None)
    is_plain_set = (
        odd is not None
        and odd.sample.score.made is False
        and isinstance(odd.sample.result.bid, int)
        and odd.sample.state.outcome is None
    )
    hands = []
    if first:
        hands.append(_worked(first, None if is_plain_set else _set_hand(table)))
    if odd:
        hands.append(_worked(odd))
    return tuple(hands)


def _worked(shown: _Shown, set_instead: SampleHand | None = None) -> WorkedHand:
    return WorkedHand(
        title=shown.title,
        story=story(shown.table, shown.sample, shown.target),
        sides=tuple(shown.sample.result.scores),
        rows=score_rows(shown.sample),
        result=result_sentence(shown.sample, set_instead),
        is_set=shown.sample.score.made is False,
    )


def _usual_hand(table: SampleTable) -> _Shown | None:
    """Return a made bid with a point for another side; where nobody bids, any hand, with what the deal gives."""
    bid = sample_bid(table.ruleset)
    taken = table.shared(lost_on_made(table.ruleset, bid))
    with_kick = table.with_kick(taken) if bid is None else taken
    sample = table.play(bid, with_kick, table.so_far) or table.play(bid, taken, table.so_far)
    return _Shown("A made bid" if bid else "A hand", table, sample) if sample else None


def _set_hand(table: SampleTable) -> SampleHand | None:
    bid = sample_bid(table.ruleset)
    return table.play(bid, table.shared(lost_on_set(table.ruleset, bid)), table.so_far) if bid else None


def _failed_moon(table: SampleTable) -> _Shown | None:
    """Return a moon that fails for one point."""
    return _failed(table, "moon", "A failed moon", table.shared(one_lost(table.ruleset)))


def _failed_smudge(table: SampleTable) -> _Shown | None:
    """Return a smudge with every point that fails for a trick."""
    return _failed(table, "smudge", "A failed smudge", table.shared(()))


def _failed(table: SampleTable, bid: Bid, title: str, taken: Takers) -> _Shown | None:
    if bid not in table.ruleset.special_bids:
        return None
    sample = table.play(bid, taken, table.so_far)
    return _Shown(title, table, sample) if sample else None


def _several_count_together(table: SampleTable) -> _Shown | None:
    """Return a set bid where the bidder has a called partner, or where the defenders count together."""
    pools = table.ruleset.pools_defenders and len(table.others) > 1
    if not (table.partner or pools):
        return None
    title = "Partners are set" if table.partner else "Defenders score together"
    sample = _set_hand(table)
    return _Shown(title, table, sample) if sample else None


def _stop_at_one(table: SampleTable) -> _Shown | None:
    """Return a made bid against which others would reach 0, and stop at 1."""
    return _stops(table, 0, 1) if table.ruleset.winning.defenders_stop_at_one else None


def _stop_short(table: SampleTable) -> _Shown | None:
    """Return a made bid against which others would reach the target, and stop one point short of it."""
    target = target_of(table.ruleset)
    if target is None or not table.ruleset.winning.defenders_stop_short:
        return None
    return _stops(table, target, target - 1)


def _stops(table: SampleTable, goal: int, stop: int) -> _Shown | None:
    """Return a made bid against which another side would just reach the goal, and stops before it."""
    bid = sample_bid(table.ruleset)
    if not bid:
        return None
    lost = lost_on_made(table.ruleset, bid, over=0)
    points = sum(table.ruleset.in_play[award].points for award in lost)
    before = {**table.so_far, table.others[0]: goal - comparable(table.ruleset, points)}
    sample = table.play(bid, table.shared(lost, takers=1), before)
    stops = sample is not None and any(line.reason in HELD for line in sample.score.lines)
    return _Shown(f"Stopping at {stop}", table, sample) if sample and stops else None


def _every_point(table: SampleTable) -> _Shown | None:
    """Return a hand in which a side that did not bid takes every point, and so wins the match at once."""
    bid, ruleset = sample_bid(table.ruleset), table.ruleset
    if not (ruleset.winning.four_points_win_game and bid):
        return None
    sample = table.play(bid, dict.fromkeys(shown_awards(ruleset), table.others[-1]), table.so_far)
    wins = sample is not None and sample.state.outcome is not None and sample.state.outcome.rule == "all_points"
    return _Shown("Every point in one hand", table, sample) if sample and wins else None


def _win_from_behind(table: SampleTable) -> _Shown | None:
    """Return a made bid that wins the match while another side has the better score."""
    shown = _two_there(table)
    if shown is None or _winners(shown) != (table.lead,):
        return None
    scores = {side: comparable(table.ruleset, score) for side, score in shown.sample.result.scores.items()}
    return replace(shown, title="A win from behind") if scores[table.lead] < max(scores.values()) else None


def _beaten_at_the_target(table: SampleTable) -> _Shown | None:
    """Return a made bid that reaches the target and loses the match to a side with the better score."""
    shown = _two_there(table)
    return shown if shown and _winners(shown) == (table.others[0],) else None


def _two_there(table: SampleTable) -> _Shown | None:
    """Return a made bid after which the bidding side is at the target, and another side just past it."""
    table, said = _with_target(table)
    target, bid = target_of(table.ruleset), sample_bid(table.ruleset)
    if target is None or not bid or table.ruleset.winning.defenders_stop_short:
        return None
    taken = table.shared(lost_on_made(table.ruleset, bid, over=0), takers=1)
    trial = table.play(bid, taken, table.so_far)
    if trial is None:
        return None
    ahead = _FAR_AHEAD if table.ruleset.winning.win_rule == "made_bid" else -1
    before = {
        **table.so_far,
        **{side: target - trial.result.deltas[side] for side in trial.bidders},
        table.others[0]: target + comparable(table.ruleset, ahead),
    }
    sample = table.play(bid, taken, before)
    return _Shown(f"Two reach {target}", table, sample, said) if sample else None


def _winners(shown: _Shown) -> tuple[SideId, ...]:
    return shown.sample.state.outcome.winners if shown.sample.state.outcome else ()


def _tie_without_bids(table: SampleTable) -> _Shown | None:
    """Return a hand without bids after which two sides have reached the target."""
    table, said = _with_target(table)
    target, (first, *rest) = target_of(table.ruleset), shown_awards(table.ruleset)
    if target is None or table.ruleset.bidding.auction or not rest:
        return None
    worth = table.ruleset.in_play[first].points
    before = {
        **table.so_far,
        table.lead: target - comparable(table.ruleset, worth),
        table.others[0]: target - comparable(table.ruleset, 1),
    }
    sample = table.play(None, table.shared(rest, takers=1), before)
    return _Shown(f"Two reach {target}", table, sample, said) if sample else None


def _with_target(table: SampleTable) -> tuple[SampleTable, int | None]:
    """Return the table with the usual target where none is agreed yet, and that target, which has to be said."""
    winning = table.ruleset.winning
    if winning.win_rule is None or "target" not in table.ruleset.open_options or target_of(table.ruleset) is not None:
        return table, None
    agreed = table.ruleset.changed(winning=winning.changed(target=USUAL_TARGET))
    return replace(table, ruleset=agreed), USUAL_TARGET


def _set_bid(table: SampleTable) -> _Shown | None:
    sample = _set_hand(table)
    return _Shown("A set bid", table, sample) if sample else None


_ODD_RULES: tuple[Callable[[SampleTable], _Shown | None], ...] = (
    _failed_moon,
    _several_count_together,
    _stop_at_one,
    _stop_short,
    _every_point,
    _win_from_behind,
    _failed_smudge,
    _tie_without_bids,
    _beaten_at_the_target,
    _set_bid,
)
"""The rules that surprise, the oddest first."""
