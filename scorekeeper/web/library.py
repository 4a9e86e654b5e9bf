"""The rulesets that the server knows, and the numbered rules that the pages of a match point to."""

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
    """Return the ruleset that an address names."""
    return library()[ruleset_id] if ruleset_id in library() else abort(404)


def rules_of(match: Match) -> Citations:
    """Return the numbers of the rules by which a match is played now: those of its page of rules."""
    return numbered(match.state.ruleset)


def rules_of_hand(result: HandResult) -> Citations:
    """Return the numbers of the rules that a hand was played by; `earlier_rules` says which page has them."""
    return numbered(result.ruleset)


def numbered(ruleset: Ruleset) -> Citations:
    """Return the numbers of rules on their sheet."""
    return citations(ruleset, standard_rules(ruleset))


def standard_rules(ruleset: Ruleset) -> Ruleset:
    """Return the variant that rules were made from; the rules themselves where this version does not know it."""
    variants = library()
    return variants[ruleset.id] if ruleset.id in variants else ruleset


def decided_by(match: Match) -> Cited:
    """Return the rules that decided a match, on the sheet of the hand that decided; none while it goes on."""
    last = match.state.last_scored
    return rules_of_hand(last).decided(match.state) if last else ()


def basis(rule: CitedRule) -> str:
    """Return in a line what a rule rests on where no source says all of it, or where two disagree; else nothing."""
    return rule.basis(library().readings)


def earlier_rules(match: Match, ruleset: Ruleset) -> int | None:
    """Return a hand that was played by rules which the match no longer has: the page of rules is asked for that hand.

    `None` for the rules that the match has now.
    """
    if ruleset == match.state.ruleset:
        return None
    hands = zip(match.state.results, match.log.hands, strict=True)
    return next((logged.uid for result, logged in hands if result.ruleset == ruleset), None)


NO_RULES = Citations({})
