"""Citations: the numbered rule of a sheet behind an award, a score line, an ending or a refusal."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from types import MappingProxyType

from scorekeeper.pitch.rules.awards import AwardId
from scorekeeper.pitch.rules.faults import Fault, Refusal
from scorekeeper.pitch.rules.library import SOURCES_BY_NUMBER
from scorekeeper.pitch.rules.phrases import join_words
from scorekeeper.pitch.rules.questions import QUESTIONS
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.sources import (
    Interpretation,
    InterpretationNumber,
    Reference,
    Source,
    parse_citations,
    parse_trace,
)
from scorekeeper.pitch.scoring.deciding_rules import (
    deciding_options,
    deciding_rules,
    ending_rules,
    is_tied_across_hands,
    options_delaying_win,
)
from scorekeeper.pitch.scoring.hand_score import award_rules
from scorekeeper.pitch.scoring.match import HandResult, MatchState
from scorekeeper.pitch.sheets.parts import BLANK, Rule
from scorekeeper.pitch.sheets.rule_sheet import numbered_rules
from scorekeeper.pitch.text.phrases import join_nonempty

_MAX_CACHED_SHEETS = 64
"""The number of rule sheets in the cache: as many as a busy host has matches with different rules."""

_ENDING_RULE_IDS = tuple(f"win.{name}" for name in "target turned hands pegged tie_rule win_by pay_hand settle".split())
"""The ids of the rules on the usual ends of a match."""
_SCORE_RULE_IDS = (
    *_ENDING_RULE_IDS,
    *"win.defending win.set_limit win.four_points_win_game win.defenders_stop_at_one win.defenders_stop_short".split(),
    *"count.made count.set count.paid count.paid_set count.unbid count.defenders count.no_score".split(),
    *"count.partner_set_too bid.smudge bid.moon bid.double_moon bid.moon_wins win.average win.stakes".split(),
)
"""The ids of the rules on scores and payments, and on the end of the match."""


@dataclass(frozen=True, slots=True)
class CitedRule:
    """A rule of a sheet, as cited on other pages."""

    id: str
    """The id, which is also the anchor on the page of the rules: "win.target"."""
    number: str
    """The number on the sheet: "7.1"."""
    text: str
    """The whole rule, without a blank at the end of a sentence: "The dealer cannot steal the bid."."""
    interpretations: tuple[int, ...]
    """The numbers of the interpretations that the rule is based on, in whole or in part."""
    in_sources: str
    """How much of the rule the sources state: "“Setback” is silent"; empty without interpretations."""
    disagreement: str
    """Any disagreement of two sources on the rule, in sentences."""

    @property
    def is_interpretation(self) -> bool:
        """Whether the rule is, at least in part, our interpretation of the sources, and so is marked †."""
        return bool(self.interpretations)

    def basis(self, interpretations: Mapping[int, Interpretation]) -> str:
        """Return the interpretations and disagreements of sources that the rule rests on, in sentences.

        Empty if there are none. `interpretations` has all interpretations, by number.
        """
        says = join_nonempty(
            *(interpretations[number].sentence for number in self.interpretations if number in interpretations)
        )
        return join_nonempty(f"{self.in_sources}; we read: {says}" if says else "", self.disagreement)


CitedRules = tuple[CitedRule, ...]
"""Rules of a sheet, without repeats."""


_RULE_IDS_BY_REFUSAL = {
    code: rules
    for codes, *rules in (
        ("after_pitch", "bid.pitching"),
        ("below_forced", "bid.forced_bid", "bid.all_pass"),
        ("bidding_over no_pitching not_higher out_of_turn", "bid.order"),
        ("dealer_must_bid dealer_must_choose no_take_set not_for_you played_unbound", "bid.all_pass"),
        ("moon_too_soon", "bid.moon"),
        ("no_bidding", "bid.none"),
        ("no_moon_yet", "bid.double_moon"),
        ("no_partner own_partner", "trump.call"),
        ("no_steal", "bid.dealer_steal"),
        ("no_such_bid too_high too_low", "bid.numbers"),
        ("nobody_called", "players.seats"),
        ("not_counted too_few_card_points too_many_card_points", "count.game"),
        ("who_tied", "count.game_tie", "count.game"),
    )
    for code in codes.split()
}
"""By the code of a refusal, the ids of rules that may explain it; the first on the sheet is cited."""


@dataclass(frozen=True, slots=True)
class Citations:
    """The rules of a sheet, by id, for other pages to cite."""

    by_id: Mapping[str, CitedRule]

    def first_rule(self, *ids: str) -> CitedRules:
        """Return the first of these rules that the sheet has, as a tuple; empty if it has none."""
        return self.rules_by_id(ids)[:1]

    def rules_by_id(self, ids: Iterable[str]) -> CitedRules:
        """Return the rules with these ids that the sheet has, in the order of the ids."""
        return tuple(dict.fromkeys(self.by_id[rule_id] for rule_id in ids if rule_id in self.by_id))

    def award_rules(self, *award_ids: AwardId) -> CitedRules:
        """Return the rules on who scores these awards, without repeats."""
        return self.rules_by_id(chain.from_iterable(map(award_rules, award_ids)))

    def deciding_rules(self, result: HandResult) -> CitedRules:
        """Return the rules that a loser of a scored hand may dispute, such as those on a set or a tie."""
        return self.rules_by_id(deciding_rules(result))

    def redeal_rule(self, result: HandResult) -> CitedRules:
        """Return the rule by which a hand was dealt again, as a tuple; empty if the sheet has none."""
        if result.hand.thrown_in == "misdeal":
            # Not the blank for what the table agrees on, which does not show what was done.
            found = self.rules_by_id(("deal.misdeal", "deal.wrong_number", "trump.run"))
            return tuple(rule for rule in found if not rule.id.startswith("argue."))[:1]
        return self.first_rule("bid.all_pass")

    def outcome_rules(self, state: MatchState) -> CitedRules:
        """Return the rules that decided how a match ended.

        Empty while it goes on, or if it ended without a hand.
        """
        if state.outcome is None or state.last_scored is None:
            return ()
        if not (ended := tuple(ending_rules(state))):
            return self._option_rules(state, deciding_options(state))
        return self.rules_by_id(ended[:-1]) + self.first_rule(ended[-1], "win.target")

    def _option_rules(self, state: MatchState, options: Iterable[str]) -> CitedRules:
        """Return the rules on these options.

        An option without a rule on the sheet has the rule on the target instead.
        """
        # A tie of sides that reached the target in different hands has a rule of its own.
        tied = ("win.before",) if is_tied_across_hands(state) else ()
        ids = {"win_rule": ("win.target",), "count_down_from": ("win.target",), "tie_rule": (*tied, "win.tie_rule")}
        cited = (self.first_rule(*ids.get(option, (f"win.{option}",)), "win.target") for option in options)
        return tuple(dict.fromkeys(chain.from_iterable(cited)))

    def ending_rules(self) -> CitedRules:
        """Return the rules on the usual ends of a match."""
        return self.rules_by_id(_ENDING_RULE_IDS)

    def undecided_rules(self, state: MatchState) -> CitedRules:
        """Return the rules that explain why nobody has won yet, although a side may be at the target."""
        if state.question:
            return self.first_rule("win.pegged", "win.tie_rule", "win.four_points_win_game")
        return self._option_rules(state, options_delaying_win(state))

    def score_rules(self) -> CitedRules:
        """Return the rules on scores and payments, and on the end of the match."""
        return self.rules_by_id(_SCORE_RULE_IDS)

    def payment_rules(self, ruleset: Ruleset) -> CitedRules:
        moon = ("bid.moon_wins",) if ruleset.moon.moon == "money" else ()
        return self.rules_by_id(("count.paid", "count.paid_set", *moon, "win.average", "win.stakes"))

    def refusal_rules(self, fault: Fault) -> CitedRules:
        """Return the rules that explain why a hand was refused; none if no rule of the sheet does."""
        if not isinstance(fault, Refusal):
            return ()
        if fault.code in ("must_be_somebodys", "not_named"):
            return self.award_rules(fault.field.rpartition(".")[2])
        return self.first_rule(*_RULE_IDS_BY_REFUSAL.get(fault.code, ()))


def citations(ruleset: Ruleset, base: Ruleset | None = None) -> Citations:
    """Return the rules of a ruleset's sheet, for other pages to cite; `base` is its published version. Cached.

    The cache compares the identity of the rulesets, because comparing their values is slow.
    """
    return _cached_citations(_RulesetIdentity(ruleset), _RulesetIdentity(base or ruleset))


class _RulesetIdentity:
    """A cache key that is equal only for the same object, since comparing rulesets is slow."""

    __slots__ = ("ruleset",)

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _RulesetIdentity) and other.ruleset is self.ruleset

    def __hash__(self) -> int:
        return id(self.ruleset)


@lru_cache(maxsize=_MAX_CACHED_SHEETS)
def _cached_citations(ruleset: _RulesetIdentity, base: _RulesetIdentity) -> Citations:
    """Return the citations of a ruleset's sheet, cached by the identity of both rulesets."""
    by_id: dict[str, CitedRule] = {}
    for rule in numbered_rules(ruleset.ruleset, base.ruleset):
        cited = CitedRule(
            id=rule.id,
            number=rule.number,
            text=f"{rule.lead} {rule.text}".strip().replace(f" {BLANK}.", "."),
            interpretations=tuple(interpretation.number for interpretation in rule.origin.interpretations),
            in_sources=_sources_phrase(rule, base.ruleset) if rule.is_interpretation else "",
            disagreement=""
            if rule.mark == "house" or rule.origin.is_left_open
            else _disagreement_sentence(rule, base.ruleset),
        )
        by_id |= dict.fromkeys((rule.id, *rule.also), cited)
    return Citations(MappingProxyType(by_id))


