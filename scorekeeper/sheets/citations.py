"""Which numbered rule of a sheet an award, a line of a hand, an ending or a refusal rests on."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import assert_never

from scorekeeper.engine.hand import Bid
from scorekeeper.engine.hand_faults import Refusal
from scorekeeper.engine.match import HandResult
from scorekeeper.engine.outcome import OutcomeRule
from scorekeeper.engine.scoring import Reason
from scorekeeper.rules.awards import AwardId
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.options import LOW
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import BidRow
from scorekeeper.sheets.rule_sheet import numbered_rules

_MOST_SHEETS = 64
"""Sheets whose numbers are kept: as many as a busy host has matches with rules of their own."""

_ENDS = ("win.target", "win.turned", "win.hands", "win.tie_rule", "win.win_by", "win.pay_hand", "win.settle")
_PAID = ("count.paid", "count.paid_set", "bid.moon_wins", "win.average", "win.stakes")
_TERMS = (
    *_ENDS,
    *("win.defending", "win.set_limit", "win.four_points_win_game", "win.defenders_stop_at_one"),
    "win.defenders_stop_short",
    *("count.made", "count.set", "count.paid", "count.paid_set", "count.unbid", "count.defenders", "count.no_score"),
    *("count.partner", "count.partner_set_too", "bid.smudge", "bid.moon", "bid.double_moon", "bid.moon_wins"),
    *("win.average", "win.stakes"),
)

_REASONS = {
    Reason.MADE_BID: "count.made",
    Reason.PARTNER_SPARED: "count.partner_set_too",
    Reason.TOOK_SET: "bid.all_pass",
    Reason.HELD_AT_ONE: "win.defenders_stop_at_one",
    Reason.HELD_SHORT: "win.defenders_stop_short",
    Reason.MOON_WINS: "bid.moon_wins",
    Reason.MOON_LOSES: "bid.moon_wins",
    Reason.MOON_TO_ZERO: "bid.moon_wins",
    Reason.MOON_TO_MINUS_FOUR: "bid.moon_wins",
    Reason.MONEY_ONLY: "bid.moon_wins",
}

_PLAIN = (Reason.TOOK, Reason.MADE_BID, Reason.MONEY_ONLY)
"""What nobody asks a rule for; what is paid is said where the match is settled."""


@dataclass(frozen=True, slots=True)
class CitedRule:
    """A rule of a sheet, as others point to it."""

    id: str
    """The anchor on the page of the rules: "win.target"."""
    number: str
    """"7.1"."""
    text: str
    """The whole rule: "The dealer cannot steal the bid."."""


Cited = tuple[CitedRule, ...]
"""Rules in their order, none of them twice."""


def _of_outcome(rule: OutcomeRule) -> tuple[str, ...]:
    """Return the rules that an outcome may rest on."""
    match rule:
        case "made_bid" | "first_to_target":
            return ("win.target",)
        case "turned_up":
            return "win.turned", "win.target"
        case "moon_won" | "moon_lost":
            return "bid.moon_wins", "bid.moon"
        case "all_points":
            return ("win.four_points_win_game",)
        case "set_limit":
            return ("win.set_limit",)
        case "hands":
            return ("win.hands",)
        case (
            "bidder_first"
            | "higher_score"
            | "another_hand"
            | "point_order"
            | "better_score"
            | "bidder_or_play_on"
            | "bidder_then_point_order"
            | "higher_score_or_play_on"
        ):
            return "win.tie_rule", "win.target"
    assert_never(rule)


def _of_refusal(refusal: Refusal) -> tuple[str, ...]:
    """Return the rules that a refusal of a hand may rest on; what is merely missing or mistyped rests on none."""
    match refusal.code:
        case "after_pitch":
            return ("bid.pitching",)
        case "below_forced":
            return "bid.forced_bid", "bid.all_pass"
        case "bidding_over" | "no_pitching" | "not_higher" | "out_of_turn":
            return ("bid.order",)
        case "dealer_must_bid" | "dealer_must_choose" | "no_take_set" | "not_for_you" | "played_unbound":
            return ("bid.all_pass",)
        case "moon_too_soon":
            return ("bid.moon",)
        case "no_bidding":
            return ("bid.none",)
        case "no_moon_yet":
            return ("bid.double_moon",)
        case "no_partner" | "own_partner":
            return ("trump.call",)
        case "no_steal":
            return ("bid.dealer_steal",)
        case "no_such_bid" | "too_high" | "too_low":
            return ("bid.numbers",)
        case "nobody_called":
            return ("players.seats",)
        case "not_counted" | "too_many_card_points":
            return ("count.game",)
        case "who_tied":
            return "count.game_tie", "count.game"
        case "must_be_somebodys" | "not_named":
            return (f"count.{refusal.field.rpartition('.')[2]}",)
        case (
            "against_the_count"
            | "bad_value"
            | "below_zero"
            | "both_ways"
            | "disagrees"
            | "gift_wins"
            | "impossible_counts"
            | "level"
            | "lower_count"
            | "no_bid"
            | "no_bidder"
            | "no_players"
            | "not_dealer"
            | "not_dealt"
            | "not_every_trick"
            | "not_in_play"
            | "not_level"
            | "not_overtaken"
            | "not_played"
            | "own_gift"
            | "same_card"
            | "settle_first"
            | "side_dealer"
            | "side_missing"
            | "thrown_in"
            | "too_late"
            | "too_many_points"
            | "tricks_not_said"
            | "unfinished"
            | "unknown_player"
            | "unknown_side"
        ):
            return ()
    assert_never(refusal.code)


@dataclass(frozen=True, slots=True)
class Citations:
    """The numbers of a sheet's rules."""

    by_id: Mapping[str, CitedRule]
    by_option: Mapping[str, CitedRule]
    """By the option or award that a rule states the answer to."""

    def rule(self, *ids: str) -> Cited:
        """Return the first of these rules that the sheet has; nothing where it has none of them."""
        return self._those(ids)[:1]

    def award(self, award_id: AwardId) -> Cited:
        """Return the rule that says who scores an award."""
        return self.rule(f"count.{award_id}")

    def awards(self, award_ids: Iterable[AwardId]) -> Cited:
        """Return the rules that say who scores these awards, each once."""
        return tuple(dict.fromkeys(chain.from_iterable(map(self.award, award_ids))))

    def made(self, bid: Bid | None) -> Cited:
        """Return the rule by which a made bid scores; of a bid above the numbers its row in the table of bids."""
        return self._special(bid) or self.rule("count.made", "count.paid")

    def set(self, bid: Bid | None) -> Cited:
        """Return the rule by which a bid is set, and what that costs."""
        return self._special(bid) or self.rule("count.set", "count.paid_set")

    def reason(self, reason: Reason, bid: Bid | None, *, is_bidder: bool) -> Cited:
        """Return the rule that a line of a hand rests on, but for an award's."""
        match reason:
            case Reason.WENT_SET:
                return self.set(bid)
            case Reason.MADE_SPECIAL:
                return self.made(bid)
            case Reason.TOOK:
                return self.made(bid) if is_bidder else self.rule("count.defenders", "count.unbid")
            case _:
                return self.rule(_REASONS[reason]) if reason in _REASONS else ()

    def turned_on(self, result: HandResult) -> Cited:
        """Return the rules that a hand turned on and a loser asks for: a bid that was set or above the numbers, a tie.

        What was simply taken, or made and counted, rests on none of them.
        """
        if result.score is None:
            return ()
        rules = [*self.rule("bid.all_pass")] if result.was_stuck else []
        for line in result.score.lines:
            if not line.award and line.reason not in _PLAIN:
                rules += self.reason(line.reason, result.bid, is_bidder=line.side in result.bidders)
        if isinstance(result.bid, str):
            rules += self._special(result.bid)
            rules += () if result.payments else self.rule("bid.moon_wins")
            if result.made is False and None in (result.hand.taken or {}).values():
                rules += self.rule("bid.moon_missing", f"bid.{result.bid}_needs")
        if result.hand.partner and result.made is False:
            rules += self.rule("count.partner_set_too")
        if any(line.award == LOW for line in result.score.lines):  # no other point is fought over as often
            rules += self.award(LOW)
        if result.has_tied_game:
            rules += self.rule("count.game_tie")
        return tuple(dict.fromkeys(rules))

    def outcome(self, rule: OutcomeRule) -> Cited:
        """Return the rule that decided a match, by the engine's word for it."""
        return self.rule(*_of_outcome(rule))

    def decided(self, rule: OutcomeRule, besides: Iterable[str]) -> Cited:
        """Return the rules that decided a match: by the engine's word for it, and by options that decided as well."""
        # Which way the score counts is in the rule of winning itself.
        others = [option for option in besides if option != "count_down_from" and option in self.by_option]
        return tuple(dict.fromkeys((*self.outcome(rule), *map(self.by_option.__getitem__, others))))

    def ends(self) -> Cited:
        """Return the rules that say how the match ends."""
        return self._those(_ENDS)

    def terms(self) -> Cited:
        """Return the rules that a score turns on: how the match ends, the moon and the smudge, made and set."""
        return self._those(_TERMS)

    def paid(self) -> Cited:
        """Return the rules that say what is paid for what."""
        return self._those(_PAID)

    def _those(self, ids: Iterable[str]) -> Cited:
        return tuple(self.by_id[rule_id] for rule_id in ids if rule_id in self.by_id)

    def fault(self, fault: Fault) -> Cited:
        """Return the rule by which a hand is refused; none where something is only missing or mistyped."""
        return self.rule(*_of_refusal(fault)) if isinstance(fault, Refusal) else ()

    def _special(self, bid: Bid | None) -> Cited:
        return self.rule(f"bid.{bid}") if isinstance(bid, str) else ()


