"""The wording of the options about scoring, winning and money."""

from collections.abc import Mapping

from scorekeeper.rules.wording import Wording, yes_no

SCORING: Mapping[str, Wording] = {
    "score_on_made": Wording(
        "A made bid",
        "Does a made bid score what you took, or just the bid?",
        points=("what you took", "{bidder_who} makes the bid {scores} all the points {it_takes}."),
        bid=("just the bid", "{bidder_who} makes the bid {scores} the bid, not the points taken."),
        nothing=("nothing", "A made bid scores nothing: it pays money."),
    ),
    "defenders_score": Wording(
        "Defenders",
        "What do the defenders score?",
        each=("what each takes", "{defender} {scores} what {it_takes}, whether the bid is made or set."),
        pooled=("all that they take", "The defenders count together: each scores all that they take."),
        none=("nothing", "The defenders score nothing."),
    ),
    "partner_set_too": yes_no(
        "Partner",
        "Is a called partner set, too?",
        "A called partner is set, too.",
        "Only the bidder is set; a called partner then scores 0.",
    ),
}

WINNING: Mapping[str, Wording] = {
    "target": Wording(
        "Target",
        "What score do you play to?",
        n=("{n}", "Play to {n}."),
        none=("no target", "No score ends the match."),
    ),
    "length": Wording(
        "Length",
        "What ends the match?",
        target=("a score", "A score ends the match."),
        hands=("a number of hands", "The match ends after an agreed number of hands; the highest score wins."),
    ),
    "hands": Wording(
        "Hands",
        "After how many hands does the match end?",
        n=("{n}", "The match ends after {n_hands}."),
        none=("no limit", "There is no limit on hands."),
    ),
    "win_rule": Wording(
        "Going out",
        "Who may go out?",
        first_to_target=("whoever reaches it", "Whoever reaches the target first wins."),
        made_bid=("only on a made bid", "A {side} wins only at the end of a hand in which {its} own bid was made."),
        none=("up to you", "Who may go out is up to you."),
    ),
    "tie_rule": Wording(
        "Both reach it",
        "{several} reach it on the same hand: who wins?",
        bidder_first=("the bidder", "If {several_reach}, {bidder} wins{even_so}{bidder_else}."),
        higher_score=(
            "the higher score",
            "If {several_reach}, the better score wins; if that is tied, {bidder}.",
        ),
        another_hand=("play another hand", "If {several_reach}, play another hand."),
        point_order=(
            "first in {short_order} order",
            "If {several_reach}, count the points in the order {order}: whoever gets there first wins.",
        ),
        bidder_or_play_on=(
            "the bidder, or keep playing",
            "If {several_reach}, the bidder wins. If the bidder is not one of them, keep playing until "
            "{bidder_who} makes the bid is at {target} or more.",
        ),
        bidder_then_point_order=(
            "the bidder, then {short_order} order",
            "If {several_reach}, {bidder} wins. If {bidder} is not one of them, count the points in the order {order}: "
            "whoever gets there first wins.",
        ),
        higher_score_or_play_on=(
            "the higher score, or keep playing",
            "If {several_reach}, the better score wins; if that is tied, play another hand.",
        ),
    ),
    "win_by": Wording(
        "Lead",
        "By how much must the winner lead?",
        n=("{n}", "The winner must lead by {n}."),
        none=("any lead", "Any lead wins."),
    ),
    "count_down_from": Wording(
        "Counting down",
        "Do scores count down, and from what?",
        n=("from {n}", "Scores start at {n} and go down to 0."),
        none=("no", "Scores start at 0 and go up."),
    ),
    "defenders_stop_at_one": yes_no(
        "Stopping at 1",
        "Do defenders stop at 1 against a made bid?",
        "If a hand with a made bid would bring the defenders to 0 or less, they stop at 1.",
        "Defenders may go out against a made bid.",
    ),
    "defenders_stop_short": yes_no(
        "Stopping short",
        "Do those who did not bid stop one point short of the target?",
        "{defender_who} would reach {target} stops one point short of it.",
        "{defender_who} reaches {target} counts all points.",
    ),
    "set_limit": Wording(
        "Sets",
        "How many sets lose the match?",
        n=("{n}", "Whoever is set {n_times} loses the match."),
        none=("no limit", "Nobody loses the match by being set."),
    ),
    "four_points_win_game": yes_no(
        "Every point",
        "Does taking every point in one hand win the match?",
        "Taking every point in one hand wins the match.",
        "Taking every point in one hand wins nothing extra.",
    ),
}

MONEY: Mapping[str, Wording] = {
    "cents_per_point": Wording(
        "A point",
        "What is a point worth?",
        n=("{money}", "A point is worth {money}."),
        none=("nothing", "Points pay nothing."),
    ),
    "moon_cents": Wording(
        "A moon",
        "What does a moon pay?",
        n=("{money}", "A made moon gets {money} from each other player; a failed one pays {money} to each."),
        none=("nothing", "A moon pays nothing."),
    ),
    "set_stake_cents": Wording(
        "A set",
        "What does each set pay to the winner?",
        n=("{money}", "Each set pays {money} to the winner."),
        none=("nothing", "A set pays nothing."),
    ),
    "game_stake_cents": Wording(
        "The match",
        "What does each player pay to the winner?",
        n=("{money}", "Each player pays {money} to the winner."),
        none=("nothing", "The match pays nothing."),
    ),
}
