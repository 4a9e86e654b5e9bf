"""Matches as they might have been, in any variant, as records."""

from typing import Any

from hypothesis import strategies as st

from scorekeeper.pitch.records.json_parser import read_hand
from scorekeeper.pitch.rules.library import Library
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.match import ImpossibleHand, MatchState, open_match, play
from scorekeeper.pitch.scoring.seats import Seats, seat

PEOPLE = ["Ann", "Bo", "Cal", "Di", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jo"]


@st.composite
def records(draw: st.DrawFn, library: Library) -> dict[str, Any]:
    """Draw a record that its rules accept: some hands, some thrown in, the last perhaps unfinished."""
    ruleset = draw(st.sampled_from([each for each in library if each.table.partners or each.table.most]))
    table, seats = _seated(draw, ruleset)
    state = open_match(ruleset, seats)
    hands: list[dict[str, Any]] = []
    for _ in range(draw(st.integers(0, 6))):
        given = draw(_hands(state.ruleset, seats))
        if draw(st.integers(0, 3)) == 0:
            given["penalties"] = {draw(st.sampled_from(seats.ids)): draw(st.integers(1, 100))}
        after = _played(state, given)
        if after is not None:
            state, hands = after, [*hands, given]
    if not ruleset.pays:
        hands = _with_newcomers(draw, seats, hands)
    needs_second = any(hand.keys() & {"penalties", "sits_in"} for hand in hands)
    record = {"format": f"pitch-record/{1 + needs_second}", "variant": ruleset.id, **table, "hands": hands}
    extra = {"stopped": st.just(True), "title": st.text("abc é♠", max_size=20), "played_on": st.just("2026-11-20")}
    for key, values in extra.items():
        if draw(st.booleans()):
            record[key] = draw(values)
    return record


def _with_newcomers(draw: st.DrawFn, seats: Seats, hands: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Let somebody sit in here and there: from then on a seat, and a player alone, has another name."""
    names = {who: who for who in seats.players}
    seated = []
    for number, hand in enumerate(hands, 1):
        if draw(st.integers(0, 3)) == 0:
            who = draw(st.sampled_from(seats.players))
            name = f"{who} the {number}th"
            hand = {"sits_in": {names[who]: name}, **hand}
            names[who] = name
        seated.append({key: value if key == "sits_in" else _renamed(value, names) for key, value in hand.items()})
    return seated


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {names.get(key, key): _renamed(inner, names) for key, inner in value.items()}
    return names.get(value, value) if isinstance(value, str) else value


def _seated(draw: st.DrawFn, ruleset: Ruleset) -> tuple[dict[str, Any], Seats]:
    table = ruleset.table
    numbers = [*table.partners, *(range(table.fewest, table.most + 1) if table.most else ())]
    players = PEOPLE[: draw(st.sampled_from(numbers))]
    seats, _ = seat(ruleset, players, None)
    assert seats
    if len(seats.sides) == len(players) or draw(st.booleans()):
        return {"players": players}, seats
    named = [(f"Side {number}", side.seats) for number, side in enumerate(seats.sides, 1)]
    seats, _ = seat(ruleset, None, named)
    assert seats
    return {"sides": [{"name": name, "players": list(members)} for name, members in named]}, seats


def _played(state: MatchState, given: dict[str, Any]) -> MatchState | None:
    hand, faults = read_hand(given)
    try:
        # Never as the last: an unfinished one would have to be.
        return None if faults else play(state, hand, is_last=False, is_new=True)
    except ImpossibleHand:
        return None


@st.composite
def _hands(draw: st.DrawFn, ruleset: Ruleset, seats: Seats) -> dict[str, Any]:
    if draw(st.integers(0, 9)) == 0:
        return {"thrown_in": "misdeal"}
    hand: dict[str, Any] = {}
    who = st.sampled_from(seats.ids)
    if ruleset.bidding.auction:
        hand["bidder"] = draw(st.sampled_from(seats.chairs))
        hand["bid"] = draw(st.sampled_from(ruleset.bids))
        hand["all_tricks"] = False
    if ruleset.table.called:
        others = [name for name in seats.players if name != hand["bidder"]]
        hand["partner"] = draw(st.sampled_from([None, *others]))
        who = st.sampled_from(["bidders", "defenders"])
    if ruleset.only_bidder_counts or ruleset.pools_defenders:
        who = st.sampled_from(["bidders", "defenders"])
    hand["taken"] = {
        award_id: draw(who | st.none() if award.unclaimed else who) for award_id, award in ruleset.in_play.items()
    }
    if draw(st.booleans()):
        hand["dealer"] = draw(st.sampled_from(seats.chairs))
    if draw(st.booleans()):
        hand["note"] = draw(st.text("abc ♥\n", max_size=10))
    return hand
