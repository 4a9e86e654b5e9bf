"""Whether several sides can reach the target on the same hand, so that the tie rule decides."""

from collections.abc import Iterator

from scorekeeper.engine.contract import Contract
from scorekeeper.engine.hand_sides import divide_sides
from scorekeeper.engine.outcome import HandEnd, Outcome, Question, decide
from scorekeeper.engine.scoring import score_hand
from scorekeeper.engine.seats import Seats, Side
from scorekeeper.engine.standing import Standing
from scorekeeper.engine.taken import Taken
from scorekeeper.engine.target import target_of
from scorekeeper.rules.options import options
from scorekeeper.rules.schema import Ruleset

_SOME_TARGET = 21
"""For a game whose target is still to be agreed: what it is makes no difference."""

_FOR_BIDDERS = ("bidder_first", "bidder_or_play_on", "bidder_then_point_order")
"""The tie rules that ask who had the bid."""


def tie_rule_decides(ruleset: Ruleset, sides: int | None = None) -> bool:
    """Return whether some hand ends differently under another tie rule, with so many sides or the most that may play.

    Every side stands one point short of the target, so that whoever scores reaches it.
    """
    if ruleset.winning.length == "hands":
        return True
    ruleset = _with_end(ruleset)
    answers = (it for it in options()["tie_rule"].choices if ruleset.bidding.auction or it not in _FOR_BIDDERS)
    rules = [ruleset.changed(winning=ruleset.winning.changed(tie_rule=it)) for it in answers]
    table = ruleset.table
    names = [str(number) for number in range(sides or max((table.most, *table.partners.values())))]
    seats = Seats(tuple(Side(name) for name in names))
    return any(_differ(rules, seats, contract, partner) for contract, partner in _contracts(ruleset, names))


def _with_end(ruleset: Ruleset) -> Ruleset:
    winning = ruleset.winning
    changed = winning.changed(
        win_rule=winning.win_rule or "first_to_target", set_limit=None, four_points_win_game=False
    )
    if target_of(ruleset.changed(winning=changed)) is None:
        changed = changed.changed(target=_SOME_TARGET)
    return ruleset.changed(winning=changed)


def _contracts(ruleset: Ruleset, names: list[str]) -> Iterator[tuple[Contract, str | None]]:
    """Yield the lowest and the highest bid, alone and with a partner where one is called; none where nobody bids."""
    if not ruleset.bidding.auction:
        yield Contract(), None
        return
    for bid in dict.fromkeys((ruleset.bottom_number, ruleset.top_number)):
        yield Contract(names[0], bid), None
        if ruleset.table.called:
            yield Contract(names[0], bid), names[1]


def _differ(rules: list[Ruleset], seats: Seats, contract: Contract, partner: str | None) -> bool:
    """Return whether the tie rules disagree about a hand in which two groups share the points in some way."""
    ruleset = rules[0]
    hand_sides = divide_sides(ruleset, seats, contract.bidder, partner)
    before = dict.fromkeys(seats.ids, 1 if ruleset.winning.count_down_from else (target_of(ruleset) or 0) - 1)
    # A card that is turned up wins at once, whatever the tie rule.
    given = sum(ruleset.awards[award].points for award in ruleset.given_awards if award in ruleset.in_play)
    everything = ruleset.points_per_hand - given
    for one, other in ((0, 1), (1, 2)):
        for count in range(everything + 1):
            took = {one: count, other: everything - count}
            points = tuple(took.get(group, 0) for group in range(len(hand_sides.groups)))
            if sum(points) != everything:
                continue
            taken = Taken(points, (), everything)
            score = score_hand(ruleset, seats, hand_sides, contract, taken, before, all_tricks=False)
            after = dict(before)
            for line in score.lines:
                after[line.side] += line.points
            bidders, made = hand_sides.bidders, score.made
            standings = (Standing(it, before, after, bidders, made) for it in rules)
            decided = (decide(HandEnd(standing, score, hand_sides, taken, {}, 1)) for standing in standings)
            if len(set(map(_told, decided))) > 1:
                return True
    return False


def _told(decided: Outcome | Question | None) -> object:
    """Return who has won, or what has to be told first."""
    return decided if isinstance(decided, Question) else decided and decided.winners
