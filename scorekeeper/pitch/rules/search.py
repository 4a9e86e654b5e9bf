"""Search by words: spelling and stems for the names of games, and an index of rules by example questions."""

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
"""Consecutive words of a text: `("high", "score")`."""
_NUMBER_WORDS = {str(digits): number_word(digits) for digits in range(1, 21)}
"""The words for the numbers 1 to 20, keyed by their digits: "5" is "five"."""
_CONTRACTED_IS = re.compile(r"\b(who|what|when|how|where)s\b")
"""Matches a question word with "is" contracted and no apostrophe: "whats", "hows"."""
MIN_MISSPELLED_LENGTH = 4
"""The fewest letters in a word whose spelling is corrected. Shorter words are too much alike."""
_WORD_ENDINGS = ("ing", "ed", "es", "s")
"""The endings that are cut off a word to get its stem."""
_MAX_LENGTH_OF_UNCLIPPED_WORD = 5
"""The most letters of a word whose final "in" is part of it, as in "begin". In the longer "biddin", a "g" is
missing."""
_MIN_SIMILARITY = 0.8
"""The least similarity, from 0 to 1, between a misspelled word and the right one. One of five letters may be wrong."""
_SEQUENCE_LENGTHS = (3, 4)
"""The lengths of the sequences of letters that are compared."""
_LETTERS_WEIGHT = 0.5
"""The weight of a sequence of letters, relative to a word. A word has many sequences."""
_MAX_WORD_LENGTH = 20
"""The number of letters at the start of a word from which sequences are taken."""


@lru_cache(maxsize=4096)
def normalized_words(text: str) -> Phrase:
    """Return the words of a text, spelled alike for comparing: `("what", "is", "five")` for "What’s 5". Cached."""
    letters = unicodedata.normalize("NFKD", text.replace("’", "'"))
    plain_text = "".join(letter for letter in letters if letter.isascii() or letter.isalpha()).lower()
    plain_text = _CONTRACTED_IS.sub(r"\1 is", plain_text.replace("'", ""))
    return tuple(_NUMBER_WORDS.get(word, word) for word in re.findall(r"[^\W\d_]+|\d+", plain_text))


@lru_cache(maxsize=4096)
def stem_word(word: str) -> str:
    """Return the stem of a lower-case word: "bid" for "bids", "bidding" and "biddin". Cached."""
    word += "g" if word.endswith("in") and len(word) > _MAX_LENGTH_OF_UNCLIPPED_WORD else ""
    ending = next((suffix for suffix in _WORD_ENDINGS if word.endswith(suffix) and len(word) > len(suffix) + 2), "")
    stem = word.removesuffix(ending).removesuffix("e")
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else stem


def nearest_spelling(word: str, known_words: Collection[str]) -> str | None:
    """Return the known word that `word` probably misspells; `None` if there is none.

    Both words have the same first letter.
    """
    words_with_same_initial = sorted(known_word for known_word in known_words if known_word[:1] == word[:1])
    anagrams = (known_word for known_word in words_with_same_initial if sorted(known_word) == sorted(word))
    return next(chain(anagrams, get_close_matches(word, words_with_same_initial, 1, _MIN_SIMILARITY)), None)


Vector = Mapping[str, float]
"""TF-IDF weights, keyed by feature: a word, a pair of words, or a sequence of letters, which starts with a dot."""


