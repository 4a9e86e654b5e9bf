"""The library of rulesets, and the numbered rules that pages of a match cite.

The query of a URL has rules as a variant with house answers, as a share code, or as rules of a match.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from flask import abort, request, url_for

from scorekeeper.matches.fold import Match
from scorekeeper.matches.notices import rule_changes
from scorekeeper.paths import RULESETS
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.house_rules import (
    HouseRules,
    former_answers,
    resolve_house_rules,
    with_house,
    without_moot_answers,
)
from scorekeeper.pitch.rules.library import Library, read_library
from scorekeeper.pitch.rules.questions import QUESTIONS, answer_change_sentences, parse_word
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import BadCode, decode, encode
from scorekeeper.pitch.scoring.match import HandResult
from scorekeeper.pitch.sheets.citations import Citations, CitedRule, CitedRules, citations
from scorekeeper.web.locale import date_style


def library() -> Library:
    """Return the library with all rulesets of the program, read once."""
    return read_library(RULESETS)


def variant_or_404(ruleset_id: str) -> Ruleset:
    """Return the ruleset with this id, such as from a URL; raises 404 for an unknown id."""
    return library().rulesets.get(ruleset_id) or abort(404)


def citations_of_match(match: Match) -> Citations:
    """Return the rules that a match has now, with their numbers on its rules page."""
    return citations_of_ruleset(match.state.ruleset)


def citations_of_hand(result: HandResult) -> Citations:
    """Return the rules by which a hand was played, with their numbers on the page of these rules."""
    return citations_of_ruleset(result.ruleset)


def citations_of_ruleset(ruleset: Ruleset) -> Citations:
    """Return the rules of a ruleset with their numbers on its rule sheet."""
    return citations(ruleset, standard_rules(ruleset))


def standard_rules(ruleset: Ruleset) -> Ruleset:
    """Return the variant on which rules are based, or the rules themselves if the library lacks it."""
    return library().rulesets.get(ruleset.id, ruleset)


def deciding_rules_of(match: Match) -> CitedRules:
    """Return the rules that decided a match, as numbered on its last scored hand's sheet; empty if none did."""
    last = match.state.last_scored
    return citations_of_hand(last).outcome_rules(match.state) if last else ()


def basis(rule: CitedRule) -> str:
    """Return what a rule is based on, if its sources are incomplete or disagree; else empty."""
    return rule.basis(library().interpretations)


def hand_uid_of_earlier_rules(match: Match, ruleset: Ruleset) -> int | None:
    """Return the uid of the first hand under these earlier rules, for their page's URL.

    `None` for the current rules of the match, or if no hand was played by them.
    """
    if ruleset == match.state.ruleset:
        return None
    hands = zip(match.state.results, match.log.hands, strict=True)
    return next((logged.uid for result, logged in hands if result.ruleset == ruleset), None)


NO_CITATIONS = Citations({})
"""The citations of a page that cites no rules."""


OPENED_FROM_PARAMETER = "table"
"""The query parameter for the URL of the new-match form from which a page of rules was opened."""


@dataclass(frozen=True, slots=True)
class VariantRules:
    """A variant with the house answers of a query, and the resulting rules or faults."""

    base: Ruleset
    ruleset: Ruleset
    """The resulting rules; the variant itself if there are faults."""
    answers: Mapping[str, str]
    """The answers that decide something, by question, as in the query; none if there are faults."""
    faults: tuple[Fault, ...]
    """The faults of the answers, such as that they contradict each other."""


def variant_rules(ruleset_id: str) -> VariantRules:
    """Return a variant with the query's house answers; raises 404 for an unknown variant.

    If the answers have faults, the rules are those of the variant as it is.
    """
    base = variant_or_404(ruleset_id)
    answers = {name: word for name, word in request.args.items() if name in QUESTIONS}
    deciding = without_moot_answers(base, {name: parse_word(word) for name, word in answers.items()})
    ruleset, faults = with_house(base, deciding)
    if faults:
        return VariantRules(base, base, {}, tuple(faults))
    return VariantRules(base, ruleset, {name: answers[name] for name in deciding}, ())


@dataclass(frozen=True, slots=True)
class ResolvedRules:
    """House rules, or an unchanged variant, with the resulting rules."""

    house_rules: HouseRules
    """The house rules; without answers for an unchanged variant."""
    ruleset: Ruleset
    """The resulting rules."""
    share_code: str = ""
    """The share code of the rules; empty for an unchanged variant."""

    @property
    def base(self) -> Ruleset:
        """The variant on which the house rules are based."""
        return library()[self.house_rules.variant]

    @property
    def answers(self) -> Mapping[str, object]:
        """The answers of the house rules that decide something, by option or award."""
        return without_moot_answers(self.base, self.house_rules.options)

    @property
    def older(self) -> "OlderRules | None":
        """These house rules as they were before standard answers changed; `None` if none of theirs has."""
        before = former_answers(self.base, self.house_rules.options)
        if not before:
            return None
        older = replace(self.house_rules, options={**self.house_rules.options, **before})
        return OlderRules(f"These rules have changed. {answer_change_sentences(self.base, before)}", encode(older))


@dataclass(frozen=True, slots=True)
class OlderRules:
    """House rules as they were before standard answers changed."""

    sentence: str
    """What has changed, in one or two sentences."""
    share_code: str
    """The share code of the rules with the former answers."""


class UnplayableCode(BadCode):
    """The rules of a share code cannot be played; the message has the reasons, for the page."""


def shared_rules(code: str) -> ResolvedRules:
    """Return the rules of a share code; raises `BadCode` for an invalid code, `UnplayableCode` for invalid rules."""
    house_rules = decode(code)
    ruleset, faults = resolve_house_rules(house_rules, library())
    if ruleset is None:
        raise UnplayableCode(joined_messages(faults))
    return ResolvedRules(house_rules, ruleset, encode(house_rules))


def joined_messages(faults: Iterable[Fault]) -> str:
    """Return the distinct messages of faults in one text."""
    return " ".join(dict.fromkeys(fault.message for fault in faults))


def shared_ruleset_or_422(code: str) -> Ruleset:
    """Return the ruleset of a share code; raises 422 if it cannot be read or played."""
    try:
        return shared_rules(code).ruleset
    except BadCode:
        abort(422)


def match_rules(match: Match, hand: HandResult | None = None) -> Ruleset:
    """Return the rules in force in a match now, or in one of its hands, with notes on the rule changes until then."""
    ruleset, position = (hand.ruleset, hand.position) if hand else (match.state.ruleset, len(match.state.results) + 1)
    notes = [change.sentence(date_style()) for change in rule_changes(match) if change.position <= position]
    return ruleset.copy_with(notes=[*ruleset.notes, *notes]) if notes else ruleset


def requested_hand(match: Match) -> HandResult | None:
    """Return the hand whose uid is in the query, if any; raises 404 for an unknown one."""
    uid = request.args.get("hand", type=int)
    return None if "hand" not in request.args else match.result(uid or 0) or abort(404)


def url_of_new_match_form() -> str:
    """Return the URL of the new-match form from which this page of rules was opened; empty without one."""
    url = request.args.get(OPENED_FROM_PARAMETER, "")
    return url if url.startswith(f"{url_for('new.choose')}/") else ""
