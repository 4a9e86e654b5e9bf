"""Search a rule sheet for the rules that are most similar to a few words, such as "who gets the Jack"."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.search import RuleIndex, Vector
from scorekeeper.pitch.sheets.parts import Rule, RuleOrigin

MAX_FOUND_RULES = 3
_SEVERAL_AWARDS_ID = "count.*"
"""The id of the example questions that find every rule on several awards."""


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A rule found by a search, and how well it matches."""

    rule: Rule
    similarity: float
    shares_word: bool
    """Whether a whole word matches, rather than parts of words alone."""
    note: str
    """A sentence for a game without High or Low: "In this game the Ace takes the place of High."; else empty."""


def find_rules(
    rules: Sequence[Rule], notes: Sequence[str], base: Ruleset, index: RuleIndex, text: str
) -> tuple[FoundRule, ...]:
    """Return up to `MAX_FOUND_RULES` rules that are similar to a text, the most similar first.

    A rule is found by its own words, or by the example questions for it in `index`. The `notes` of the house are
    searched as well; `base` is the published ruleset.
    """
    query = index.vector(text)
    sheet_ids = {rule_id for rule in rules for rule_id in (rule.id, *rule.also)}
    note_rules = [Rule(id="house", text=note, origin=RuleOrigin(changed=("notes",))) for note in notes]
    nearest: dict[Rule, FoundRule] = {}
    for rule in (*rules, *note_rules):
        sentence = _cached_vector(index, rule.sentence)
        for rule_id in _example_ids(rule, sheet_ids, base):
            similarity = index.similarity(query, rule_id, sentence)
            if similarity > (nearest[rule].similarity if rule in nearest else 0):
                shares_word = index.shares_word(query, rule_id, sentence)
                nearest[rule] = FoundRule(rule, similarity, shares_word, _replacement_note(rule_id, sheet_ids, base))
    return tuple(sorted(nearest.values(), key=lambda found: -found.similarity)[:MAX_FOUND_RULES])


@lru_cache(maxsize=256)
def _cached_vector(index: RuleIndex, sentence: str) -> Vector:
    """Return the search vector of a sentence. Cached."""
    return index.vector(sentence)


def _example_ids(rule: Rule, sheet_ids: Collection[str], base: Ruleset) -> Iterator[str]:
    """Yield the ids whose example questions find a rule: its own, and those of missing rules that it replaces.

    `sheet_ids` are the ids of all rules of the sheet, and `base` says which rule replaces which.
    """
    own_ids = (rule.id, *rule.also)
    yield from own_ids
    if rule.also and rule.id.startswith("count."):
        yield _SEVERAL_AWARDS_ID
    for missing, substitutes in base.sheet.instead.items():
        if (
            missing not in sheet_ids
            and next((rule_id for rule_id in substitutes if rule_id in sheet_ids), "") in own_ids
        ):
            yield missing


def _replacement_note(rule_id: str, sheet_ids: Collection[str], base: Ruleset) -> str:
    """Return a sentence on the card that takes the place of High or Low, if the game lacks the award of `rule_id`.

    The text is empty for any other award. `sheet_ids` are the ids of all rules of the sheet.
    """
    if rule_id in sheet_ids or rule_id not in ("count.high", "count.low"):
        return ""
    rule_ids = (rule_id, *base.sheet.instead[rule_id])
    award, substitute = (base.awards[award_rule_id.removeprefix("count.")].name for award_rule_id in rule_ids)
    return f"In this game the {substitute} takes the place of {award}."
