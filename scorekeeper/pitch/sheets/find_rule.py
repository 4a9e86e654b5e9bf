"""Search a rule sheet: the rules that are most similar to a few words."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.search import RuleIndex, Vector
from scorekeeper.pitch.sheets.parts import Rule, RuleOrigin

MAX_FOUND_RULES = 3
_SEVERAL_AWARDS_ID = "count.*"
"""The id of the example questions for every rule that covers several awards."""


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A rule that matches a search, and how well it does."""

    rule: Rule
    similarity: float
    shares_word: bool
    """Whether a whole word matches, and not only some letters of a word."""
    note: str
    """A sentence on the card that takes the place of High or Low in this game; usually empty."""


def find_rules(
    rules: Sequence[Rule], notes: Sequence[str], base: Ruleset, index: RuleIndex, text: str
) -> tuple[FoundRule, ...]:
    """Return up to `MAX_FOUND_RULES` rules that are similar to a text, the most similar first.

    A rule is found by its own words or by example questions in `index`. `notes` of the house are searched like rules,
    and `base` is the published ruleset.
    """
    query = index.vector(text)
    ids = {rule_id for rule in rules for rule_id in (rule.id, *rule.also)}
    noted = [Rule(id="house", text=note, origin=RuleOrigin(changed=("notes",))) for note in notes]
    nearest: dict[Rule, FoundRule] = {}
    for rule in (*rules, *noted):
        sentence = _cached_vector(index, rule.sentence)
        for rule_id in _example_ids(rule, ids, base):
            similarity = index.similarity(query, rule_id, sentence)
            if similarity > (nearest[rule].similarity if rule in nearest else 0):
                shares_word = index.shares_word(query, rule_id, sentence)
                nearest[rule] = FoundRule(rule, similarity, shares_word, _replacement_note(rule_id, ids, base))
    return tuple(sorted(nearest.values(), key=lambda found: -found.similarity)[:MAX_FOUND_RULES])


@lru_cache(maxsize=256)
def _cached_vector(index: RuleIndex, sentence: str) -> Vector:
    """Return the search vector of a sentence. Cached."""
    return index.vector(sentence)


def _example_ids(rule: Rule, ids: Collection[str], base: Ruleset) -> Iterator[str]:
    """Yield the ids under which example questions for a rule are found.

    Rules that it replaces according to `base` are included. `ids` are the ids of all rules of the sheet.
    """
    own = (rule.id, *rule.also)
    yield from own
    if rule.also and rule.id.startswith("count."):
        yield _SEVERAL_AWARDS_ID
    for missing, substitutes in base.sheet.instead.items():
        if missing not in ids and next((rule_id for rule_id in substitutes if rule_id in ids), "") in own:
            yield missing


def _replacement_note(rule_id: str, ids: Collection[str], base: Ruleset) -> str:
    """Return a sentence on the card that takes the place of High or Low.

    Empty if `rule_id` is for another award, or for one in play. `ids` are the ids of all rules of the sheet.
    """
    if rule_id in ids or rule_id not in ("count.high", "count.low"):
        return ""
    both = (rule_id, *base.sheet.instead[rule_id])
    award, card = (base.awards[award_rule.removeprefix("count.")].name for award_rule in both)
    return f"In this game the {card} takes the place of {award}."
