"""The rulesets that the server has, and the numbered rules that the pages of a match cite.

An address names rules as a variant with house answers, as a share code, or as those of a match.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from flask import abort, request, url_for

from scorekeeper.matches.fold import Match
from scorekeeper.matches.notices import rules_with_changes
from scorekeeper.paths import RULESETS
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.house_rules import HouseRules, resolve, silent_on, with_house, without_moot
from scorekeeper.pitch.rules.library import Library, read_library
from scorekeeper.pitch.rules.questions import QUESTIONS, changed_since, value_of
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import BadCode, decode, encode
from scorekeeper.pitch.scoring.match import HandResult
from scorekeeper.pitch.sheets.citations import Citations, Cited, CitedRule, citations
from scorekeeper.web.locale import date_style


def library() -> Library:
    """Return every ruleset that comes with the program."""
    return read_library(RULESETS)


def variant_or_404(ruleset_id: str) -> Ruleset:
    """Return the ruleset with the id in an address; 404 where there is none."""
    return library().rulesets.get(ruleset_id) or abort(404)


def rules_of(match: Match) -> Citations:
    """Return the numbers of the rules by which a match is played now, as on its rules page."""
    return numbered(match.state.ruleset)


def rules_of_hand(result: HandResult) -> Citations:
    """Return the numbers of the rules that a hand was played by; `earlier_rules` returns the hand of their page."""
    return numbered(result.ruleset)


def numbered(ruleset: Ruleset) -> Citations:
    """Return the numbers of rules on their rule sheet."""
    return citations(ruleset, standard_rules(ruleset))


def standard_rules(ruleset: Ruleset) -> Ruleset:
    """Return the variant that rules are based on; the rules themselves where this version does not have it."""
    return library().rulesets.get(ruleset.id, ruleset)


def decided_by(match: Match) -> Cited:
    """Return the rules that decided a match, numbered by the rules of its deciding hand; none while it goes on."""
    last = match.state.last_scored
    return rules_of_hand(last).decided(match.state) if last else ()


def basis(rule: CitedRule) -> str:
    """Return in a line the basis of a rule that no source has in full, or on which two disagree; else nothing."""
    return rule.basis(library().readings)


def earlier_rules(match: Match, ruleset: Ruleset) -> int | None:
    """Return the uid of a hand that was played by rules that the match no longer has, for the address of their page.

    It is `None` for the rules that the match has now.
    """
    if ruleset == match.state.ruleset:
        return None
    hands = zip(match.state.results, match.log.hands, strict=True)
    return next((logged.uid for result, logged in hands if result.ruleset == ruleset), None)


NO_RULES = Citations({})


TABLE_FIELD = "table"
"""The new match from which rules are opened."""


@dataclass(frozen=True, slots=True)
class VariantRules:
    """A variant with the house answers that an address gives."""

    base: Ruleset
    ruleset: Ruleset
    """The variant itself where the answers contradict each other."""
    answers: Mapping[str, str]
    """The answers in the address; none where they contradict each other."""
    faults: tuple[Fault, ...]


def variant_rules(ruleset_id: str) -> VariantRules:
    """Return a variant with the house answers of the address; 404 where there is no such variant."""
    base = variant_or_404(ruleset_id)
    answers = {name: word for name, word in request.args.items() if name in QUESTIONS}
    house = without_moot(base, {name: value_of(word) for name, word in answers.items()})
    ruleset, faults = with_house(base, house)
    if faults:
        return VariantRules(base, base, {}, tuple(faults))
    return VariantRules(base, ruleset, {name: answers[name] for name in house}, ())


@dataclass(frozen=True, slots=True)
class NamedRules:
    """The rules of a variant, as a table plays them."""

    base: Ruleset
    ruleset: Ruleset
    answers: Mapping[str, object] = field(default_factory=dict)
    """The answers that the table agreed on, by option or award."""
    share_code: str = ""
    """The rules as a code; empty where they are the variant's own."""

    @property
    def older(self) -> "OlderRules | None":
        """The rules as they were before a standard answer changed that these rules do not set; `None` without one."""
        notes = tuple(note for note in self.ruleset.notes if note not in self.base.notes)
        return older_rules(self.base, HouseRules(self.ruleset.name, self.base.id, self.answers, notes))


@dataclass(frozen=True, slots=True)
class OlderRules:
    """House rules with the former standard answers, where one has changed that they rely on."""

    sentence: str
    """The answers that have changed, in words."""
    share_code: str
    """The rules with the former answers, as a code."""


def older_rules(base: Ruleset, house: HouseRules) -> OlderRules | None:
    """Return house rules with the former standard answers; `None` where none has changed."""
    before = silent_on(base, house.options)
    if not before:
        return None
    older = replace(house, options={**house.options, **before})
    return OlderRules(f"These rules have changed. {changed_since(base, before)}", encode(older))


class UnplayableCode(BadCode):
    """The rules of a code cannot be played; the message has the reason, for people."""


def shared_rules(code: str) -> NamedRules:
    """Return the rules of a share code; raises `BadCode`, and `UnplayableCode` where they are read but not playable."""
    house = decode(code)
    ruleset, faults = resolve(house, library())
    if ruleset is None:
        raise UnplayableCode(messages(faults))
    base = library()[house.variant]
    return NamedRules(base, ruleset, without_moot(base, house.options), encode(house))


def messages(faults: Iterable[Fault]) -> str:
    """Return the messages of faults in one text, without repetitions."""
    return " ".join(dict.fromkeys(fault.message for fault in faults))


def rules_to_print(code: str) -> Ruleset:
    """Return the rules of a share code; 422 where they cannot be read, or cannot be played."""
    try:
        return shared_rules(code).ruleset
    except BadCode:
        abort(422)


def match_rules(match: Match, hand: HandResult | None = None) -> Ruleset:
    """Return the rules that a match is played by, with the day of every change since it began among their notes.

    Of a `hand`, those that were in force in it.
    """
    return rules_with_changes(match, date_style(), hand)


def requested_hand(match: Match) -> HandResult | None:
    """Return the hand whose rules the address names, or `None`; 404 where the match has no such hand."""
    uid = request.args.get("hand", type=int)
    return None if "hand" not in request.args else match.result(uid or 0) or abort(404)


def opened_from() -> str:
    """Return the address of the new match from which rules were opened; empty where it is no page of a new match."""
    table = request.args.get(TABLE_FIELD, "")
    return table if table.startswith(f"{url_for('new.choose')}/") else ""
