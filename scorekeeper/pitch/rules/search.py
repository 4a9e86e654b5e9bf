"""Words that are searched for: names of games, and rules by what tables type, misspelled or in dialect."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain, pairwise
from math import log, sqrt
from operator import add

from scorekeeper.pitch.rules.phrases import number

Phrase = tuple[str, ...]
"""Words, one after the other."""
_NUMBERS = {str(digits): number(digits) for digits in range(1, 21)}
"""The numbers in the names of games, as those names spell them."""
_IS = re.compile(r"\b(who|what|when|how|where)s\b")
MIN_MISSPELLED_LENGTH = 4
"""Letters of a word that may be misspelled: of shorter ones too many are near."""
_ENDINGS = ("ing", "ed", "es", "s")
_MIN_LENGTH_WITHOUT_G = 5
"""As long as "begin" and "again", in which no g is dropped."""
_LONG, _LIKENESS = 7, 0.8
"""Letters of a word that may have several wrong ones, and the share of them that has to be right."""
_LETTERS = (3, 4)
"""How many letters of a word stand together in a vector."""
_MAX_WORD_LENGTH = 20
"""The number of letters of a word that are compared; the rest of a longer one is ignored."""


@lru_cache(maxsize=4096)
def words_of(text: str) -> Phrase:
    """Return the words of a text in small letters, with numbers up to twenty spelled out."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "'")).encode("ascii", "ignore").decode().lower()
    plain = _IS.sub(r"\1 is", plain.replace("'", ""))
    return tuple(_NUMBERS.get(word, word) for word in re.findall(r"[a-z]+|\d+", plain))


@lru_cache(maxsize=4096)
def stem_of(word: str) -> str:
    """Return what "bids", "bidding", "biddin" and "bid" have in common."""
    word += "g" if word.endswith("in") and len(word) > _MIN_LENGTH_WITHOUT_G else ""
    ending = next((suffix for suffix in _ENDINGS if word.endswith(suffix) and len(word) > len(suffix) + 2), "")
    stem = word.removesuffix(ending).removesuffix("e")
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else stem


def near_words(word: str, known: Iterable[str]) -> Iterator[str]:
    """Yield the known words that one may stand for: with one letter too many, too few, wrong or swapped, or of a long
    word with most of its letters.
    """
    alike = [other for other in known if other[:1] == word[:1]]
    near = [other for other in alike if _is_near(word, other)]
    yield from near or (get_close_matches(word, alike, 1, _LIKENESS) if len(word) >= _LONG else ())


def _is_near(word: str, other: str) -> bool:
    if len(word) == len(other):
        wrong = [index for index in range(len(word)) if word[index] != other[index]]
        is_swapped = len(wrong) == 2 and sorted(word) == sorted(other)
        return is_swapped or (len(wrong) == 1 and len(word) > MIN_MISSPELLED_LENGTH)
    short, long = sorted((word, other), key=len)
    return len(short) > 2 and short in {long[:index] + long[index + 1 :] for index in range(len(long))}


Features = tuple[Counter[str], Counter[str], Counter[str]]
"""How often a text has each word, each pair of words, and each few letters of a word."""
Vector = tuple[Mapping[str, float], ...]
"""The weights of words, of pairs and of letters; each of the three has the length 1, or is empty."""


_NOTHING: Vector = ({}, {}, {})


@dataclass(frozen=True, slots=True, eq=False)
class RuleIndex:
    """A TF-IDF vector for each rule: the square root of the mean of its examples and its sentence.

    The square root keeps what stands in few of them beside what stands in all.
    """

    idf: Mapping[str, float]
    """The inverse document frequency of each word, pair and letters, where a document is all the examples of a rule."""
    idf_of_unseen: float
    """The inverse document frequency of what is in no examples."""
    sums: Mapping[str, Vector]
    """The vectors of a rule's examples added up, by its id."""
    totals: Mapping[str, tuple[float, ...]]
    """All the weights of each of these, of its words, pairs and letters, and as many again as a rule has on average:
    so a rule with few examples is not the nearest to a word only because it has few others.
    """

    @classmethod
    def of(cls, examples: Mapping[str, Sequence[str]]) -> "RuleIndex":
        """Return the index of examples by the ids of rules."""
        frequency: Counter[str] = Counter()
        for texts in examples.values():
            frequency.update(set(chain.from_iterable(chain.from_iterable(map(_features, texts)))))
        n = len(examples)
        index = cls({name: 1 + log((1 + n) / (1 + rules)) for name, rules in frequency.items()}, 1 + log(1 + n), {}, {})
        sums = {rule_id: _sum(map(index.vector, texts)) for rule_id, texts in examples.items()}
        totals = {rule_id: _totals(vector) for rule_id, vector in sums.items()}
        mean = [sum(kind) / n for kind in zip(*totals.values(), strict=True)]
        return replace(index, sums=sums, totals={term: tuple(map(add, total, mean)) for term, total in totals.items()})

    def vector(self, text: str) -> Vector:
        """Return the vector of a text."""
        return tuple(map(self._weights, _features(text)))

    def similarity(self, query: Vector, rule_id: str, sentence: Vector) -> float:
        """Return the sum of the cosines of words, pairs and letters, of a query and of a rule with this sentence."""
        examples, totals = self.sums.get(rule_id, _NOTHING), self.totals.get(rule_id, _totals(_NOTHING))
        return sum(map(_cosine, query, examples, sentence, map(add, totals, _totals(sentence))))

    def shares_word(self, query: Vector, rule_id: str, sentence: Vector) -> bool:
        """Return whether a word of a query leads to a rule with this sentence."""
        words = query[0].keys()
        return not (words.isdisjoint(sentence[0]) and words.isdisjoint(self.sums.get(rule_id, _NOTHING)[0]))

    def _weights(self, counts: Counter[str]) -> Mapping[str, float]:
        weights = {name: (1 + log(n)) * self.idf.get(name, self.idf_of_unseen) for name, n in counts.items()}
        length = sqrt(sum(weight * weight for weight in weights.values()))
        return {name: weight / length for name, weight in weights.items()}


def _features(text: str) -> Features:
    words = words_of(text)
    return Counter(words), Counter(map(" ".join, pairwise(words))), Counter(chain.from_iterable(map(_letters, words)))


@lru_cache(maxsize=4096)
def _letters(word: str) -> tuple[str, ...]:
    """Return the letters of a word that stand together, with its ends."""
    framed = f"#{word[:_MAX_WORD_LENGTH]}#"
    return tuple(f".{framed[at : at + n]}" for n in _LETTERS for at in range(len(framed) - n + 1))


def _sum(vectors: Iterable[Vector]) -> Vector:
    sums: tuple[defaultdict[str, float], ...] = (defaultdict(float), defaultdict(float), defaultdict(float))
    for vector in vectors:
        for total, kind in zip(sums, vector, strict=True):
            for name, weight in kind.items():
                total[name] += weight
    return sums


def _totals(vector: Vector) -> tuple[float, ...]:
    return tuple(sum(kind.values()) for kind in vector)


def _cosine(
    query: Mapping[str, float], examples: Mapping[str, float], sentence: Mapping[str, float], total: float
) -> float:
    """Return the cosine of a query and the square root of two vectors' sum; `total` is the sum of their weights."""
    product = sum(weight * sqrt(examples.get(name, 0) + sentence.get(name, 0)) for name, weight in query.items())
    return product and product / sqrt(total)
