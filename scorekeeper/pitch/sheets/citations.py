"""Citations: which numbered rule of a sheet explains an award, a score, the end of a match or a refused hand."""

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
"""The most rule sheets in the cache: as many as a busy host has matches with different rules."""

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
    """A rule of a sheet, in the form in which other pages cite it."""

    id: str
    """The id of the rule, and of its element on the page of the rules: "win.target"."""
    number: str
    """The number on the sheet: "7.1"."""
    text: str
    """The lead and the text of the rule: "The dealer cannot steal the bid.". A blank at the end is left out."""
    interpretations: tuple[int, ...]
    """The numbers of the interpretations on which the rule is based, at least in part."""
    in_sources: str
    """How much of an interpreted rule the sources state: "“Setback” is silent"; empty for any other rule."""
    disagreement: str
    """How two sources disagree on the rule, in sentences; empty if they do not."""

    @property
    def is_interpretation(self) -> bool:
        """Whether the rule is, at least in part, our interpretation of the sources, and so is marked †."""
        return bool(self.interpretations)

    def basis(self, interpretations: Mapping[int, Interpretation]) -> str:
        """Return on which interpretations the rule is based and how sources disagree on it, in sentences.

        The text is empty if neither applies. `interpretations` has all interpretations, keyed by number.
        """
        readings = join_nonempty(
            *(interpretations[number].sentence for number in self.interpretations if number in interpretations)
        )
        return join_nonempty(f"{self.in_sources}; we read: {readings}" if readings else "", self.disagreement)


CitedRules = tuple[CitedRule, ...]
"""Some rules of a sheet, each once."""


