"""House options about how a match ends: their texts, their contradictions, and which of them have no effect."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from pydantic import Field

from scorekeeper.pitch.rules.awards import AwardId
from scorekeeper.pitch.rules.groups.declare import (
    MAX_AWARDS,
    Contradiction,
    PointOrHandCount,
    Ruleset,
    StrictModel,
    Wording,
    declare_flag,
    declare_later_field,
    declare_option,
)

WinRule = Literal["first_to_target", "made_bid"]


TieRule = Literal[
    "bidder_first",
    "higher_score",
    "another_hand",
    "point_order",
    "bidder_or_play_on",
    "bidder_then_point_order",
    "higher_score_or_play_on",
]


_TIE_RULES_MOOT_WITH_LEAD = (
    "bidder_first",
    "point_order",
    "bidder_then_point_order",
    "another_hand",
    "higher_score_or_play_on",
)
"""The tie rules with the same effect as `higher_score` where the winner must lead by some points."""


_TIE_RULES_MOOT_AT_LAST_HAND = ("bidder_first", "point_order", "bidder_or_play_on", "bidder_then_point_order")
"""The tie rules with the same effect as `higher_score` where a number of hands ends the match."""


def _equivalent_tie_rules(ruleset: Ruleset) -> Mapping[str, str]:
    """Return the tie rule that each redundant tie rule amounts to: `{"point_order": "higher_score"}`."""
    if ruleset.winning.length == "hands":
        return {
            **dict.fromkeys(_TIE_RULES_MOOT_AT_LAST_HAND, "higher_score"),
            "higher_score_or_play_on": "another_hand",
        }
    if ruleset.winning.win_by:
        return dict.fromkeys(_TIE_RULES_MOOT_WITH_LEAD, "higher_score")
    if not ruleset.has_bidding:
        return {"higher_score_or_play_on": "higher_score"}
    if ruleset.table.called and ruleset.winning.win_rule == "made_bid":  # only the bidder and a called partner can tie
        return {"bidder_then_point_order": "bidder_first"}
    if ruleset.table.has_two_scores and ruleset.bidding.all_pass != "unobliged":
        # Of two that reach the target one has made its bid.
        return dict.fromkeys(("bidder_or_play_on", "bidder_then_point_order"), "bidder_first")
    return {}


_LEAD_TEXTS = ("whoever leads by {lead}", "If {several_reach}, whoever leads by {lead} wins; until then, keep playing.")
"""The label and the sentence of most tie rules where the winner must lead by some points."""
_SHARED_TEXTS = ("they share the win", "If it is tied after the last hand, they share the win.")
"""The label and the sentence of the tie rules under which sides tied after the last hand share the win."""
_PLAYED_ON_TEXTS = ("play another hand", "If it is tied after the last hand, play another hand.")
"""The label and the sentence of the tie rules under which sides tied after the last hand play another."""


def _tie_wording(ruleset: Ruleset, usual_wording: Wording) -> Wording:
    """Return the texts of the tie rules, in other words than usual where these rules need them."""
    if ruleset.winning.length == "hands":
        rules_playing_on = ("another_hand", "higher_score_or_play_on")
        texts_by_answer = {
            answer: _PLAYED_ON_TEXTS if answer in rules_playing_on else _SHARED_TEXTS
            for answer in usual_wording.answers
        }
        return Wording("Tied at the end", "It is tied after the last hand: who wins?", texts_by_answer)
    if ruleset.winning.win_by:
        lead_texts_by_answer = dict.fromkeys(usual_wording.answers.keys() - {"bidder_or_play_on"}, _LEAD_TEXTS)
        return Wording(usual_wording.title, usual_wording.question, {**usual_wording.answers, **lead_texts_by_answer})
    return usual_wording


class Winning(StrictModel):
    """How a match ends, and who wins it."""

    target: PointOrHandCount = declare_option(
        None,
        "Target",
        "What score do you play to?",
        n=("{n}", "Play to {n}.", "to {n}"),
        none=("no target", "No score ends the match.", "to no score"),
    )
    """The score to which scores count up. With none, they count down, no score ends the match, or it is to be
    agreed."""
    length: Literal["target", "hands"] = declare_option(
        "target",
        "Length",
        "What ends the match?",
        target=("a score", "A score ends the match."),
        hands=("a number of hands", "The match ends after an agreed number of hands; the highest score wins."),
        needs={"hands": {"hands": 12}},
    )
    """What ends the match: a score, or a number of hands."""
    hands: PointOrHandCount = declare_option(
        None,
        "Hands",
        "After how many hands does the match end?",
        n=("{n}", "The match ends after {n_hands}."),
        none=("no limit", "There is no limit on hands."),
        meaningless_beside=("length", "target"),
        implies=lambda _, hands: {"length": "hands"} if hands else {},
    )
    """The number of hands after which the match ends. With none, no number of hands ends it."""
    win_rule: WinRule | None = declare_option(
        "first_to_target",
        "Who wins",
        "Who may win?",
        first_to_target=("whoever reaches it", "Whoever reaches the target first wins.", "whoever reaches it wins"),
        made_bid=(
            "only on a made bid",
            "A {side} wins only at the end of a hand in which {made_own_bid}.",
            "only a made bid wins",
        ),
        none=("up to you", "Who may win is up to you."),
        comparison=("Who wins", {"first_to_target": "reaches it", "made_bid": "made bid only"}),
    )
    """Who may win: the first to reach the target, or only a side that just made its bid. With none, it is still to be
    agreed."""
    tie_rule: TieRule = declare_option(
        "bidder_first",
        "{several} reach it",
        "{several} reach it on the same hand: who wins?",
        bidder_first=("the bidder", "If {several_reach}, {bidder} wins{even_so}{or_partner}{bidder_else}."),
        higher_score=(
            "the higher score",
            "If {several_reach}, the better score wins; if that is tied, {level_winner}.",
        ),
        another_hand=("play another hand", "If {several_reach}, play another hand."),
        point_order=(
            "first in {short_order} order",
            "If {several_reach}, count the points in the order {order}: whoever gets there first wins.",
        ),
        bidder_or_play_on=(
            "the bidder, or keep playing",
            "If {several_reach}, the bidder wins{with_lead}. {no_such_bidder} keep playing until {bidder_who} "
            "makes the bid is at {at_target}{and_leads}.",
        ),
        bidder_then_point_order=(
            "the bidder, then {short_order} order",
            "If {several_reach}, {bidder} wins{or_partner}{order_else}.",
        ),
        higher_score_or_play_on=(
            "the higher score, or keep playing",
            "If {several_reach}, the better score wins; if that is tied, play another hand.",
        ),
        equivalents=_equivalent_tie_rules,
        wording_under=_tie_wording,
    )
    """Who wins if several sides reach the target on the same hand, or are tied after an agreed number of hands."""
    count_order: Annotated[list[AwardId], Field(max_length=MAX_AWARDS)] = declare_later_field([])
    """The awards that are counted first where the order of counting decides. All others follow in the order of the
    file."""
    pegged: bool = declare_later_field(False)
    """Whether points are pegged as they are taken. Then the players enter who reached the target first."""
    win_by: PointOrHandCount = declare_option(
        None,
        "Lead",
        "By how much must the winner lead?",
        n=("{n}", "The winner must lead by {n}."),
        none=("any lead", "Any lead wins."),
        meaningless_beside=("length", "hands"),
    )
    """The number of points by which the winner must lead every other side. With none, any lead wins."""
    count_down_from: PointOrHandCount = declare_option(
        None,
        "Counting down",
        "Do scores count down, and from what?",
        n=("from {n}", "Scores start at {n} and go down to 0."),
        none=("no", "Scores start at 0 and go up."),
        implies=lambda _, start: {"target": None} if start else {},
    )
    """The score from which scores count down to 0. With none, they count up from 0."""
    defenders_stop_at_one: bool = declare_flag(
        False,
        "Stopping at 1",
        "Do defenders stop at 1 against a made bid?",
        "If a hand with a made bid would bring the defenders to 0 or less, they stop at 1. So a {side} wins only if "
        "{made_own_bid}, or if others are set.",
        "Defenders may win against a made bid.",
        meaningless_beside=("count_down_from", None),
    )
    """Whether defenders stop at 1 instead of reaching 0 if the bid is made. It needs scores that count down."""
    defenders_stop_short: bool = declare_flag(
        False,
        "Stopping short",
        "Do those who did not bid stop one point short of the target?",
        "{defender_who} would reach {target} stops one point short of it.",
        "{defender_who} reaches {target} counts all points.",
        is_later=True,
        meaningless_beside=("length", "hands"),
    )
    """Whether a side that did not bid stops one point short of the target. It needs scores that count up."""
    set_limit: Annotated[int, Field(ge=1, le=100)] | None = declare_option(
        None,
        "Sets",
        "How many sets lose the match?",
        n=("{n}", "Whoever is set {n_times} loses the match."),
        none=("no limit", "Nobody loses the match by being set."),
    )
    """The number of times being set that loses a side the match. With none, no number does."""
    four_points_win_game: bool = declare_flag(
        False,
        "Every point",
        "Does taking every point in one hand win the match?",
        "Taking every point in one hand wins the match.",
        "Taking every point in one hand wins nothing extra.",
    )
    """Whether a side that takes every point in one hand wins the match."""

    @property
    def plays_on_when_tied(self) -> bool:
        """Whether sides that are tied after the agreed number of hands play another.

        Otherwise, they share the win.
        """
        return self.tie_rule in ("another_hand", "higher_score_or_play_on")


def ending_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield the contradictions between answers about how a match ends."""
    winning = ruleset.winning
    if winning.target and winning.count_down_from:
        yield Contradiction(
            "two_targets", "Scores that count down end at 0, not at a target.", "target", "count_down_from"
        )
    if winning.defenders_stop_at_one and not winning.count_down_from:
        yield Contradiction(
            "not_counting_down", "Scores do not count down here.", "defenders_stop_at_one", "count_down_from"
        )
    if winning.defenders_stop_at_one and not ruleset.has_bidding:
        yield Contradiction("no_bidding", "Nobody bids in this game, so nobody defends.", "defenders_stop_at_one")
    if winning.defenders_stop_short and (winning.count_down_from or winning.length == "hands"):
        options_concerned = ("defenders_stop_short", "count_down_from" if winning.count_down_from else "length")
        yield Contradiction("not_counting_up", "Scores do not count up to a target here.", *options_concerned)
    elif winning.defenders_stop_short and not (winning.target or "target" in ruleset.to_agree):
        message = "There is no target here to stop short of."
        yield Contradiction("no_target", message, "defenders_stop_short", "target")
    if winning.defenders_stop_short and not ruleset.has_bidding:
        yield Contradiction("no_bidding", "Nobody bids in this game, so nobody defends.", "defenders_stop_short")
    if winning.length == "hands" and not winning.hands:
        yield Contradiction("how_many_hands", "Say after how many hands the match ends.", "length", "hands")
    if winning.hands and winning.length != "hands":
        yield Contradiction(
            "not_by_hands", "The match is played to a target, not for a number of hands.", "hands", "length"
        )
    if winning.win_by and winning.length == "hands":
        yield Contradiction(
            "win_by_hands", "After a number of hands the best score wins, by whatever it leads.", "win_by", "length"
        )


