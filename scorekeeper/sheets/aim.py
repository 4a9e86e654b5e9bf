"""What a game is about, in one sentence."""

from scorekeeper.rules import phrases
from scorekeeper.rules.questions import has_end
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.sheet_writer import money_or_blank


def aim(ruleset: Ruleset) -> str:
    """Return what to do and what wins, in one sentence."""
    side = phrases.side_word(ruleset)
    points = f"{phrases.number(ruleset.points_per_hand)} points"
    if ruleset.given_awards:
        return f"Take as many points in each hand as you can, and {_win(ruleset)}."
    if not ruleset.bidding.auction:
        return f"Take as many of the {points} in each hand as you can, and {_win(ruleset)}."
    who = f"your {side}" if ruleset.table.partners else "you"
    if ruleset.table.called:
        who = "you and the partner you call"
    bid = f"Bid how many of the {points} in a hand {who} will take"
    if ruleset.money.settles == "hand":
        each = money_or_blank(ruleset.money.cents_per_point)
        return (
            f"{bid}: each other player pays you {each} a point bid if you do, and you pay each of them if you do not."
        )
    return f"{bid}, take at least that many, and {_win(ruleset)}."


def _win(ruleset: Ruleset) -> str:
    winning, side = ruleset.winning, phrases.side_word(ruleset)
    if winning.length == "hands":
        count = "lowest" if winning.count_down_from else "highest"
        return f"have the {count} score after {phrases.several(winning.hands or 0, 'hand')}"
    if ruleset.money.settles == "average":
        return "end above the average score: every point is paid in money"
    if not has_end(ruleset):
        return "have the highest score"
    if winning.count_down_from:
        goal = f"go from {winning.count_down_from} down to 0"
    elif winning.target:
        goal = f"reach {winning.target}"
    else:
        goal = "reach the agreed score"
    if winning.win_rule == "made_bid":
        whose = f"your own {side} makes" if ruleset.table.partners else "you yourself make"
        return f"{goal} on a bid that {whose}"
    return f"be the first {side} to {goal}" if winning.win_rule else goal
