"""The rules in an address: a variant with house answers, rules as a share code, or those of a match."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from flask import abort, request, url_for

from scorekeeper.matches.fold import Match
from scorekeeper.matches.rule_notices import rules_with_changes
from scorekeeper.pitch.rules.codes import BadCode, decode, encode
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.house_rules import HouseRules, resolve, silent_on, with_house, without_moot
from scorekeeper.pitch.rules.questions import QUESTIONS, changed_since, value_of
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.match import HandResult
from scorekeeper.web.library import library, variant_or_404
from scorekeeper.web.locale import date_style

TABLE_FIELD = "table"
"""The new match from which rules are opened."""


@dataclass(frozen=True, slots=True)
class VariantRules:
    """A variant with the house answers that an address gives."""

    base: Ruleset
    ruleset: Ruleset
    """The variant itself where the answers contradict each other."""
    answers: Mapping[str, str]
    """As the address has them; none where they contradict each other."""
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
    """House rules as they were before a standard answer changed that they do not set."""

    sentence: str
    """The answers that have changed, in words."""
    share_code: str
    """The rules as they were."""


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


def asked_hand(match: Match) -> HandResult | None:
    """Return the hand whose rules the address names, or `None`; 404 where the match has no such hand."""
    uid = request.args.get("hand", type=int)
    return None if "hand" not in request.args else match.result(uid or 0) or abort(404)


def opened_from() -> str:
    """Return the address of the new match from which rules were opened; empty where it is no page of a new match."""
    table = request.args.get(TABLE_FIELD, "")
    return table if table.startswith(f"{url_for('new.choose')}/") else ""
