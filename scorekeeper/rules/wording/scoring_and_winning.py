"""The wording of the options about scoring, winning and money."""

from collections.abc import Mapping

from scorekeeper.rules.wording import Wording, yes_no

SCORING: Mapping[str, Wording] = {
    "score_on_made": Wording(
        "A made bid",
        "Does a made bid score what you took, or just the bid?",
        points=("what you took", "A made bid scores the points taken."),
        bid=("just the bid", "A made bid scores the bid, however much was taken."),
        nothing=("nothing", "A made bid scores nothing: it is paid for."),
    ),
    "defenders_score": Wording(
        "Defenders",
        "What do the defenders score?",
        each=("what each takes", "{defender} scores what {it_takes}."),
        pooled=("all that they take", "The defenders count together: each scores all that they take."),
        none=("nothing", "The defenders score nothing."),
    ),
    "partner_set_too": yes_no(
        "Partner",
        "Does a called partner lose the bid as well?",
        "A called partner is set as well.",
        "Only the bidder is set; a called partner then scores 0.",
    ),
}

WINNING: Mapping[str, Wording] = {
    "target": Wording(
        "Target",
        "What is played to?",
        n=("{n}", "The match is played to {n}."),
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
        n=("{n}", "The match ends after {n} hands."),
        none=("no limit", "There is no limit to the hands."),
    ),
    "win_rule": Wording(
        "Going out",
        "Who may go out?",
        first_to_target=("whoever gets there", "Whoever gets there first wins."),
        made_bid=("only on a made bid", "A {side} wins only at the end of a hand in which {its} own bid was made."),
        none=("not agreed", "Who may go out is for the table to say."),
    ),
    "tie_rule": Wording(
        "Both get there",
        "Several get there in the same hand: who wins?",
        bidder_first=("the bidder", "{several} there at once: {bidder} wins, even with less."),
        higher_score=("the higher score", "{several} there at once: the higher score wins; level, {bidder}."),
        another_hand=("play another hand", "{several} there at once: another hand decides."),
        point_order=("points in order", "{several} there at once: the points are counted in the order {order}."),
        bidder_or_play_on=(
            "the bidder, or play on",
            "Several there at once: the bidder wins; if the bidder is not among them, play on until one makes a "
            "bid and is there.",
        ),
    ),
    "win_by": Wording(
        "Lead",
        "By how much must the winner lead?",
        n=("{n}", "The winner must lead by {n}."),
        none=("no matter", "Any lead wins."),
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
        "Against a made bid the defenders stop at 1.",
        "Defenders may go out against a made bid.",
    ),
    "set_limit": Wording(
        "Sets",
        "How many sets lose the match?",
        n=("{n}", "Whoever is set {n} times loses the match."),
        none=("no limit", "Nobody loses the match by being set."),
    ),
    "four_points_win_game": yes_no(
        "Every point",
        "Does taking every point in one hand win the match?",
        "Taking every point in one hand wins the match.",
        "Taking every point in one hand wins nothing more.",
    ),
}

MONEY: Mapping[str, Wording] = {
    "cents_per_point": Wording(
        "A point",
        "What is a point worth?",
        n=("{money}", "A point is worth {money}."),
        none=("nothing", "Points are not paid for."),
    ),
    "moon_cents": Wording(
        "A moon",
        "What does a moon pay?",
        n=("{money}", "A moon wins or costs {money} from or to each other player."),
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
