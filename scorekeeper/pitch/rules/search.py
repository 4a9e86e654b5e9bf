"""Search for words: stems and spelling for names of games, and an index of rules by what tables type."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain, pairwise
from math import log, sqrt

from scorekeeper.pitch.rules.phrases import number_word

Phrase = tuple[str, ...]
"""Consecutive words."""
_NUMBER_WORDS = {str(digits): number_word(digits) for digits in range(1, 21)}
"""The words for the numbers 1 to 20, by their digits."""
_CONTRACTED_IS = re.compile(r"\b(who|what|when|how|where)s\b")
"""A question word with "is" contracted, without its apostrophe: "whats"."""
MIN_MISSPELLED_LENGTH = 4
"""The fewest letters of a word to correct; shorter words are near too many others."""
_WORD_ENDINGS = ("ing", "ed", "es", "s")
"""The endings that are cut off for a stem."""
_MAX_LENGTH_OF_UNCLIPPED_WORD = 5
"""The length of "begin" and "again", which end in "in" without a dropped g, unlike "biddin"."""
_MIN_SIMILARITY = 0.8
"""The share of letters that must be right in a misspelled word: of five letters one may be wrong."""
_SEQUENCE_LENGTHS = (3, 4)
"""The lengths of the letter sequences that are compared."""
_LETTERS_WEIGHT = 0.5
"""The weight of a letter sequence beside that of a word: a word has many sequences."""
_MAX_WORD_LENGTH = 20
"""The most letters of a word to compare; the rest is ignored."""


@lru_cache(maxsize=4096)
def normalized_words(text: str) -> Phrase:
    """Return a text's words in lower case without accents and apostrophes, numbers up to twenty as words. Cached."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "'")).encode("ascii", "ignore").decode().lower()
    plain = _CONTRACTED_IS.sub(r"\1 is", plain.replace("'", ""))
    return tuple(_NUMBER_WORDS.get(word, word) for word in re.findall(r"[a-z]+|\d+", plain))


@lru_cache(maxsize=4096)
def stem_word(word: str) -> str:
    """Return the stem of a word in lower case: "bid" for "bids", "bidding" and "biddin". Cached."""
    word += "g" if word.endswith("in") and len(word) > _MAX_LENGTH_OF_UNCLIPPED_WORD else ""
    ending = next((suffix for suffix in _WORD_ENDINGS if word.endswith(suffix) and len(word) > len(suffix) + 2), "")
    stem = word.removesuffix(ending).removesuffix("e")
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else stem


def nearest_spelling(word: str, known: Collection[str]) -> str | None:
    """Return the known word that a word is a likely misspelling of, with the same initial; `None` without one."""
    alike = sorted(other for other in known if other[:1] == word[:1])
    swapped = (other for other in alike if sorted(other) == sorted(word))
    return next(chain(swapped, get_close_matches(word, alike, 1, _MIN_SIMILARITY)), None)


Vector = Mapping[str, float]
"""The TF-IDF weights of words, pairs of words, and letter sequences; these begin with a dot."""


@dataclass(frozen=True, slots=True, eq=False)
class RuleIndex:
    """An index of rules by TF-IDF vectors of the questions that players type about them.

    A query is compared with the square root of the mean of a rule's example vectors and the vector of its sentence: the
    root keeps the weight of words in few examples from vanishing beside words in all examples.
    """

    idf: Mapping[str, float]
    """The inverse document frequency of each word, pair and letter sequence; a document is all examples of a rule."""
    idf_of_unseen: float
    """The inverse document frequency of a word in no examples."""
    sums: Mapping[str, Vector]
    """The sum of the vectors of a rule's examples, by the rule's id."""
    totals: Mapping[str, float]
    """The total weight of each of these sums plus the average total of all rules,
    so that a rule with few examples is not nearest to a word only because it has few other words.
    """

    @classmethod
    def from_examples(cls, examples: Mapping[str, Sequence[str]]) -> "RuleIndex":
        """Build the index from example questions by the id of their rule."""
        documents = (set(chain.from_iterable(map(_features, texts))) for texts in examples.values())
        frequency, n = Counter(chain.from_iterable(documents)), len(examples)
        index = cls({name: 1 + log((1 + n) / (1 + rules)) for name, rules in frequency.items()}, 1 + log(1 + n), {}, {})
        sums = {rule_id: _sum_vectors(map(index.vector, texts)) for rule_id, texts in examples.items()}
        totals = {rule_id: sum(vector.values()) for rule_id, vector in sums.items()}
        mean = sum(totals.values()) / (n or 1)
        return replace(index, sums=sums, totals={rule_id: total + mean for rule_id, total in totals.items()})

    def vector(self, text: str) -> Vector:
        """Return the TF-IDF vector of a text, of length 1; empty for a text without words."""
        weights = {
            name: (1 + log(n)) * self.idf.get(name, self.idf_of_unseen) * (_LETTERS_WEIGHT if name[0] == "." else 1)
            for name, n in _features(text).items()
        }
        length = sqrt(sum(weight * weight for weight in weights.values()))
        return {name: weight / length for name, weight in weights.items()}

    def similarity(self, query: Vector, rule_id: str, sentence: Vector) -> float:
        """Return how similar a query is to a rule: the cosine, 0 without anything in common."""
        examples = self.sums.get(rule_id, {})
        total = self.totals.get(rule_id, 0) + sum(sentence.values())
        product = sum(weight * sqrt(examples.get(name, 0) + sentence.get(name, 0)) for name, weight in query.items())
        return product and product / sqrt(total)

    def shares_word(self, query: Vector, rule_id: str, sentence: Vector) -> bool:
        """Return whether any word of a query is in a rule's sentence or examples."""
        examples = self.sums.get(rule_id, {})
        return any(name[0] != "." and (name in sentence or name in examples) for name in query)


def _features(text: str) -> Counter[str]:
    """Return how often each word, word pair and letter sequence is in a text."""
    words = normalized_words(text)
    return Counter(chain(words, map(" ".join, pairwise(words)), chain.from_iterable(map(_letter_sequences, words))))


@lru_cache(maxsize=4096)
def _letter_sequences(word: str) -> tuple[str, ...]:
    """Return the sequences of three and four letters in a word, with "." before each and "#" at the word's ends."""
    framed = f"#{word[:_MAX_WORD_LENGTH]}#"
    return tuple(f".{framed[at : at + n]}" for n in _SEQUENCE_LENGTHS for at in range(len(framed) - n + 1))


def _sum_vectors(vectors: Iterable[Vector]) -> Vector:
    total = defaultdict[str, float](float)
    for name, weight in chain.from_iterable(vector.items() for vector in vectors):
        total[name] += weight
    return total
