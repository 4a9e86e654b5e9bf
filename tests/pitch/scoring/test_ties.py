"""Where several sides can win on the same hand, so that a table has to agree who wins then."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from scorekeeper.pitch.rules.groups.winning import tie_rule_decides
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import Contract
from scorekeeper.pitch.scoring.hand_score import score_hand
from scorekeeper.pitch.scoring.match import Start, open_match, score_changes
from scorekeeper.pitch.scoring.outcome import EndQuestion, HandEnd, decide_match
from scorekeeper.pitch.scoring.search_budget import Budget
from scorekeeper.pitch.scoring.seats import Seats, Side, divide_sides
from scorekeeper.pitch.scoring.standing import Standing, target_score
from scorekeeper.pitch.scoring.taken import Taken
from tests.common.each import each
from tests.common.library import LIBRARY
from tests.pitch.scoring.random_records import random_house

FOR_BIDDERS = ("bidder_first", "bidder_or_play_on", "bidder_then_point_order")


def _with_end(ruleset: Ruleset) -> Ruleset:
    winning = ruleset.winning.copy_with(
        win_rule=ruleset.winning.win_rule or "first_to_target", set_limit=None, four_points_win_game=False
    )
    if target_score(ruleset.copy_with(winning=winning)) is None:
        winning = winning.copy_with(target=21)
    return ruleset.copy_with(winning=winning)


def _contracts(ruleset: Ruleset, names: list[str]) -> Iterator[tuple[Contract, str | None]]:
    """Yield the lowest and the highest bid, alone and with a partner where one is called; none where nobody bids."""
    if not ruleset.has_bidding:
        yield Contract(), None
        return
    if ruleset.bidding.all_pass == "unobliged":
        yield Contract(), None
    for bid in dict.fromkeys((ruleset.min_bid_number, ruleset.max_bid_number)):
        yield Contract(names[0], bid), None
        if ruleset.table.called:
            yield Contract(names[0], bid), names[1]


def _differ(rules: list[Ruleset], seats: Seats, contract: Contract, partner: str | None) -> bool:
    """Return whether the tie rules disagree about a hand in which two groups share the points in some way."""
    ruleset, target = rules[0], target_score(rules[0]) or 0
    starts = [dict.fromkeys(seats.ids, target - ruleset.score_sign)]
    if lead := ruleset.winning.win_by:  # then all may be there already, the last one ahead by enough
        starts.append({side: target + ruleset.score_sign * lead * i for i, side in enumerate(seats.ids)})
    if ruleset.pools_defenders:  # they score alike, and get there with unlike scores from unlike ones
        ahead = seats.ids[-1]
        starts.append({side: target - ruleset.score_sign * (1 if side == ahead else 2) for side in seats.ids})
    return any(_differ_from(rules, seats, contract, partner, before) for before in starts)


def _differ_from(
    rules: list[Ruleset], seats: Seats, contract: Contract, partner: str | None, before: dict[str, int]
) -> bool:
    ruleset = rules[0]
    hand_sides = divide_sides(ruleset, seats, contract.bidder, partner)
    state = open_match(ruleset, seats, Start(before))
    given = sum(ruleset.awards[award].points for award in ruleset.given_awards)
    everything = ruleset.points_per_hand - given
    for one, other in ((0, 1), (1, 2)):
        for count in range(everything + 1):
            took = {one: count, other: everything - count}
            points = tuple(took.get(group, 0) for group in range(len(hand_sides.groups)))
            if sum(points) != everything:
                continue
            taken = Taken(points, (), everything)
            score = score_hand(ruleset, seats, hand_sides, contract, taken, before)
            after, best = score_changes(state, score)[1], state.reached_by_two
            standing = Standing(ruleset, before, after, hand_sides.bidders, score.made, reached_by_two=best)
            end = HandEnd(standing, score, hand_sides, taken, state.sets, 1)
            decided = [
                decide_match(end._replace(standing=replace(standing, ruleset=changed)), Budget()) for changed in rules
            ]
            if (
                len(
                    {
                        outcome if isinstance(outcome, EndQuestion) else outcome and outcome.winners
                        for outcome in decided
                    }
                )
                > 1
            ):
                return True
    return False


def ends_differ(ruleset: Ruleset, sides: int) -> bool:
    """Return whether the engine ends some hand differently, where every side is one point short of the target."""
    ruleset = _with_end(ruleset)
    answers = [answer for answer in options()["tie_rule"].choices if ruleset.has_bidding or answer not in FOR_BIDDERS]
    rules = [ruleset.copy_with(winning=ruleset.winning.copy_with(tie_rule=answer)) for answer in answers]
    names = [str(number) for number in range(sides)]
    seats = Seats(tuple(Side(name) for name in names))
    return any(_differ(rules, seats, contract, partner) for contract, partner in _contracts(ruleset, names))


@each("variant", [ruleset.id for ruleset in LIBRARY])
def test_it_decides_where_the_engine_ends_a_hand_differently(variant: str) -> None:
    random, base = Random(variant), LIBRARY[variant]
    fewest = 3 if base.table.called else 2
    for house in ({}, *(random_house(random, base) for _ in range(8))):
        ruleset, faults = with_house(base, house)
        if not faults and ruleset.winning.length != "hands":
            sides = random.randint(fewest, 5)
            assert tie_rule_decides(ruleset, sides) == ends_differ(ruleset, sides), (house, sides)