def citations(ruleset: Ruleset, base: Ruleset | None = None) -> Citations:
    """Return the numbers of the rules on the sheet of a ruleset, as made from `base`.

    They are kept for as long as the same ruleset is asked for again: it is compared by identity, at no cost.
    """
    return _citations(_Same(ruleset), _Same(base or ruleset))


class _Same:
    """A ruleset that equals itself alone."""

    __slots__ = ("ruleset",)

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.ruleset is self.ruleset

    def __hash__(self) -> int:
        return id(self.ruleset)


@lru_cache(maxsize=_MOST_SHEETS)
def _citations(ruleset: _Same, base: _Same) -> Citations:
    by_id: dict[str, CitedRule] = {}
    named: dict[str, CitedRule] = {}
    deciding: dict[str, CitedRule] = {}
    for rule in numbered_rules(ruleset.ruleset, base.ruleset):
        cited = CitedRule(rule.id, rule.number, f"{rule.lead} {rule.text}".strip())
        for rule_id in (rule.id, *rule.also):
            by_id[rule_id] = cited
            named.setdefault(rule_id.partition(".")[2], cited)
        for option in () if isinstance(rule, BidRow) else rule.decided_by:
            deciding.setdefault(option, cited)
    return Citations(MappingProxyType(by_id), MappingProxyType(deciding | named))
