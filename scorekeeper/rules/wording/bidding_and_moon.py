"""The wording of the options about bidding and the moon."""

from collections.abc import Mapping

from scorekeeper.rules.wording import Wording, yes_no

BIDDING: Mapping[str, Wording] = {
    "min_bid": Wording(
        "Lowest bid",
        "What is the lowest bid?",
        n=("{n}", "The lowest bid is {n}."),
        none=("up to you", "The lowest bid is up to you."),
    ),
    "max_bid": Wording(
        "Highest bid",
        "What is the highest numbered bid?",
        n=("{n}", "The highest numbered bid is {n}."),
        none=("every point", "The highest numbered bid is every point in a hand."),
    ),
    "forced_bid": Wording(
        "Stuck dealer",
        "What is the least that a stuck dealer may bid?",
        n=("{n}", "A stuck dealer bids at least {n}."),
        none=("the lowest bid", "A stuck dealer may make the lowest bid."),
    ),
    "all_pass": Wording(
        "All pass",
        "What if everyone before the dealer passes?",
        dealer_forced=("the dealer is stuck", "If everyone else passes, the dealer is stuck and must bid {forced}."),
        redeal=("deal again", "If everyone passes, the same dealer deals again."),
        pass_deal=("the deal passes", "If everyone passes, nobody plays the hand, and the next player deals."),
        unobliged=(
            "nobody is bound",
            "If everyone passes, nobody is bound: {names_unbound} names trump, and everyone scores what they take.",
        ),
        may_take_set=(
            "bid or go set",
            "If everyone else passes, the dealer bids {forced} or more, or goes set for {forced} without playing.",
        ),
        none=("up to you", "What happens if everyone passes is up to you."),
    ),
    "dealer_steal": Wording(
        "Dealer steals",
        "May the dealer steal the bid by matching it?",
        no=("no", "The dealer cannot steal the bid."),
        yes=("yes", "The dealer may steal the bid by matching it."),
        not_smudge=(
            "yes, but not a smudge or moon",
            "The dealer may steal a bid by matching it, but not a smudge or moon.",
        ),
        top_only=("only {top_bid}", "The dealer may steal the bid by matching it only if it is {top_bid}."),
        below_top=("below {top_bid}", "The dealer may steal a bid below {top_bid} by matching it."),
    ),
    "top_bid_again": yes_no(
        "Highest bid again",
        "May the highest bid be bid again over another player’s?",
        "Over another player’s {last_bid} you may bid the same: whoever bids it last has it.",
        "Nobody may bid the same as another player.",
    ),
    "rounds": Wording(
        "Rounds",
        "How many times does the bidding go around?",
        one=(
            "once",
            "The bidding goes around once, starting on the dealer’s left: bid higher than the last bid, or pass.",
        ),
        until_passed=(
            "until all have passed",
            "The bidding goes around and around, starting on the dealer’s left: bid higher than the last bid, or pass "
            "and be out. It ends when all but one have passed{or_last_bid}.",
        ),
    ),
    "smudge": yes_no(
        "Smudge",
        "Is there a smudge?",
        "A smudge outbids the numbers. It needs every point and every trick: if a point is not in play, it fails.",
        "There is no smudge.",
    ),
    "pitching": yes_no(
        "Pitching",
        "May a card be led instead of a bid?",
        "A card led instead of a bid is a bid of four; only the dealer may outbid it.",
        "Nobody leads before the bidding is over.",
    ),
    "double_loss_on_overtake": yes_no(
        "Outbidding",
        "Does a dealer who outbid a led card lose double?",
        "A dealer who outbid a led card and is set loses double.",
        "A dealer who outbid a led card loses no more than any other bidder.",
    ),
}

MOON: Mapping[str, Wording] = {
    "moon": Wording(
        "Moon",
        "What does shooting the moon do?",
        off=("none", "Nobody shoots the moon."),
        stake=("wins or costs points", "A moon wins or costs a fixed number of points."),
        win_or_lose=("wins or loses the match", "A made moon wins the match; a failed one loses it."),
        win_or_minus_target=(
            "wins the match or costs the target",
            "A made moon wins the match; a failed one costs {target_points}.",
        ),
        to_minus_four=("points, or back to −4", "A made moon scores points; a failed one sets the score to −4."),
        money=("pays money", "A moon pays money and scores nothing."),
    ),
    "moon_made": Wording(
        "Made moon",
        "What does a made moon score?",
        n=("{n}", "A made moon scores {n}."),
        none=("nothing", "A made moon has no points of its own."),
    ),
    "moon_set": Wording(
        "Failed moon",
        "What does a failed moon cost?",
        n=("{n}", "A failed moon costs {n}."),
        none=("nothing", "A failed moon has no points of its own."),
    ),
    "double_moon": yes_no(
        "Double moon", "Is there a double moon?", "A double moon outbids a moon.", "There is no double moon."
    ),
    "double_moon_made": Wording(
        "Made double",
        "What does a made double moon score?",
        n=("{n}", "A made double moon scores {n}."),
        none=("nothing", "A made double moon has no points of its own."),
    ),
    "double_moon_set": Wording(
        "Failed double",
        "What does a failed double moon cost?",
        n=("{n}", "A failed double moon costs {n}."),
        none=("nothing", "A failed double moon has no points of its own."),
    ),
    "moon_after": Wording(
        "Before a moon",
        "When may the moon be bid?",
        any=("at any time", "A moon may be bid at any time."),
        top_bid_by_another=("only over the top bid", "A moon can only outbid {top_bid} from another player."),
    ),
    "moon_needs": Wording(
        "A moon needs",
        "What must a moon take?",
        points=("every point", "A moon must take every point."),
        points_and_tricks=("points and tricks", "A moon must take every point and every trick."),
    ),
    "moon_counts_burned": Wording(
        "Missing points",
        "Does a moon need a point that is not in play?",
        all=("yes", "A moon needs all the points: it fails if one is not in play."),
        in_play=("no", "A moon needs only the points that are in play."),
    ),
}
