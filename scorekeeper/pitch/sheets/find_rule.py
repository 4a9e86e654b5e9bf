"""Find a rule: the rules of a sheet that are most similar to a few words."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.search import RuleIndex, Vector
from scorekeeper.pitch.sheets.parts import Rule, RuleOrigin

MAX_FOUND_RULES = 3
_SEVERAL_AWARDS_ID = "count.*"
"""The id of the examples for any rule about several awards."""


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A rule found for some words, with how similar it is."""

    rule: Rule
    score: float
    shares_word: bool
    """Whether a whole word matched, and not only some letters of a word."""
    note: str
    """Which card replaces High or Low, where the words are about one that is not in play; else empty."""


def find_rules(
    rules: Sequence[Rule], notes: Sequence[str], base: Ruleset, index: RuleIndex, text: str
) -> tuple[FoundRule, ...]:
    """Return up to `MAX_FOUND_RULES` rules, most similar to a text first; none that has nothing in common with it.

    A rule is found by its own words, by its example questions, and by the examples of missing rules that it replaces
    according to `base`, the published ruleset. Awards of the house's own, and its notes, which count as rules without a
    number, have no examples.
    """
    query = index.vector(text)
    ids = {rule_id for rule in rules for rule_id in (rule.id, *rule.also)}
    noted = [Rule(id="house", text=note, origin=RuleOrigin(house=("notes",))) for note in notes]
    nearest: dict[Rule, FoundRule] = {}
    for rule in (*rules, *noted):
        sentence = _cached_vector(index, rule.sentence)
        for rule_id in _example_ids(rule, ids, base):
            score = index.similarity(query, rule_id, sentence)
            if score > (nearest[rule].score if rule in nearest else 0):
                shares_word = index.shares_word(query, rule_id, sentence)
                nearest[rule] = FoundRule(rule, score, shares_word, _replacement_note(rule_id, ids, base))
    return tuple(sorted(nearest.values(), key=lambda found: -found.score)[:MAX_FOUND_RULES])


@lru_cache(maxsize=256)
def _cached_vector(index: RuleIndex, sentence: str) -> Vector:
    """Return the vector of a sentence; cached."""
    return index.vector(sentence)


def _example_ids(rule: Rule, ids: Collection[str], base: Ruleset) -> Iterator[str]:
    """Yield the ids whose examples are for a rule; `ids` are all ids of its sheet."""
    own = (rule.id, *rule.also)
    yield from own
    if rule.also and rule.id.startswith("count."):
        yield _SEVERAL_AWARDS_ID
    for missing, substitutes in base.sheet.instead.items():
        if missing not in ids and next((rule_id for rule_id in substitutes if rule_id in ids), "") in own:
            yield missing


def _replacement_note(rule_id: str, ids: Collection[str], base: Ruleset) -> str:
    """Return which card replaces High or Low, where `rule_id` is one of these and the sheet lacks it; else empty."""
    if rule_id in ids or rule_id not in ("count.high", "count.low"):
        return ""
    both = (rule_id, *base.sheet.instead[rule_id])
    award, card = (base.awards[award_rule.removeprefix("count.")].name for award_rule in both)
    return f"In this game the {card} takes the place of {award}."
