"""House options about bidding: their texts, their contradictions, and which of them have no effect."""

from collections.abc import Iterator, Mapping
from typing import Literal

from scorekeeper.pitch.rules.groups.declare import (
    MAX_POINTS,
    PITCHED_BID,
    BidNumber,
    Contradiction,
    Ruleset,
    StrictModel,
    declare_flag,
    declare_option,
)


def _equivalent_steals(ruleset: Ruleset) -> Mapping[str, str]:
    """Return the answer that each redundant answer to `dealer_steal` amounts to: `{"not_smudge": "yes"}`."""
    if ruleset.special_bids:
        return {}
    ends_at_top = ruleset.bidding.rounds == "until_passed" and not ruleset.bidding.top_bid_again
    return {"not_smudge": "yes"} | ({"top_only": "no", "below_top": "yes"} if ends_at_top else {})


class Bidding(StrictModel):
    """Whether and how players bid."""

    auction: bool = True
    """Whether players bid."""
    min_bid: BidNumber = declare_option(
        None,
        "Lowest bid",
        "What is the lowest bid?",
        n=("{n}", "The lowest bid is {n}."),
        none=("up to you", "The lowest bid is up to you."),
        comparison=("Bids from", {"none": "you pick"}),
    )
    """The lowest bid that is a number. With none, the sources do not say, and any number from 1 may be bid."""
    max_bid: BidNumber = declare_option(
        None,
        "Highest bid",
        "What is the highest numbered bid?",
        n=("{n}", "The highest numbered bid is {n}."),
        none=("every point", "The highest numbered bid is every point in a hand."),
    )
    """The highest bid that is a number. With none, it is all the points in a hand, or one less where a bid of all is a
    moon."""
    forced_bid: BidNumber = declare_option(
        None,
        "Stuck dealer",
        "What is the least that a stuck dealer may bid?",
        n=("{n}", "A stuck dealer bids at least {n}."),
        none=("the lowest bid", "A stuck dealer may make the lowest bid."),
    )
    """The lowest bid of a stuck dealer, or what a dealer loses by going set instead of bidding. With none, it is
    `min_bid`."""
    all_pass: Literal["dealer_forced", "redeal", "may_take_set", "pass_deal", "unobliged"] | None = declare_option(
        "dealer_forced",
        "All pass",
        "What if everyone passes?",
        dealer_forced=(
            "the dealer is stuck",
            "If everyone else passes, the dealer is stuck and must bid {stuck}, a bid like any other.",
        ),
        redeal=("deal again", "If everyone passes, nothing is scored, and the same dealer deals again."),
        pass_deal=("next player deals", "If everyone passes, nobody plays the hand, and the next player deals."),
        unobliged=(
            "play without a bid",
            "If everyone passes, nobody is bound: {names_unbound} names trump, and everyone scores what they take.",
        ),
        may_take_set=(
            "bid or go set",
            "If everyone else passes, the dealer bids {lowest} or more, or goes set for {forced} without playing.",
        ),
        none=("up to you", "What happens if everyone passes is up to you."),
    )
    """What happens if everybody passes, or everybody but the dealer. With none, it is still to be agreed."""
    dealer_steal: Literal["no", "yes", "not_smudge", "top_only", "below_top"] = declare_option(
        "no",
        "Dealer steals",
        "May the dealer steal the bid by matching it?",
        no=("no", "The dealer cannot steal the bid.", "dealer may not steal"),
        yes=("yes", "The dealer may steal the bid by matching it.", "dealer may steal"),
        not_smudge=(
            "yes, but not a smudge or moon",
            "The dealer may steal a bid by matching it, but not a smudge or moon.",
            "dealer may steal numbers",
        ),
        top_only=(
            "only {top_bid}",
            "The dealer may steal the bid by matching it only if it is {top_bid}.",
            "dealer may steal only {top_bid}",
        ),
        below_top=(
            "below {top_bid}",
            "The dealer may steal a bid below {top_bid} by matching it.",
            "dealer may steal below {top_bid}",
        ),
        equivalents=_equivalent_steals,
    )
    """Which bids the dealer may take over by bidding the same."""
    top_bid_again: bool = declare_flag(
        False,
        "Highest bid again",
        "May the highest bid be bid again over another player’s?",
        "Over another player’s {last_bid} you may bid the same: whoever bids it last has it.",
        "Nobody may bid the same as another player.",
        is_later=True,
    )
    """Whether a player may bid the highest possible bid again after another player has bid it."""
    rounds: Literal["one", "until_passed"] = declare_option(
        "one",
        "Rounds",
        "How many times does the bidding go around?",
        one=(
            "once",
            "The bidding goes around once, starting on the dealer’s left: bid higher than the last bid, or pass.",
        ),
        until_passed=(
            "until all have passed",
            "The bidding goes around and around, starting on the dealer’s left: bid higher than the last bid, or "
            "pass and be out. It ends when all but one have passed{or_last_bid}.",
        ),
    )
    """How often the bidding goes around the table: once, or until all but one have passed."""
    smudge: bool = declare_flag(
        False,
        "Smudge",
        "Is there a smudge?",
        "A smudge outbids the numbers. It needs every point and every trick: if a point is not in play, it fails.",
        "There is no smudge.",
    )
    """Whether there is a smudge, a bid above all numbers that needs every point and every trick."""
    pitching: bool = declare_flag(
        False,
        "Pitching",
        "May a card be led instead of a bid?",
        "A card led instead of a bid is a bid of four with its suit as trump. Only the dealer may take the bid, by "
        "leading a card{or_higher}; the first bidder then takes the card back.",
        "Nobody leads before the bidding is over.",
    )
    """Whether a player may lead a card instead of bidding. A led card counts as a bid of four."""
    double_loss_on_overtake: bool = declare_flag(
        False,
        "Outbidding",
        "Does a dealer who outbid a led card lose double?",
        "A dealer who takes the bid from a led card and is set loses double.",
        "A dealer who outbid a led card loses no more than any other bidder.",
        meaningless_beside=("pitching", False),
    )
    """Whether a dealer who outbids a led card and is set loses double the bid."""