def pegging_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield a contradiction if points are pegged and the tie rule is other than `higher_score`."""
    if ruleset.winning.pegged and ruleset.winning.tie_rule != "higher_score":
        message = "Points are pegged as they are taken: whoever pegs the target first has won."
        yield Contradiction("pegged", message, "tie_rule")


def has_end(ruleset: Ruleset) -> bool:
    """Return whether a score or a number of hands can end the match.

    The target may still have to be agreed.
    """
    winning = ruleset.winning
    has_end_score = winning.target or winning.count_down_from or "target" in ruleset.to_agree
    return bool(winning.hands or (has_end_score and _can_anybody_score(ruleset)))


def moot_reasons(ruleset: Ruleset, side_count: int | None) -> Iterator[tuple[str, str]]:
    """Yield the name of each option about winning that has no effect, with the reason.

    `side_count` is the number of sides; if `None`, the most that the rules allow.
    """
    winning = ruleset.winning
    if winning.length == "hands":
        reason = "The match ends after a number of hands, whatever the score."
        yield from ((name, reason) for name in ("win_rule", "defenders_stop_at_one", "defenders_stop_short"))
        if ruleset.moon.moon != "win_or_minus_target":
            yield "target", reason
        if is_always_level(ruleset):
            yield "count_down_from", "No points count here."
    elif not has_end(ruleset):
        reason = "No score ends this match."
        yield from ((name, reason) for name in ("win_rule", "tie_rule", "win_by"))
        if not _can_anybody_score(ruleset):
            yield from ((name, "No points count here.") for name in ("target", "count_down_from"))
    elif not tie_rule_decides(ruleset, side_count):
        yield "tie_rule", "Only one side can win on a hand, so nobody ties with it."
    if has_end(ruleset) and winning.length == "target" and _can_only_bidders_win(ruleset):
        yield "win_rule", "Only a made bid brings anyone to the target here."


def _can_anybody_score(ruleset: Ruleset) -> bool:
    """Return whether a hand can add points to a score, leaving out points for the mistakes of others."""
    if not ruleset.only_bidder_counts or ruleset.bidding.all_pass == "unobliged":
        return True
    return not ruleset.pays_by_hand and (ruleset.scoring.score_on_made != "nothing" or bool(ruleset.special_bids))


def is_always_level(ruleset: Ruleset) -> bool:
    """Return whether only mistakes can change a score, so that without them all sides are tied at the end."""
    return ruleset.pays_by_hand and not _can_anybody_score(ruleset)


def _can_only_bidders_win(ruleset: Ruleset) -> bool:
    """Return whether a made bid is the only way in which a side can reach the target and win."""
    winning = ruleset.winning
    must_bid = ruleset.bidding.all_pass != "unobliged"
    may_play_on = winning.win_by or (ruleset.table.called and winning.tie_rule in _TIE_RULES_PLAYING_ON_WITH_PARTNER)
    # Who stops at 1 wins on a failed bid of another as well, unless that ends the match by itself.
    defenders_stop = winning.defenders_stop_short or (winning.defenders_stop_at_one and winning.set_limit == 1)
    return ruleset.has_bidding and (defenders_stop or (must_bid and ruleset.only_bidder_counts)) and not may_play_on


_TIE_RULES_PLAYING_ON_WITH_PARTNER = ("another_hand", "point_order", "higher_score_or_play_on")
"""The tie rules under which play may go on with both a bidder and a called partner at the target."""


def may_be_won(ruleset: Ruleset) -> bool:
    """Return whether a match under these rules can end with a winner without a forfeit."""
    winning = ruleset.winning
    can_moon_win = ruleset.moon.moon in ("win_or_lose", "win_or_minus_target")
    can_score_win = has_end(ruleset) and not is_always_level(ruleset)
    return bool(can_score_win or winning.set_limit or winning.four_points_win_game or can_moon_win)


def tie_rule_decides(ruleset: Ruleset, side_count: int | None) -> bool:
    """Return whether there can be a hand after which the tie rule decides who wins.

    `side_count` is the number of sides; if `None`, the most that the rules allow.
    """
    winning, lead = ruleset.winning, ruleset.winning.win_by or 0
    if winning.length == "hands":
        return True
    if winning.pegged:
        return False  # the table enters who was first
    side_count = side_count or max((ruleset.table.most, *ruleset.table.partners.values()))
    # A card that is turned up wins at once, whatever the tie rule.
    points_after_deal = ruleset.points_per_hand - sum(map(ruleset.worth, ruleset.given_awards))
    if not ruleset.has_bidding:
        return side_count > 1 and points_after_deal > 1 and not lead
    # Where defenders stop, nobody wins on a hand without a bid.
    defenders_stop = winning.defenders_stop_at_one or winning.defenders_stop_short
    may_play_without_bid = ruleset.bidding.all_pass == "unobliged"
    if may_play_without_bid and winning.win_rule != "made_bid" and points_after_deal > 1 and not defenders_stop:
        return True
    does_bidder_score = ruleset.scoring.score_on_made != "nothing" and not ruleset.pays_by_hand
    may_tie_with_partner = does_bidder_score and ruleset.table.called
    if lead:  # several sides may be at the target, and the tie rule says whether the winner must be the bidder
        return may_tie_with_partner or winning.win_rule != "made_bid"
    if winning.win_rule == "made_bid" or ruleset.scoring.defenders_score == "none" or winning.defenders_stop_short:
        return may_tie_with_partner
    # The bidder takes no more than the lowest bid, and one defender all the rest.
    may_tie_with_defender = (
        does_bidder_score and points_after_deal > ruleset.min_bid_number and not winning.defenders_stop_at_one
    )
    # Defenders who count together reach the target together, and from unlike scores with unlike scores.
    may_defenders_tie = side_count > 2 and points_after_deal > 1
    return may_tie_with_partner or may_tie_with_defender or may_defenders_tie
