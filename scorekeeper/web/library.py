"""The rulesets that the server has, and the numbered rules that the pages of a match cite."""

from flask import abort

from scorekeeper.matches.fold import Match
from scorekeeper.paths import RULESETS
from scorekeeper.pitch.rules.library import Library, read_library
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.match import HandResult
from scorekeeper.pitch.sheets.citations import Citations, Cited, CitedRule, citations


def library() -> Library:
    """Return every ruleset that comes with the program."""
    return read_library(RULESETS)


def variant_or_404(ruleset_id: str) -> Ruleset:
    """Return the ruleset with the id in an address; 404 where there is none."""
    return library()[ruleset_id] if ruleset_id in library() else abort(404)


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
    variants = library()
    return variants[ruleset.id] if ruleset.id in variants else ruleset


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
