"""Search by words: stems and spelling for the names of games, and an index of rules by example questions."""

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
"""A sequence of consecutive words."""
_NUMBER_WORDS = {str(digits): number_word(digits) for digits in range(1, 21)}
"""The words for the numbers 1 to 20, by their digits."""
_CONTRACTED_IS = re.compile(r"\b(who|what|when|how|where)s\b")
"""Matches a question word with a contracted "is" and no apostrophe: "whats", "hows", and so on."""
MIN_MISSPELLED_LENGTH = 4
"""The fewest letters in a word whose spelling is corrected; shorter words are too much alike."""
_WORD_ENDINGS = ("ing", "ed", "es", "s")
"""The endings that are cut off a word to get its stem."""
_MAX_LENGTH_OF_UNCLIPPED_WORD = 5
"""The length up to which a final "in" belongs to a word, as in "begin"; "biddin" is longer, and lacks a "g"."""
_MIN_SIMILARITY = 0.8
"""The least similarity, from 0 to 1, of a misspelled word to the right one: one of five letters may be wrong."""
_SEQUENCE_LENGTHS = (3, 4)
"""The lengths of the letter sequences that are compared."""
_LETTERS_WEIGHT = 0.5
"""The weight of a letter sequence relative to a word, which has many sequences."""
_MAX_WORD_LENGTH = 20
"""The number of letters of a word from which letter sequences are taken."""


@lru_cache(maxsize=4096)
def normalized_words(text: str) -> Phrase:
    """Return the words of a text, spelled alike for comparing: "what", "is", "five" for "What’s 5". Cached."""
    letters = unicodedata.normalize("NFKD", text.replace("’", "'"))
    plain = "".join(letter for letter in letters if letter.isascii() or letter.isalpha()).lower()
    plain = _CONTRACTED_IS.sub(r"\1 is", plain.replace("'", ""))
    return tuple(_NUMBER_WORDS.get(word, word) for word in re.findall(r"[^\W\d_]+|\d+", plain))


@lru_cache(maxsize=4096)
def stem_word(word: str) -> str:
    """Return the stem of a lower-case word: "bid" for "bids", "bidding" and "biddin". Cached."""
    word += "g" if word.endswith("in") and len(word) > _MAX_LENGTH_OF_UNCLIPPED_WORD else ""
    ending = next((suffix for suffix in _WORD_ENDINGS if word.endswith(suffix) and len(word) > len(suffix) + 2), "")
    stem = word.removesuffix(ending).removesuffix("e")
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else stem


def nearest_spelling(word: str, known_words: Collection[str]) -> str | None:
    """Return the known word that `word` probably misspells, with the same initial; `None` if there is none."""
    same_initial = sorted(other for other in known_words if other[:1] == word[:1])
    anagrams = (other for other in same_initial if sorted(other) == sorted(word))
    return next(chain(anagrams, get_close_matches(word, same_initial, 1, _MIN_SIMILARITY)), None)


Vector = Mapping[str, float]
"""TF-IDF weights of words, of pairs of words, and of letter sequences, which start with a dot."""


@dataclass(frozen=True, slots=True, eq=False)
class RuleIndex:
    """An index that finds rules by TF-IDF vectors of example questions."""

    idf: Mapping[str, float]
    """The inverse document frequency of each word, pair and letter sequence; each rule's examples are one document."""
    idf_of_unseen: float
    """The inverse document frequency of a word, pair or letter sequence that is in no example."""
    sums: Mapping[str, Vector]
    """The sum of the vectors of a rule's examples, by the rule's id."""
    totals: Mapping[str, float]
    """The sum of a rule's weights in `sums`, plus the average over all rules, by the rule's id."""

    @classmethod
    def from_examples(cls, examples: Mapping[str, Sequence[str]]) -> "RuleIndex":
        """Build the index from example questions, by the id of the rule that answers them."""
        documents = (set(chain.from_iterable(map(_features, texts))) for texts in examples.values())
        frequency, n = Counter(chain.from_iterable(documents)), len(examples)
        index = cls({name: 1 + log((1 + n) / (1 + rules)) for name, rules in frequency.items()}, 1 + log(1 + n), {}, {})
        sums = {rule_id: _sum_vectors(map(index.vector, texts)) for rule_id, texts in examples.items()}
        totals = {rule_id: sum(vector.values()) for rule_id, vector in sums.items()}
        # Without the mean, a rule with few examples would seem nearest to a word only because it has few other words.
        mean = sum(totals.values()) / (n or 1)
        return replace(index, sums=sums, totals={rule_id: total + mean for rule_id, total in totals.items()})

    def vector(self, text: str) -> Vector:
        """Return the TF-IDF vector of a text, with length 1; empty for a text without words."""
        weights = {
            name: (1 + log(n)) * self.idf.get(name, self.idf_of_unseen) * (_LETTERS_WEIGHT if name[0] == "." else 1)
            for name, n in _features(text).items()
        }
        length = sqrt(sum(weight * weight for weight in weights.values()))
        return {name: weight / length for name, weight in weights.items()}

    def similarity(self, query: Vector, rule_id: str, sentence: Vector) -> float:
        """Return the cosine similarity of a query and a rule, 0 if they have nothing in common.

        `sentence` is the vector of the rule's sentence.
        """
        examples_sum = self.sums.get(rule_id, {})
        total = self.totals.get(rule_id, 0) + sum(sentence.values())
        # The root keeps words in few examples from vanishing beside words in all examples.
        product = sum(
            weight * sqrt(examples_sum.get(name, 0) + sentence.get(name, 0)) for name, weight in query.items()
        )
        return product and product / sqrt(total)

    def shares_word(self, query: Vector, rule_id: str, sentence: Vector) -> bool:
        """Return whether any word of a query is also in a rule's sentence or in its examples."""
        examples_sum = self.sums.get(rule_id, {})
        return any(name[0] != "." and (name in sentence or name in examples_sum) for name in query)


def _features(text: str) -> Counter[str]:
    """Return the words, pairs of words and letter sequences in a text, with how often each occurs."""
    words = normalized_words(text)
    return Counter(chain(words, map(" ".join, pairwise(words)), chain.from_iterable(map(_letter_sequences, words))))


@lru_cache(maxsize=4096)
def _letter_sequences(word: str) -> tuple[str, ...]:
    """Return the 3- and 4-letter sequences in a word, each after a dot. Cached.

    A "#" marks the start and the end of the word.
    """
    framed = f"#{word[:_MAX_WORD_LENGTH]}#"
    return tuple(f".{framed[at : at + n]}" for n in _SEQUENCE_LENGTHS for at in range(len(framed) - n + 1))


def _sum_vectors(vectors: Iterable[Vector]) -> Vector:
    total = defaultdict[str, float](float)
    for name, weight in chain.from_iterable(vector.items() for vector in vectors):
        total[name] += weight
    return total