def _sources_phrase(rule: Rule, base: Ruleset) -> str:
    """Return how much the sources state of a rule that is an interpretation, even in part: "“Setback” is silent"."""
    if documents := _source_documents(rule.origin.references):
        return f"{_document_names(documents)} {'says' if len(documents) == 1 else 'say'} it only in part"
    sources = [citation.document for citation in parse_citations(base.source, SOURCES_BY_NUMBER)]
    return f"{_document_names(sources)} is silent" if len(sources) == 1 else "The sources are silent"


def _disagreement_sentence(rule: Rule, base: Ruleset) -> str:
    """Return how two sources disagree on the option of a rule, in sentences; empty if they do not."""
    own, option = _source_documents(rule.origin.references), rule.id.partition(".")[2]
    offered = base.sheet.offers.get(option, ())
    others = _source_documents(parse_trace(base.sheet.trace[f"house.{option}"])) if offered else ()
    if not own or not others or set(own) & set(others):
        return ""
    answers = (QUESTIONS[option].sentence(answer, base) for answer in offered)
    return join_nonempty(
        f"Two sources disagree. {_document_names(own)}: as above. {_document_names(others)}:", *answers
    )


def _source_documents(references: Iterable[Reference]) -> tuple[Source, ...]:
    """Return the source documents among the references of a rule, without repeats."""
    numbers = (reference.document_number for reference in references if not isinstance(reference, InterpretationNumber))
    return tuple(SOURCES_BY_NUMBER[number] for number in dict.fromkeys(numbers))


def _document_names(documents: Iterable[Source]) -> str:
    """Return the titles of source documents with their websites: "“Pitch” (pagat.com)"."""
    hosts = ((document, document.address.partition("/")[0].removeprefix("www.")) for document in documents)
    return join_words(f"“{document.title}”{f' ({host})' if host else ''}" for document, host in hosts)
