"""Which house options decide nothing beside the other answers: they are not asked, not printed and not kept.

Answers that contradict each other are in `options`: those can never stand together. A moot answer can, as it changes
no auction, no score, no winner and no payment: matches that were started with one go on as they are.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from scorekeeper.pitch.rules import phrases
from scorekeeper.pitch.rules.schema import PITCHED_BID, Ruleset

MEANINGLESS_WITH: Mapping[str, tuple[str, Any]] = {
    **dict.fromkeys(
        ("moon_made", "moon_set", "moon_after", "moon_needs", "moon_counts_burned", "double_moon"), ("moon", "off")
    ),
    **dict.fromkeys(("double_moon_made", "double_moon_set"), ("double_moon", False)),
    "double_loss_on_overtake": ("pitching", False),
    "share_the_wealth": ("kitty", "none"),
    "defenders_stop_at_one": ("count_down_from", None),
    "defenders_stop_short": ("length", "hands"),
    "hands": ("length", "target"),
    "win_by": ("length", "hands"),
}
"""Options that mean nothing beside one answer to another option, and go back to their defaults with it."""


def moot_options(ruleset: Ruleset, sides: int | None = None) -> Mapping[str, str]:
    """Return the options that decide nothing beside the other answers, with the reason where they stay answered.

    `sides` is how many keep a score; unless that is known, an option may matter at the largest table.
    """
    return dict(_moot(ruleset, sides))


def is_offered(ruleset: Ruleset, name: str, answer: object) -> bool:
    """Return whether an answer is asked beside the others: of several that decide the same one is, that in force first.

    It may contradict the others all the same.
    """
    same, now = _decides_the_same(ruleset, name), ruleset.answer(name)
    return answer == now or (answer not in same and answer != same.get(now, now))


def _decides_the_same(ruleset: Ruleset, name: str) -> Mapping[Any, Any]:
    """Return the answers of an option that decide the same as another, which is asked in their place."""
    bidding, two = ruleset.bidding, phrases.always_two(ruleset)
    match name:
        case "tie_rule" if ruleset.winning.length == "hands":
            return {**dict.fromkeys(_SHARED, "higher_score"), "higher_score_or_play_on": "another_hand"}
        case "tie_rule" if ruleset.winning.win_by:
            return dict.fromkeys(_BY_THE_LEAD, "higher_score")
        case "tie_rule" if not ruleset.has_bidding:
            return {"higher_score_or_play_on": "higher_score"}
        case "tie_rule" if two and bidding.all_pass != "unobliged":
            # Of two that reach the target one has made its bid.
            return dict.fromkeys(("bidder_or_play_on", "bidder_then_point_order"), "bidder_first")
        case "defenders_score" if two:
            return {"pooled": "each"}
        case "dealer_steal" if not ruleset.special_bids:
            ends_at_top = bidding.rounds == "until_passed" and not bidding.top_bid_again
            return {"not_smudge": "yes"} | ({"top_only": "no", "below_top": "yes"} if ends_at_top else {})
    return {}


_BY_THE_LEAD = (
    "bidder_first",
    "point_order",
    "bidder_then_point_order",
    "another_hand",
    "higher_score_or_play_on",
)
"""Tie rules that say nothing of who wins where the winner has to lead, like that of the higher score."""
_SHARED = ("bidder_first", "point_order", "bidder_or_play_on", "bidder_then_point_order")
"""Tie rules after which a tie at the end of a number of hands is shared, like one of the higher score."""


def has_end(ruleset: Ruleset) -> bool:
    """Return whether some score or number of hands ends the match, agreed or still to be agreed."""
    winning = ruleset.winning
    is_scored = winning.target or winning.count_down_from or "target" in ruleset.to_agree
    return bool(winning.hands or (is_scored and _anybody_scores(ruleset)))


def _moot(ruleset: Ruleset, sides: int | None) -> Iterator[tuple[str, str]]:
    meaningless = (name for name, (cause, answer) in MEANINGLESS_WITH.items() if ruleset.answer(cause) == answer)
    yield from ((name, "") for name in meaningless)
    yield from _of_bidding(ruleset)
    yield from _of_scoring(ruleset)
    yield from _of_winning(ruleset, sides)
    yield from _of_money(ruleset)


def _of_bidding(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    if not ruleset.has_bidding:
        why = "Nobody bids in this game, so there is no bidder."
        yield from ((name, why) for name in ("kitty", "first_lead", "share_the_wealth"))
        return
    if ruleset.play.follow == "trump_only":
        yield "first_lead", "Only trumps are played."
    elif ruleset.table.called and ruleset.play.call_lead == "holder":
        yield "first_lead", "The partner leads the called card first."
    if ruleset.bidding.all_pass not in ("dealer_forced", "may_take_set", None):
        yield "forced_bid", "The dealer never has to bid here."
    yield from _of_numbers(ruleset)
    yield from _of_raises(ruleset)


def _of_numbers(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    bidding, worth = ruleset.bidding, ruleset.points_per_hand
    is_forced = bidding.all_pass == "dealer_forced"
    needed = (ruleset.bottom_number, ruleset.forced_bid * is_forced, PITCHED_BID * bidding.pitching)
    if max(needed) >= worth:
        yield "max_bid", f"A bid of {worth} has to be possible, and a hand is worth no more."
    if (bidding.max_bid or worth) == 1:
        why = "The highest bid is 1, so no other is possible."
        answered = {"min_bid": bidding.min_bid, "forced_bid": is_forced}
        yield from ((name, why) for name in answered if answered[name])


def _of_raises(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    bidding = ruleset.bidding
    if len(ruleset.bids) < 3 and not (bidding.pitching or bidding.top_bid_again or bidding.dealer_steal != "no"):
        yield "rounds", "Nobody can outbid more than one bid."
    is_after_top = ruleset.moon.moon_after == "top_bid_by_another"
    before_top = {"moon": int(is_after_top), "double_moon": 1 + is_after_top}.get(str(ruleset.bids[-1]), 0)
    may_steal_top = bidding.dealer_steal in ("yes", *(() if ruleset.special_bids else ("not_smudge", "top_only")))
    is_stolen = bidding.rounds == "one" and may_steal_top and max(ruleset.table.player_counts) < 3 + before_top
    if is_stolen:
        yield "top_bid_again", "Only the dealer can bid after the highest bid."
    is_settled = bidding.rounds == "until_passed" or (bidding.top_bid_again and not is_stolen)
    if is_settled and ruleset.bids[-1] == ruleset.bottom_number:
        yield "dealer_steal", "The lowest bid is the highest, and all may bid it again or nobody may."


def _of_scoring(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    scoring = ruleset.scoring
    if ruleset.pays_by_hand:
        yield "score_on_made", "Every bid is paid for at once: a made bid scores nothing."
    elif scoring.score_on_made == "nothing" and ruleset.moon.moon == "stake":
        why = "A made bid scores nothing here."
        yield from ((name, why) for name in ("moon_made", "double_moon_made"))
    if scoring.on_set == "bid_to_defenders":
        yield "defenders_score", "The one side that did not bid scores what it takes, and the bid that is set."
    if scoring.defenders_score == "none":
        why = "Those who did not bid score nothing."
        yield from ((name, why) for name in ("defenders_stop_at_one", "defenders_stop_short"))


def _of_winning(ruleset: Ruleset, sides: int | None) -> Iterator[tuple[str, str]]:
    winning = ruleset.winning
    if winning.length == "hands":
        why = "The match ends after a number of hands, whatever the score."
        yield from ((name, why) for name in ("win_rule", "defenders_stop_at_one", "defenders_stop_short"))
        if ruleset.moon.moon != "win_or_minus_target":
            yield "target", why
        if _is_level(ruleset):
            yield "count_down_from", "No points count here."
    elif not has_end(ruleset):
        why = "No score ends this match."
        yield from ((name, why) for name in ("win_rule", "tie_rule", "win_by"))
        if not _anybody_scores(ruleset):
            yield from ((name, "No points count here.") for name in ("target", "count_down_from"))
    elif not tie_rule_decides(ruleset, sides):
        yield "tie_rule", "Only one side can win on a hand, so nobody ties with it."
    if has_end(ruleset) and winning.length == "target" and _only_bidders_win(ruleset):
        yield "win_rule", "Only a made bid brings anyone to the target here."


def _anybody_scores(ruleset: Ruleset) -> bool:
    """Return whether any hand adds points to a score."""
    if not ruleset.only_bidder_counts or ruleset.bidding.all_pass == "unobliged":
        return True
    return not ruleset.pays_by_hand and (ruleset.scoring.score_on_made != "nothing" or bool(ruleset.special_bids))


def _is_level(ruleset: Ruleset) -> bool:
    """Return whether no hand moves a score, so that all sides are level at the end."""
    return ruleset.pays_by_hand and not _anybody_scores(ruleset)


def _only_bidders_win(ruleset: Ruleset) -> bool:
    """Return whether only a made bid brings a side to the target, and wins then."""
    winning, is_bound = ruleset.winning, ruleset.has_bidding and ruleset.bidding.all_pass != "unobliged"
    plays_on = winning.win_by or (ruleset.table.called and winning.tie_rule in _MAY_PLAY_ON)
    # Who stops at 1 wins on a failed bid of another as well, unless that ends the match by itself.
    stops = winning.defenders_stop_short or (winning.defenders_stop_at_one and winning.set_limit == 1)
    return is_bound and (ruleset.only_bidder_counts or stops) and not plays_on


_MAY_PLAY_ON = ("another_hand", "point_order", "higher_score_or_play_on")


def _of_money(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    if not ruleset.has_bidding:
        yield "set_stake_cents", "Nobody bids in this game, so nobody is set."
    if ruleset.moon.moon != "money":
        yield "moon_cents", "The moon pays no money here."
    if not _may_be_won(ruleset):
        why = "No points count in this match" if has_end(ruleset) else "No score ends this match"
        yield from ((name, f"{why}, so nobody wins it.") for name in ("set_stake_cents", "game_stake_cents"))


def _may_be_won(ruleset: Ruleset) -> bool:
    winning = ruleset.winning
    ends = ruleset.moon.moon in ("win_or_lose", "win_or_minus_target")
    by_score = has_end(ruleset) and not _is_level(ruleset)
    return bool(by_score or winning.set_limit or winning.four_points_win_game or ends)


def tie_rule_decides(ruleset: Ruleset, sides: int | None = None) -> bool:
    """Return whether some hand ends differently under another tie rule, with so many sides or the most that may play.

    Where a match goes to a target, several have to reach it on one hand, if only from one point short of it. Where the
    winner has to lead, several may be there until one does, and the rule says whether only a bidder can be that one.
    """
    winning, lead = ruleset.winning, ruleset.winning.win_by or 0
    if winning.length == "hands":
        return True
    if winning.pegged:
        return False  # the table says who was first
    sides = sides or max((ruleset.table.most, *ruleset.table.partners.values()))
    # A card that is turned up wins at once, whatever the tie rule.
    points = ruleset.points_per_hand - sum(ruleset.awards[award].points for award in ruleset.given_awards)
    if not ruleset.has_bidding:
        return sides > 1 and points > 1 and not lead
    if ruleset.bidding.all_pass == "unobliged" and winning.win_rule != "made_bid" and points > 1:
        return not winning.defenders_stop_at_one  # nobody bids in some hands, on which nobody wins who stops at 1
    bidder_scores = ruleset.scoring.score_on_made != "nothing" and not ruleset.pays_by_hand
    with_partner = bidder_scores and ruleset.table.called
    if lead:
        return with_partner or winning.win_rule != "made_bid"
    if winning.win_rule == "made_bid" or ruleset.scoring.defenders_score == "none" or winning.defenders_stop_short:
        return with_partner
    # The bidder takes no more than the lowest bid, and one defender all the rest.
    with_defender = bidder_scores and points > ruleset.bottom_number and not winning.defenders_stop_at_one
    # Defenders who count together reach the target together, and from unlike scores with unlike scores.
    among_defenders = sides > 2 and points > 1
    return with_partner or with_defender or among_defenders
