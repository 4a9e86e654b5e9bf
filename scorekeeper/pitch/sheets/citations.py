"""Which numbered rule of a sheet an award, a line of a hand, an ending or a refusal rests on."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import assert_never, get_args

from scorekeeper.pitch.rules.awards import AwardId, HighestSpade, HighestTrump
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.library import SOURCES
from scorekeeper.pitch.rules.options import LOW
from scorekeeper.pitch.rules.phrases import listed
from scorekeeper.pitch.rules.questions import QUESTIONS
from scorekeeper.pitch.rules.schema import Ruleset, TieRule, WinRule
from scorekeeper.pitch.rules.sources import Reading, ReadingNumber, Reference, Source, cite, parse_trace
from scorekeeper.pitch.scoring.hand import Bid, SideId
from scorekeeper.pitch.scoring.hand_faults import Refusal
from scorekeeper.pitch.scoring.match import HandResult, MatchState
from scorekeeper.pitch.scoring.outcome import OutcomeRule
from scorekeeper.pitch.scoring.score import HandScore, Reason
from scorekeeper.pitch.scoring.standing import has_reached_target
from scorekeeper.pitch.sheets.parts import BLANK, Rule
from scorekeeper.pitch.sheets.rule_sheet import numbered_rules
from scorekeeper.pitch.text.endings import deciding_options, holding_options, is_tied_before_hand
from scorekeeper.pitch.text.hands import because_not_out, not_out_words
from scorekeeper.pitch.text.phrases import joined

_MOST_SHEETS = 64
"""Sheets whose numbers are kept: as many as a busy host has matches with rules of their own."""

_ENDS = (
    "win.target",
    "win.turned",
    "win.hands",
    "win.pegged",
    "win.tie_rule",
    "win.win_by",
    "win.pay_hand",
    "win.settle",
)
_PAID = ("count.paid", "count.paid_set", "bid.moon_wins", "win.average", "win.stakes")
_TERMS = (
    *_ENDS,
    *("win.defending", "win.set_limit", "win.four_points_win_game", "win.defenders_stop_at_one"),
    "win.defenders_stop_short",
    *("count.made", "count.set", "count.paid", "count.paid_set", "count.unbid", "count.defenders", "count.no_score"),
    *("count.partner", "count.partner_set_too", "bid.smudge", "bid.moon", "bid.double_moon", "bid.moon_wins"),
    *("win.average", "win.stakes"),
)

_DECIDED_AT_TARGET = (*get_args(WinRule), *get_args(TieRule), "better_score")
"""The rules by which somebody at the target wins at the end of a hand."""

_REASONS = {
    Reason.MADE_BID: "count.made",
    Reason.PARTNER_SPARED: "count.partner_set_too",
    Reason.TOOK_SET: "bid.all_pass",
    Reason.BID_OF_OTHERS: "count.set",
    Reason.HELD_AT_ONE: "win.defenders_stop_at_one",
    Reason.HELD_SHORT: "win.defenders_stop_short",
    Reason.MOON_WINS: "bid.moon_wins",
    Reason.MOON_LOSES: "bid.moon_wins",
    Reason.MOON_TO_ZERO: "bid.moon_wins",
    Reason.MOON_TO_MINUS_FOUR: "bid.moon_wins",
    Reason.MONEY_ONLY: "bid.moon_wins",
}

_OF_MISDEALS = ("deal.wrong_number", "deal.again")
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
    readings: tuple[int, ...] = ()
    """The numbers of the readings that it rests on in whole or part."""
    said: str = ""
    """How much of it the sources say beside its readings: "“Setback” is silent"; empty where it rests on none."""
    otherwise: str = ""
    """What another source has instead: "“Schmier” has: The bidding side wins."; empty where none does."""

    @property
    def is_reading(self) -> bool:
        """Whether it is in whole or part an agreed reading, and has a †."""
        return bool(self.readings)

    def basis(self, readings: Mapping[int, Reading]) -> str:
        """Return in a line what it rests on where no source says all of it, or where two disagree; else nothing."""
        says = joined(*(readings[number].says for number in self.readings if number in readings))
        return joined(f"{self.said}; we read: {says}" if says else "", self.otherwise)


Cited = tuple[CitedRule, ...]
"""Rules in their order, none of them twice."""


def _of_outcome(rule: OutcomeRule) -> tuple[str, ...]:
    """Return the rules that an outcome may rest on."""
    match rule:
        case "made_bid" | "first_to_target":
            return ("win.target",)
        case "turned_up":
            return "win.turned", "win.target"
        case "given_first":
            return "argue.mistakes", "win.target"
        case "forfeit":
            return ("play.renege",)
        case "pegged":
            return "win.pegged", "win.target"
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
        case "not_counted" | "too_few_card_points" | "too_many_card_points":
            return ("count.game",)
        case "who_tied":
            return "count.game_tie", "count.game"
        case "must_be_somebodys" | "not_named":
            return (f"count.{refusal.field.rpartition('.')[2]}",)
        case (
            "against_the_count"
            | "all_lost"
            | "bad_value"
            | "below_zero"
            | "both_ways"
            | "disagrees"
            | "forfeited"
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
            | "not_first"
            | "not_in_play"
            | "not_level"
            | "not_overtaken"
            | "not_pegged"
            | "not_played"
            | "once_only"
            | "own_gift"
            | "same_card"
            | "settle_first"
            | "side_dealer"
            | "side_missing"
            | "thrown_in"
            | "too_late"
            | "too_many_cards"
            | "too_many_points"
            | "too_many_ways"
            | "tricks_not_said"
            | "unfinished"
            | "unknown_player"
            | "unknown_side"
        ):
            return ()
    assert_never(refusal.code)


def _counts_together(result: HandResult, score: HandScore) -> bool:
    """Return whether a called partner, or several defenders, scored by what they took together."""
    groups = result.hand_sides.groups if result.hand_sides and result.ruleset.pools_defenders else ()
    return bool(result.hand.partner) or any(len(group) > 1 and score.points[group[0]] for group in groups[1:])


def _fought_over(result: HandResult, score: HandScore) -> Iterator[AwardId]:
    """Yield the points that tables argue about: Low, and where it decided a deuce that is kept, or Game by the ten."""
    ruleset = result.ruleset
    for award_id, group, points in result.taken.awards if result.taken else ():
        is_kept = ruleset.awards[award_id].won == "by_low_rule" and not ruleset.is_captured(award_id)
        by_ten = award_id == ruleset.game_award != ruleset.counted_award
        if award_id == LOW and any(line.award == LOW for line in score.lines):
            yield award_id
        elif (is_kept or by_ten) and _has_decided(result, group, points):
            yield award_id


def _has_counted_twice(result: HandResult) -> bool:
    """Return whether the highest trump was the highest spade as well, and both of its points decided."""
    kinds = result.ruleset.kinds
    rows = (
        [it for it in result.taken.awards if isinstance(kinds[it[0]], HighestTrump | HighestSpade)]
        if result.taken
        else []
    )
    is_one_card = result.hand.trump == "spades" and len(rows) > 1 and len({group for _, group, _ in rows}) == 1
    return is_one_card and any(_has_decided(result, group, points) for _, group, points in rows)


def _has_joker_and_low(result: HandResult, score: HandScore) -> bool:
    """Return whether a joker scored beside Low, where its holder may take it for the lowest trump."""
    scored = {line.award for line in score.lines}
    return LOW in scored and not scored.isdisjoint(result.ruleset.joker_awards)


def _has_level_counts(result: HandResult) -> bool:
    """Return whether some have the same card points below the most, which is no tie for Game."""
    most, *others = sorted((result.hand.card_points or {"": 0}).values(), reverse=True)
    return len({most, *others}) > 1 and most not in others and len(set(others)) < len(others)


def _has_decided(result: HandResult, group: int, points: int) -> bool:
    """Return whether a bid, or perhaps the match, would have come out otherwise had others got some points."""
    bid, took = result.bid, result.took
    there = [
        {has_reached_target(result.ruleset, it + by) for by in (-points, 0, points)} for it in result.scores.values()
    ]
    if there.count({True}) > 1 or any(len(it) > 1 for it in there):
        return True
    if result.bidders and group == 0:
        return bool(result.made) and (not isinstance(bid, int) or took - points < bid)
    return result.made is False and (not isinstance(bid, int) or bid <= took + points)


@dataclass(frozen=True, slots=True)
class Citations:
    """The numbers of a sheet's rules."""

    by_id: Mapping[str, CitedRule]

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

    def reason(self, reason: Reason, result: HandResult, side: SideId) -> Cited:
        """Return the rule that a line of a hand rests on, but for an award's."""
        match reason:
            case Reason.WENT_SET:
                return self.set(result.bid) + (self.rule("bid.double_loss_on_overtake") if result.lost_double else ())
            case Reason.MADE_SPECIAL:
                return self.made(result.bid)
            case Reason.TOOK:
                is_bidder = side in result.bidders
                return self.made(result.bid) if is_bidder else self.rule("count.defenders", "count.unbid")
            case Reason.PENALTY | Reason.PENALTY_TO:
                # What a table wrote points for is known of a misdeal alone.
                of_deal = self._mistake(_OF_MISDEALS) if result.hand.thrown_in == "misdeal" else ()
                return of_deal + self.rule("argue.mistakes")
            case Reason.FORFEIT | Reason.RENEGED_SHORT:
                return self.rule("play.renege")
            case _:
                return self.rule(_REASONS[reason]) if reason in _REASONS else ()

    def _mistake(self, ids: Iterable[str]) -> Cited:
        """Return what a game itself says of a mistake, else the line to write it on."""
        return tuple(sorted(self._those(ids), key=lambda it: it.id.startswith("argue.")))[:1]

    def bid_off_norm(self, result: HandResult) -> Cited:
        """Return the rules by which a dealer was stuck with the bid, stole it, or took it from a led card."""
        ids = (
            *(("bid.all_pass",) if result.was_stuck else ()),
            *(("bid.dealer_steal",) if result.was_stolen else ()),
            *(("bid.pitching",) if result.overtook_pitch else ()),
            *(("bid.double_loss_on_overtake",) if result.lost_double else ()),
        )
        return self._those(ids)

    def turned_on(self, result: HandResult) -> Cited:
        """Return the rules that a hand turned on and a loser asks for: a bid that was set or above the numbers, a tie.

        What was simply taken, or made and counted, rests on none of them.
        """
        if result.score is None:
            return ()
        rules = [*self.bid_off_norm(result)]
        for line in result.score.lines:
            if line.reason is Reason.MADE_BID and line.points not in (0, result.took):
                rules += self.rule("count.made")  # it scored the bid, and not what it took
            if not line.award and line.reason not in _PLAIN:
                rules += self.reason(line.reason, result, line.side)
        if result.payments:
            rules += self.rule("count.no_score")
        if isinstance(result.bid, str):
            rules += self._special(result.bid) + self.rule("bid.top_is_moon")
            rules += () if result.payments else self.rule("bid.moon_wins")
            if None in (result.hand.taken or {}).values():
                rules += self.rule("bid.moon_missing", f"bid.{result.bid}_needs")
        elif because_not_out(result):
            rules += self.rule("count.missing")
        if not_out_words(result):
            rules += self.rule("trump.discard")
        if result.ruleset.table.called and len(result.bidders) == 1:
            rules += self.rule("trump.alone")
        if result.was_played:
            rules += self.rule("count.no_game")
        if _counts_together(result, result.score):
            rules += self.rule("count.partner", "count.defenders")
        if result.hand.partner and result.made is False:
            rules += self.rule("count.partner_set_too")
        if result.bid == result.ruleset.points_per_hand:
            rules += self.rule("bid.top_is_moon")
        rules += self.awards(_fought_over(result, result.score))
        if _has_joker_and_low(result, result.score):
            rules += self.rule("players.jokers")  # a joker may be thought the lowest trump
        if _has_counted_twice(result):
            rules += self.rule("count.both_high")
        if any(times > 1 for times in (result.hand.times or {}).values()):
            rules += self.rule("count.turned_cards")
        if result.has_tied_game or _has_level_counts(result):
            rules += self.rule("count.game_tie")
        return tuple(dict.fromkeys(rules))

    def thrown_in(self, result: HandResult) -> Cited:
        """Return the rule by which a hand was not played, and dealt again."""
        if result.status != "thrown_in" or result.ended_unplayed:
            return ()
        if result.hand.thrown_in == "misdeal":
            # Not the line to write on what the table agrees: that says nothing of what was done.
            found = self._those(("deal.misdeal", "deal.wrong_number", "trump.run"))
            return tuple(rule for rule in found if not rule.id.startswith("argue."))[:1]
        return self.rule("bid.all_pass")

    def outcome(self, rule: OutcomeRule) -> Cited:
        """Return the rule that decided a match, by the engine's word for it."""
        return self.rule(*_of_outcome(rule))

    def decided(self, state: MatchState) -> Cited:
        """Return the rules without which a match would have ended otherwise; none while it goes on."""
        outcome, last = state.outcome, state.last_scored
        if outcome is None or last is None:
            return ()
        if outcome.rule == "given_first" and last.hand.thrown_in == "misdeal":
            return self._mistake(_OF_MISDEALS) + self.outcome(outcome.rule)
        if outcome.rule in _DECIDED_AT_TARGET:
            return self._stated(state, deciding_options(state))
        return self.outcome(outcome.rule)

    def _stated(self, state: MatchState, options: Iterable[str]) -> Cited:
        """Return the rules that state some options, in the words that hold for those who are at the target."""
        tied = ("win.before",) if is_tied_before_hand(state) else ()
        ids = {"win_rule": ("win.target",), "count_down_from": ("win.target",), "tie_rule": (*tied, "win.tie_rule")}
        cited = (self.rule(*ids.get(option, (f"win.{option}",)), "win.target") for option in options)
        return tuple(dict.fromkeys(chain.from_iterable(cited)))

    def ends(self) -> Cited:
        """Return the rules that say how the match ends."""
        return self._those(_ENDS)

    def goes_on(self, state: MatchState) -> Cited:
        """Return the rule by which nobody at the target has won, or by which it depends on who took what."""
        if state.question:
            return self.rule("win.pegged", "win.tie_rule", "win.four_points_win_game")
        return self._stated(state, holding_options(state))

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
    for rule in numbered_rules(ruleset.ruleset, base.ruleset):
        cited = CitedRule(
            id=rule.id,
            number=rule.number,
            text=f"{rule.lead} {rule.text}".strip().replace(f" {BLANK}.", "."),
            readings=tuple(reading.number for reading in rule.origin.readings),
            said=_said(rule, base.ruleset) if rule.is_reading else "",
            otherwise="" if rule.mark == "house" or rule.origin.is_left_open else _otherwise(rule, base.ruleset),
        )
        for rule_id in (rule.id, *rule.also):
            by_id[rule_id] = cited
    return Citations(MappingProxyType(by_id))


