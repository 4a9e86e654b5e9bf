"""What holds for every ruleset, every house and every hand."""

import json
from dataclasses import replace
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorekeeper.pitch.records.record import Record, read_record, record_as_json
from scorekeeper.pitch.records.result import score_record
from scorekeeper.pitch.rules.house_rules import differing_answers, with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.auction import open_auction, run_auction
from scorekeeper.pitch.scoring.hand import FORFEITS, PASS, PITCH, SPECIAL_BIDS, TAKE_SET, Hand
from scorekeeper.pitch.scoring.hand_score import ScoreLine
from scorekeeper.pitch.scoring.match import HandResult, MatchState, replay, sides_set_in
from scorekeeper.pitch.scoring.outlook import outlook
from scorekeeper.pitch.scoring.seats import Seats
from scorekeeper.pitch.sheets.worked_hands import STOPPED_SHORT_REASONS
from tests.common.library import LIBRARY, RULEBOOK, each_ruleset
from tests.pitch.rules.random_house_rules import agreed_rules, option_sets
from tests.pitch.scoring.strategies import (
    auctions,
    hands,
    json_values,
    legal_calls,
    matches,
    openings,
    records,
    rulesets,
    tables,
)

Match = tuple[MatchState, tuple[Hand, ...]]
few = settings(max_examples=max(settings.default.max_examples // 4, 10) if settings.default else 10)
many = settings(max_examples=settings.default.max_examples * 4 if settings.default else 200)


@each_ruleset
@few
@given(data=st.data())
def test_every_ruleset_scores_every_hand_that_can_be(ruleset: Ruleset, data: st.DataObject) -> None:
    opening = data.draw(openings(ruleset))

    state = replay(opening, data.draw(st.lists(hands(ruleset, opening.seats), max_size=3)))

    assert {hand.status for hand in state.results} <= {"scored", "after_end"}


@many
@given(data=st.data())
def test_a_house_is_refused_with_a_reason_or_scores_every_hand(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets)
    house = data.draw(option_sets(ruleset))

    changed, faults = with_house(ruleset, house)

    if faults:
        assert all(fault.message and fault.field in house for fault in faults)
    else:
        opening = data.draw(openings(changed))
        assert replay(opening, [data.draw(hands(changed, opening.seats))]).results


@many
@given(rulesets, st.data())
def test_the_differences_of_a_house_give_the_house_again(ruleset: Ruleset, data: st.DataObject) -> None:
    changed, faults = with_house(ruleset, data.draw(option_sets(ruleset)))
    assume(not faults)

    again, _ = with_house(ruleset, differing_answers(ruleset, changed))

    assert again == changed


@many
@given(matches())
def test_nobody_takes_more_than_is_on_offer(match: Match) -> None:
    opening, hands = match
    states = [replay(opening, hands[:played]) for played in range(len(hands) + 1)]

    for hand, before in zip(states[-1].results, states, strict=False):
        if hand.score and hand.hand_sides:
            taken = sum(hand.score.points[group[0]] for group in hand.hand_sides.groups)
            shared = hand.ruleset.points.game_tie == "all_tied_score"
            game = hand.ruleset.awards["game"].points * (len(hand.hand_sides.groups) - 1) if shared else 0
            assert taken <= hand.ruleset.with_carried_points(before.carried).points_per_hand + game


@many
@given(matches())
def test_the_lines_of_a_hand_add_up_to_its_changes(match: Match) -> None:
    state = replay(*match)
    before = match[0].scores

    for hand in state.results:
        for side in state.seats.ids:
            assert sum(line.points for line in lines_of(hand) if line.side == side) == hand.deltas[side]
            assert before[side] + hand.deltas[side] == hand.scores[side]
        before = hand.scores


@many
@given(matches())
def test_money_only_changes_hands(match: Match) -> None:
    state = replay(*match)

    assert sum((state.money or {}).values()) == 0
    for hand in state.results:
        assert sum(((hand.score and hand.score.payments) or {}).values()) == 0
        assert (hand.score is not None and hand.score.payments is not None) == (
            hand.status == "scored" and hand.ruleset.is_for_money
        )


def lines_of(result: HandResult) -> tuple[ScoreLine, ...]:
    return result.score.lines if result.score else ()


def unheld(result: HandResult, side: str) -> int:
    """Return what a hand brings a side that does not stop short of the target: penalty points count before that."""
    return result.deltas[side] - sum(
        line.points for line in lines_of(result) if line.side == side and line.reason in STOPPED_SHORT_REASONS
    )


@st.composite
def _penalties(draw: st.DrawFn, seats: Seats) -> dict[str, int]:
    return draw(st.dictionaries(st.sampled_from(seats.ids), st.integers(1, 100)))


@many
@given(matches(), st.data())
def test_what_is_written_for_a_mistake_counts_and_changes_nothing_else_of_a_hand(
    match: Match, data: st.DataObject
) -> None:
    opening, played = match
    hand = data.draw(st.sampled_from([*played[:1], Hand(thrown_in="misdeal")]))
    lost, given = data.draw(_penalties(opening.seats)), data.draw(_penalties(opening.seats))

    without = replay(opening, [hand])
    with_them = replay(opening, [replace(hand, penalties=lost, penalties_to=given)])

    before, after = without.results[0], with_them.results[0]
    assume(before.status != "after_end")
    sign = 0 if after.ruleset.pays_by_hand else after.ruleset.score_sign
    for side in opening.seats.ids:
        assert unheld(after, side) - unheld(before, side) == sign * (given.get(side, 0) - lost.get(side, 0))
        assert sum(line.points for line in lines_of(after) if line.side == side) == after.deltas[side]
    assert (after.status, after.dealer, after.next_dealer) == (before.status, before.dealer, before.next_dealer)
    assert (with_them.sets, sides_set_in(after)) == (without.sets, sides_set_in(before))
    if before.score and after.score:
        assert (after.score.made, after.score.points) == (before.score.made, before.score.points)
    assert sum(with_them.cents_for_hands.values()) == sum(after.payments.values()) == 0
    if with_them.outcome and hand.thrown_in:
        assert given
    if with_them.outcome and with_them.outcome.rule == "given_first":
        assert set(with_them.winners) <= given.keys()


@given(matches(), st.data())
def test_the_first_hands_of_a_match_stand_whatever_follows(match: Match, data: st.DataObject) -> None:
    opening, played = match
    number = data.draw(st.integers(0, len(played)))

    assert replay(opening, played).results[:number] == replay(opening, played[:number]).results


@many
@given(matches())
def test_whoever_wins_could_go_out_by_the_outlook(match: Match) -> None:
    opening, played = match
    state = opening

    for hand in played:
        before = {side.side: side for side in outlook(state._replace(dealer=hand.dealer or state.dealer)).sides}
        state = replay(state, [hand])
        if state.outcome and state.results[-1].status == "scored" and state.outcome.rule not in NOT_GOING_OUT:
            hand_sides = state.results[-1].hand_sides
            for winner in state.outcome.winners:
                allowed = (
                    {"any", "bid"}
                    if hand_sides and hand_sides.has_bidders and winner in hand_sides.groups[0]
                    else {"any"}
                )
                assert before[winner].goes_out in allowed


NOT_GOING_OUT = ("hands", "set_limit", "moon_lost")
"""Ends that another side's mishap brings, or the clock."""


@many
@given(agreed_rules, st.data())
def test_an_allowed_call_is_never_refused_and_any_other_always(ruleset: Ruleset, data: st.DataObject) -> None:
    assume(ruleset.bidding.auction)
    seats = data.draw(tables(ruleset))
    dealer = data.draw(st.sampled_from(seats.players))
    calls = data.draw(auctions(ruleset, seats, dealer))

    so_far = calls[: data.draw(st.integers(0, len(calls) - 1))]
    auction, _ = run_auction(ruleset, seats, dealer, so_far)
    everything = {PASS, PITCH, TAKE_SET, *SPECIAL_BIDS, *range(-1, ruleset.points_per_hand + 3)}
    # Where all the points and a moon are one bid, the number is another name for it.
    allowed = set(legal_calls(ruleset, auction))
    if ruleset.top_bid_is_moon and "moon" in allowed:
        allowed.add(ruleset.points_per_hand)
    for call in everything:
        _, fault = run_auction(ruleset, seats, dealer, (*so_far, (auction.waiting_players[0], call)))
        assert bool(fault) == (call not in allowed)


@given(agreed_rules, st.data())
def test_an_auction_ends(ruleset: Ruleset, data: st.DataObject) -> None:
    assume(ruleset.bidding.auction)
    seats = data.draw(tables(ruleset))
    dealer = seats.players[-1]

    auction, fault = run_auction(ruleset, seats, dealer, data.draw(auctions(ruleset, seats, dealer)))

    assert not fault
    assert auction.is_over
    assert open_auction(seats, dealer).waiting_players[-1] == dealer


@many
@given(matches(), st.data())
def test_who_forfeits_the_match_has_lost_it_whatever_the_hand_brings(match: Match, data: st.DataObject) -> None:
    opening, played = match
    hand = data.draw(st.sampled_from([*played[:1], Hand(thrown_in="misdeal")]))
    loser = data.draw(st.sampled_from(opening.seats.ids))
    assume(opening.outcome is None and len(opening.seats.ids) > 1)

    state = replay(opening, [replace(hand, forfeits={loser: "match"})])

    assume(state.results[0].status in ("scored", "thrown_in"))
    assert state.outcome is not None
    assert (state.outcome.rule, state.outcome.losers) == ("forfeit", (loser,))
    assert loser not in state.winners


@st.composite
def _records(draw: st.DrawFn) -> Record:
    """Draw a record whose house and start may contradict it, with mistakes at the table."""
    record = read_record(draw(records()))
    sides = st.sampled_from([side for side, _ in record.sides or ()] or record.players or ())
    points = st.none() | st.dictionaries(sides, st.integers(1, 100))
    return replace(
        record,
        house=draw(option_sets(LIBRARY[record.variant])),
        start=draw(
            st.fixed_dictionaries(
                {}, optional={"scores": st.dictionaries(sides, st.integers(-99, 99)), "hands": st.integers(0, 9)}
            )
        ),
        hands=tuple(
            replace(
                hand,
                penalties_to=draw(points),
                forfeits=draw(st.none() | st.dictionaries(sides, st.sampled_from(FORFEITS))),
            )
            for hand in record.hands
        ),
        note=draw(
            st.none() | st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=20)
        ),
    )


@given(_records())
def test_what_is_written_reads_back_the_same(record: Record) -> None:
    assert read_record(json.loads(json.dumps(record_as_json(record)))) == record


@few
@given(json_values)
def test_no_json_makes_the_scorer_stumble(data: Any) -> None:
    assert score_record(data, RULEBOOK)["status"] == "refused"


@many
@given(_records(), st.data())
def test_a_record_with_rubbish_in_it_is_answered_all_the_same(record: Record, data: st.DataObject) -> None:
    written = record_as_json(record)
    spoiled = _spoiled(written, data)

    result = score_record(spoiled, RULEBOOK)

    json.dumps(result)
    assert result["status"] in ("refused", "in_progress", "over", "stopped")
    assert all(fault["message"] for fault in result.get("faults", []))


def _spoiled(value: Any, data: st.DataObject) -> Any:
    """Put something else in one place of a record."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 9)):
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: _spoiled(value[key], data)}
    if isinstance(value, list) and value and data.draw(st.integers(0, 9)):
        index = data.draw(st.integers(0, len(value) - 1))
        return [*value[:index], _spoiled(value[index], data), *value[index + 1 :]]
    return data.draw(json_values | st.sampled_from(["bidders", "defenders", "Ann", "moon", "pass", 0, 1, 99]))
