"""Matches to be scored again: as records, by award or by points alone, and rules to score them by."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from scorekeeper.pitch.compare.comparison import PlayedMatch
from scorekeeper.pitch.records.json_parser import hand_as_json
from scorekeeper.pitch.records.record import Record, RefusedRecord, names_by_hand, read_record
from scorekeeper.pitch.records.result import play_record, play_record_under
from scorekeeper.pitch.rules.house_rules import differing_answers, with_house
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import Hand
from scorekeeper.pitch.scoring.match import HandResult, Start
from tests.common.library import LIBRARY, RULEBOOK
from tests.pitch.rules.random_house_rules import answers_of
from tests.pitch.scoring.strategies import records


def played_record(record: Record) -> PlayedMatch:
    """Return a match from a record, as it is stored; raises `RefusedRecord`."""
    rules = RULEBOOK.ruleset_for(record.variant, record.house)
    state = play_record_under(as_stored(record), rules)
    return PlayedMatch(
        rules=rules,
        base=RULEBOOK.ruleset_for(record.variant, {}),
        start=Start(**record.start),
        first_dealer=None,
        state=state,
        names=tuple(names_by_hand(state)),
    )


def as_stored(record: Record) -> Record:
    """Return a record as it is downloaded: its hands score as they were written."""
    return replace(record, played_on="2026-11-20")


def played(record: dict[str, Any]) -> PlayedMatch:
    """Return the match in a record."""
    return played_record(read_record(record))


def one_by_one(record: Record) -> Iterator[Record]:
    """Return each hand of a record in a record of its own, which starts from the scores before it."""
    try:
        state = play_record(record, RULEBOOK)
    except RefusedRecord:
        return
    start = {"hands": 0, "sets": {}, **record.start}
    hands, sets = start["hands"], {side: start["sets"].get(side, 0) for side in state.seats.ids}
    for result in state.results:
        if result.status in ("scored", "thrown_in"):
            before = {side: score - result.deltas[side] for side, score in result.scores.items()}
            yield replace(
                record,
                house=differing_answers(LIBRARY[record.variant], result.ruleset),
                start={"scores": before, "hands": hands, "sets": dict(sets)},
                hands=(replace(result.hand, dealer=result.dealer, house=None, house_on=None, sits_in=None),),
            )
        for side, number in ((result.score and result.score.sets) or {}).items():
            sets[side] += number
        hands += result.status == "scored"


_TELLING = (
    "game_tie game_rule low tie_rule win_rule target score_on_made moon_needs moon_counts_burned defenders_score "
    "set_limit four_points_win_game jokers min_bid win_by hands count_down_from"
).split()


@st.composite
def other_rules(draw: st.DrawFn, rules: Ruleset) -> Ruleset:
    """Draw the rules of a match as another house plays them: one answer more after another, where it fits."""
    names = st.sampled_from([*_TELLING, *rules.in_play, *rules.in_play])
    for name in draw(st.lists(names, min_size=1, max_size=4)):
        award = st.booleans() | st.integers(1, 4)
        answer = draw(answers_of(options()[name]) if name in options() and draw(st.booleans()) else award)
        changed, faults = with_house(rules, {name: answer})
        rules = rules if faults else changed
    return rules


def with_points_only(result: HandResult) -> Hand:
    """Return a hand as it would have been entered by points alone."""
    if result.score is None or result.hand_sides is None or result.hand.taken is None:
        return result.hand
    leads = [group[0] for group in result.hand_sides.groups]
    whos = ["bidders", "defenders"] if result.hand.has_entry_for_defenders else leads
    points = {who: result.score.points[lead] for who, lead in zip(whos, leads, strict=True)}
    return replace(result.hand, taken=None, points=points, card_points=None)


@st.composite
def matches_by_points(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw a record by awards, and the same with some hands by points alone; nobody sits in."""
    record = draw(_with_short_target(draw(records(has_substitutes=False))))
    results = played(record).state.results
    hidden = [
        hand_as_json(with_points_only(result)) if result.status == "scored" and draw(st.integers(0, 3)) else hand
        for result, hand in zip(results, record["hands"], strict=True)
    ]
    return record, {**record, "hands": hidden}


@st.composite
def _with_short_target(draw: st.DrawFn, record: dict[str, Any]) -> dict[str, Any]:
    """Let a match end sooner, and a rule change in the middle of it, where its rules allow that."""
    targets = st.integers(3, 15).map(lambda target: {"target": target})
    changed = {**record, "house": draw(targets)} if draw(st.booleans()) else record
    hands = [dict(hand) for hand in record["hands"]]
    if draw(st.booleans()) and hands:
        house = draw(targets | st.just({"tie_rule": "higher_score"}))
        hands[draw(st.integers(0, len(hands) - 1))]["house"] = house
    try:
        played({**changed, "hands": hands})
    except RefusedRecord:
        return record
    return {**changed, "hands": hands}