def _said(rule: Rule, base: Ruleset) -> str:
    """Return how much of a rule the sources say that is in part a reading."""
    if there := _documents(rule.origin.references):
        return f"{_named(there)} {'says' if len(there) == 1 else 'say'} it only in part"
    sources = tuple(citation.document for citation in cite(base.source, SOURCES))
    return f"{_named(sources)} is silent" if len(sources) == 1 else "The sources are silent"


def _otherwise(rule: Rule, base: Ruleset) -> str:
    """Return what another source than that of a rule answers to the question that the rule is named after."""
    here, option = _documents(rule.origin.references), rule.id.partition(".")[2]
    offered = base.sheet.offers.get(option)
    there = _documents(parse_trace(base.sheet.trace[f"house.{option}"])) if offered else ()
    if not here or not there or not offered or set(here) & set(there):
        return ""
    answers = (QUESTIONS[option].sentence(answer, base) for answer in offered)
    return joined(f"Two sources disagree. {_named(here)}: as above. {_named(there)}:", *answers)


def _documents(references: Iterable[Reference]) -> tuple[Source, ...]:
    """Return the documents among what a rule rests on, each once."""
    numbers = (it.document for it in references if not isinstance(it, ReadingNumber))
    return tuple(SOURCES[number] for number in dict.fromkeys(numbers))


def _named(documents: Iterable[Source]) -> str:
    """Return documents by name: "“Pitch” (pagat.com)"."""
    hosts = ((it, it.address.partition("/")[0].removeprefix("www.")) for it in documents)
    return listed(f"“{it.title}”{f' ({host})' if host else ''}" for it, host in hosts)