@dataclass(frozen=True, slots=True, eq=False)
class RuleIndex:
    """An index of example questions, as TF-IDF vectors, with which the rule that answers a question is found."""

    idf_by_feature: Mapping[str, float]
    """The inverse document frequency of each feature in the examples. All examples of one rule are one document."""
    unseen_idf: float
    """The inverse document frequency of a feature that is in no example."""
    vector_sum_by_rule_id: Mapping[str, Vector]
    """The sum of the vectors of a rule's examples, keyed by the rule's id."""
    total_by_rule_id: Mapping[str, float]
    """The total weight of a rule's examples plus the average over all rules, keyed by the rule's id."""

    @classmethod
    def from_examples(cls, examples_by_rule_id: Mapping[str, Sequence[str]]) -> "RuleIndex":
        """Build the index from example questions, keyed by the id of the rule that answers them."""
        features_of_rules = (
            set(chain.from_iterable(map(_features, questions))) for questions in examples_by_rule_id.values()
        )
        rule_count_by_feature = Counter(chain.from_iterable(features_of_rules))
        total_rule_count = len(examples_by_rule_id)
        index = cls(
            {
                feature: 1 + log((1 + total_rule_count) / (1 + count))
                for feature, count in rule_count_by_feature.items()
            },
            1 + log(1 + total_rule_count),
            {},
            {},
        )
        vector_sum_by_rule_id = {
            rule_id: _sum_vectors(map(index.vector, questions)) for rule_id, questions in examples_by_rule_id.items()
        }
        total_by_rule_id = {rule_id: sum(vector.values()) for rule_id, vector in vector_sum_by_rule_id.items()}
        # Without the mean, a rule with few examples would seem nearest to a word only because it has few other words.
        mean_total = sum(total_by_rule_id.values()) / (total_rule_count or 1)
        return replace(
            index,
            vector_sum_by_rule_id=vector_sum_by_rule_id,
            total_by_rule_id={rule_id: total + mean_total for rule_id, total in total_by_rule_id.items()},
        )

    def vector(self, text: str) -> Vector:
        """Return the TF-IDF vector of a text, scaled to length 1; empty for a text without words."""
        weights = {
            feature: (1 + log(count))
            * self.idf_by_feature.get(feature, self.unseen_idf)
            * (_LETTERS_WEIGHT if feature[0] == "." else 1)
            for feature, count in _features(text).items()
        }
        length = sqrt(sum(weight * weight for weight in weights.values()))
        return {feature: weight / length for feature, weight in weights.items()}

    def similarity(self, query_vector: Vector, rule_id: str, sentence_vector: Vector) -> float:
        """Return how similar a query and a rule are, by the cosine of their vectors; 0 if they share nothing.

        The vector of the rule's sentence counts beside those of its examples.
        """
        examples_sum = self.vector_sum_by_rule_id.get(rule_id, {})
        total = self.total_by_rule_id.get(rule_id, 0) + sum(sentence_vector.values())
        # The root keeps words in few examples from vanishing beside words in all examples.
        dot_product = sum(
            weight * sqrt(examples_sum.get(feature, 0) + sentence_vector.get(feature, 0))
            for feature, weight in query_vector.items()
        )
        return dot_product and dot_product / sqrt(total)

    def shares_word(self, query_vector: Vector, rule_id: str, sentence_vector: Vector) -> bool:
        """Return whether any word of a query is in a rule's sentence or in its examples."""
        examples_sum = self.vector_sum_by_rule_id.get(rule_id, {})
        return any(
            feature[0] != "." and (feature in sentence_vector or feature in examples_sum) for feature in query_vector
        )


def _features(text: str) -> Counter[str]:
    """Return the words, pairs of words and sequences of letters in a text, with how often each occurs."""
    words = normalized_words(text)
    return Counter(chain(words, map(" ".join, pairwise(words)), chain.from_iterable(map(_letter_sequences, words))))


@lru_cache(maxsize=4096)
def _letter_sequences(word: str) -> tuple[str, ...]:
    """Return the sequences of 3 and 4 letters in a word, each after a dot: ".#bi", ".bid". Cached.

    A "#" stands for the start and the end of the word.
    """
    framed_word = f"#{word[:_MAX_WORD_LENGTH]}#"
    return tuple(
        f".{framed_word[start : start + length]}"
        for length in _SEQUENCE_LENGTHS
        for start in range(len(framed_word) - length + 1)
    )


def _sum_vectors(vectors: Iterable[Vector]) -> Vector:
    vector_sum = defaultdict[str, float](float)
    for feature, weight in chain.from_iterable(vector.items() for vector in vectors):
        vector_sum[feature] += weight
    return vector_sum