_RULE_IDS_BY_REFUSAL = {
    code: rule_ids
    for codes, *rule_ids in (
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
"""The ids of the rules that may explain a refusal, keyed by its code; the first that the sheet has is cited."""


@dataclass(frozen=True, slots=True)
class Citations:
    """The rules of a sheet for other pages to cite, keyed by id."""

    by_id: Mapping[str, CitedRule]

    def first_rule(self, *ids: str) -> CitedRules:
        """Return the first rule with one of `ids` that the sheet has, as a tuple; empty if it has none."""
        return self.rules_by_id(ids)[:1]

    def rules_by_id(self, ids: Iterable[str]) -> CitedRules:
        """Return the rules with one of `ids` that the sheet has, in the order of `ids`."""
        return tuple(dict.fromkeys(self.by_id[rule_id] for rule_id in ids if rule_id in self.by_id))

    def award_rules(self, *award_ids: AwardId) -> CitedRules:
        """Return the rules on who scores the awards in `award_ids`."""
        return self.rules_by_id(chain.from_iterable(map(award_rules, award_ids)))

    def deciding_rules(self, result: HandResult) -> CitedRules:
        """Return the rules that the losers of a scored hand may dispute, such as those on a set bid or a tied Game."""
        return self.rules_by_id(deciding_rules(result))

    def redeal_rule(self, result: HandResult) -> CitedRules:
        """Return the rule by which a hand was dealt again, as a tuple; empty if the sheet has no such rule."""
        if result.hand.thrown_in == "misdeal":
            # Not the blank for what the table agrees on, which does not show what was done.
            redeal_rules = self.rules_by_id(("deal.misdeal", "deal.wrong_number", "trump.run"))
            return tuple(rule for rule in redeal_rules if not rule.id.startswith("argue."))[:1]
        return self.first_rule("bid.all_pass")

    def outcome_rules(self, state: MatchState) -> CitedRules:
        """Return the rules that decided how a match ended.

        There are none while it goes on, or if it ended before a hand was scored.
        """
        if state.outcome is None or state.last_scored is None:
            return ()
        if not (ending_rule_ids := tuple(ending_rules(state))):
            return self._option_rules(state, deciding_options(state))
        return self.rules_by_id(ending_rule_ids[:-1]) + self.first_rule(ending_rule_ids[-1], "win.target")

    def _option_rules(self, state: MatchState, options: Iterable[str]) -> CitedRules:
        """Return the rules on `options`. An option without a rule on the sheet has the rule on the target instead."""
        # A tie of sides that reached the target in different hands has a rule of its own.
        earlier_tie_ids = ("win.before",) if is_tied_across_hands(state) else ()
        ids_by_option = {
            "win_rule": ("win.target",),
            "count_down_from": ("win.target",),
            "tie_rule": (*earlier_tie_ids, "win.tie_rule"),
        }
        cited_rules = (
            self.first_rule(*ids_by_option.get(option, (f"win.{option}",)), "win.target") for option in options
        )
        return tuple(dict.fromkeys(chain.from_iterable(cited_rules)))

    def ending_rules(self) -> CitedRules:
        """Return the rules on the usual ends of a match."""
        return self.rules_by_id(_ENDING_RULE_IDS)

    def undecided_rules(self, state: MatchState) -> CitedRules:
        """Return the rules that explain why nobody has won yet, even if a side is at the target."""
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
        """Return the rules that explain why a hand was refused; empty if the sheet has no such rule."""
        if not isinstance(fault, Refusal):
            return ()
        if fault.code in ("must_be_somebodys", "not_named"):
            return self.award_rules(fault.field.rpartition(".")[2])
        return self.first_rule(*_RULE_IDS_BY_REFUSAL.get(fault.code, ()))


def citations(ruleset: Ruleset, base: Ruleset | None = None) -> Citations:
    """Return the rules of a ruleset's sheet for other pages to cite; `base` is its published version.

    They are cached by the identity of both rulesets, since comparing rulesets by value is slow.
    """
    return _cached_citations(_RulesetIdentity(ruleset), _RulesetIdentity(base or ruleset))


class _RulesetIdentity:
    """A cache key for a ruleset that is equal only for the same object, since comparing rulesets by value is slow."""

    __slots__ = ("ruleset",)

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _RulesetIdentity) and other.ruleset is self.ruleset

    def __hash__(self) -> int:
        return id(self.ruleset)


@lru_cache(maxsize=_MAX_CACHED_SHEETS)
def _cached_citations(ruleset: _RulesetIdentity, base: _RulesetIdentity) -> Citations:
    """Return the citations of a ruleset's sheet, for `citations`."""
    rules_by_id: dict[str, CitedRule] = {}
    for rule in numbered_rules(ruleset.ruleset, base.ruleset):
        cited_rule = CitedRule(
            id=rule.id,
            number=rule.number,
            text=f"{rule.lead} {rule.text}".strip().replace(f" {BLANK}.", "."),
            interpretations=tuple(interpretation.number for interpretation in rule.origin.interpretations),
            in_sources=_sources_phrase(rule, base.ruleset) if rule.is_interpretation else "",
            disagreement=""
            if rule.mark == "house" or rule.origin.is_left_open
            else _disagreement_sentence(rule, base.ruleset),
        )
        rules_by_id |= dict.fromkeys((rule.id, *rule.also), cited_rule)
    return Citations(MappingProxyType(rules_by_id))


def _sources_phrase(rule: Rule, base: Ruleset) -> str:
    """Return how much of an interpreted rule the sources state: "“Setback” is silent"."""
    if documents := _source_documents(rule.origin.references):
        return f"{_document_names(documents)} {'says' if len(documents) == 1 else 'say'} it only in part"
    sources = [citation.document for citation in parse_citations(base.source, SOURCES_BY_NUMBER)]
    return f"{_document_names(sources)} is silent" if len(sources) == 1 else "The sources are silent"


def _disagreement_sentence(rule: Rule, base: Ruleset) -> str:
    """Return how two sources answer the option of a rule differently, in sentences; empty if they do not."""
    own_sources, option = _source_documents(rule.origin.references), rule.id.partition(".")[2]
    offered_answers = base.sheet.offers.get(option, ())
    other_sources = _source_documents(parse_trace(base.sheet.trace[f"house.{option}"])) if offered_answers else ()
    if not own_sources or not other_sources or set(own_sources) & set(other_sources):
        return ""
    answers = (QUESTIONS[option].sentence(answer, base) for answer in offered_answers)
    return join_nonempty(
        f"Two sources disagree. {_document_names(own_sources)}: as above. {_document_names(other_sources)}:", *answers
    )


def _source_documents(references: Iterable[Reference]) -> tuple[Source, ...]:
    """Return the source documents among the references of a rule, without repeats."""
    numbers = (reference.document_number for reference in references if not isinstance(reference, InterpretationNumber))
    return tuple(SOURCES_BY_NUMBER[number] for number in dict.fromkeys(numbers))


def _document_names(documents: Iterable[Source]) -> str:
    """Return the titles of source documents with their websites: "“Pitch” (pagat.com)"."""
    documents_and_hosts = (
        (document, document.address.partition("/")[0].removeprefix("www.")) for document in documents
    )
    return join_words(f"“{document.title}”{f' ({host})' if host else ''}" for document, host in documents_and_hosts)