def bid_range_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield at most one contradiction about the points that a hand is worth and the limits on bids.

    A hand is worth no points or too many, or a limit on bids is too high.
    """
    bidding, hand_points = ruleset.bidding, ruleset.points_per_hand
    if hand_points == 0:
        awards_not_given = [award_id for award_id, award in ruleset.awards.items() if award.won != "given"]
        yield Contradiction("no_points", "Every award is switched off: a hand is worth nothing.", *awards_not_given)
        return
    if (points_of_all_awards := sum(award.points for award in ruleset.awards.values() if award.on)) > MAX_POINTS:
        message = f"A hand is worth {points_of_all_awards} points; {MAX_POINTS} fit. Give some awards fewer."
        yield Contradiction("too_many_points", message, *ruleset.in_play)
        return
    if not bidding.auction:
        return
    top_bid = bidding.max_bid or hand_points
    if top_bid > hand_points:
        yield Contradiction(
            "max_above_offer",
            f"The highest bid is {top_bid}, but a hand is worth only {hand_points}. Choose 1 to {hand_points}.",
            "max_bid",
            *ruleset.awards,
        )
    elif ruleset.min_bid_number > top_bid:
        limit_text = (
            f"a hand is worth only {hand_points}" if top_bid == hand_points else f"the highest bid is {top_bid}"
        )
        yield Contradiction(
            "min_above_max",
            f"The lowest bid is {ruleset.min_bid_number}, but {limit_text}. Choose 1 to {top_bid}.",
            "min_bid",
            "max_bid",
            *ruleset.awards,
        )
    elif bidding.all_pass == "dealer_forced" and (bidding.forced_bid or 0) > top_bid:
        message = f"The dealer is forced to {bidding.forced_bid}, but bids go only to {top_bid}."
        yield Contradiction("forced_outside", message, "forced_bid", "min_bid", "max_bid")


_OPTIONS_NEEDING_BIDDING = (
    "min_bid max_bid forced_bid all_pass dealer_steal rounds smudge pitching double_loss_on_overtake top_bid_again "
    "moon moon_made moon_set double_moon double_moon_made double_moon_set moon_after moon_needs moon_counts_burned "
    "score_on_made defenders_score partner_set_too on_set set_limit moon_cents"
).split()
"""The options that must have their defaults in a game without bidding. `ending_contradictions` checks two more."""


def no_bidding_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield a contradiction for each answer that needs bidding, in a game without bidding."""
    if ruleset.has_bidding:
        return
    for name in ruleset.non_default_options(_OPTIONS_NEEDING_BIDDING):
        yield Contradiction("no_bidding", "Nobody bids in this game, so there is nothing to answer here.", name)
    if ruleset.winning.win_rule == "made_bid":
        yield Contradiction("no_bidding", "Nobody bids in this game, so a win can’t depend on a made bid.", "win_rule")
    if ruleset.winning.tie_rule in ("bidder_first", "bidder_or_play_on", "bidder_then_point_order"):
        yield Contradiction(
            "no_bidding", "Nobody bids in this game, so there is no bidding side to go first.", "tie_rule"
        )
    if ruleset.play.next_dealer == "racehorse":
        yield Contradiction("no_bidding", "Nobody bids in this game, so the bidder cannot deal next.", "next_dealer")


def pitching_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield the contradictions between answers about leading a card instead of bidding."""
    bidding = ruleset.bidding
    if bidding.pitching and not (ruleset.min_bid_number <= PITCHED_BID <= ruleset.max_bid_number):
        yield Contradiction(
            "no_bid_of_four", "A led card is a bid of four, and four cannot be bid.", "pitching", "min_bid", "max_bid"
        )
    if bidding.double_loss_on_overtake and not bidding.pitching:
        yield Contradiction(
            "no_pitching",
            "Nobody leads a card instead of bidding here, so the dealer outbids none.",
            "double_loss_on_overtake",
            "pitching",
        )


def moot_reasons(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the name of each option about bidding that has no effect, with the reason.

    A game without bidding has none.
    """
    if not ruleset.has_bidding:
        return
    if ruleset.bidding.all_pass not in ("dealer_forced", "may_take_set", None):
        yield "forced_bid", "The dealer never has to bid here."
    yield from _moot_bid_limits(ruleset)
    yield from _moot_outbidding(ruleset)


def _moot_bid_limits(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the name of each limit on bids that has no effect under these rules, with the reason."""
    bidding, hand_points = ruleset.bidding, ruleset.points_per_hand
    is_forced = bidding.all_pass == "dealer_forced"
    required_bids = (ruleset.min_bid_number, ruleset.forced_bid * is_forced, PITCHED_BID * bidding.pitching)
    if max(required_bids) >= hand_points:
        yield "max_bid", f"A bid of {hand_points} has to be possible, and a hand is worth no more."
    if (bidding.max_bid or hand_points) == 1:
        reason = "The highest bid is 1, so no other is possible."
        applies_by_option = {"min_bid": bidding.min_bid, "forced_bid": is_forced}
        yield from ((name, reason) for name, applies in applies_by_option.items() if applies)


def _moot_outbidding(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the name of each option about outbidding that has no effect under these rules, with the reason."""
    bidding = ruleset.bidding
    if len(ruleset.bids) < 3 and not (bidding.pitching or bidding.top_bid_again or bidding.dealer_steal != "no"):
        yield "rounds", "Nobody can outbid more than one bid."
    moon_needs_top_bid = ruleset.moon.moon_after == "top_bid_by_another"
    bids_needed_before_top = {"moon": int(moon_needs_top_bid), "double_moon": 1 + moon_needs_top_bid}.get(
        str(ruleset.bids[-1]), 0
    )
    may_steal_top = bidding.dealer_steal in ("yes", *(() if ruleset.special_bids else ("not_smudge", "top_only")))
    only_dealer_may_repeat = (
        bidding.rounds == "one" and may_steal_top and max(ruleset.table.player_counts) < 3 + bids_needed_before_top
    )
    if only_dealer_may_repeat:
        yield "top_bid_again", "Only the dealer can bid after the highest bid."
    all_or_nobody_may_repeat = bidding.rounds == "until_passed" or (
        bidding.top_bid_again and not only_dealer_may_repeat
    )
    if all_or_nobody_may_repeat and ruleset.bids[-1] == ruleset.min_bid_number:
        yield "dealer_steal", "The lowest bid is the highest, and all may bid it again or nobody may."
