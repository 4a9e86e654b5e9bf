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

from scorekeeper.pitch.rules.phrases import number

_NUMBERS = {str(digits): number(digits) for digits in range(1, 21)}
"""The numbers in the names of games, as those names spell them."""
_IS = re.compile(r"\b(who|what|when|how|where)s\b")
SHORTEST_MISSPELLED = 4
"""Letters of a word that may be misspelled: of shorter ones too many are near."""
_ENDINGS = ("ing", "ed", "es", "s")
_SHORTEST_IN = 5
"""As long as "begin" and "again", in which no g is dropped."""
_LONG, _LIKENESS = 7, 0.8
"""Letters of a word that may have several wrong ones, and the share of them that has to be right."""
_LETTERS = (3, 4)
"""How many letters of a word stand together in a vector."""
_MAX_WORD_LENGTH = 20
"""As many letters of a word are looked at; longer ones are none."""


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters, with numbers up to twenty spelled out."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "'")).encode("ascii", "ignore").decode().lower()
    plain = _IS.sub(r"\1 is", plain.replace("'", ""))
    return [_NUMBERS.get(word, word) for word in re.findall(r"[a-z]+|\d+", plain)]


def has_words(text: list[str], wanted: list[str]) -> bool:
    """Return whether every wanted word begins a word of the text; "setback" matches "Set Back" too."""
    run_together = "".join(text)
    return all(
        any(word.startswith(part) for word in text) or (len(part) >= SHORTEST_MISSPELLED and part in run_together)
        for part in wanted
    )


@lru_cache(maxsize=4096)
def stem_of(word: str) -> str:
    """Return what "bids", "bidding", "biddin" and "bid" have in common."""
    word += "g" if word.endswith("in") and len(word) > _SHORTEST_IN else ""
    ending = next((it for it in _ENDINGS if word.endswith(it) and len(word) > len(it) + 2), "")
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
        wrong = [place for place in range(len(word)) if word[place] != other[place]]
        is_swapped = len(wrong) == 2 and sorted(word) == sorted(other)
        return is_swapped or (len(wrong) == 1 and len(word) > SHORTEST_MISSPELLED)
    short, long = sorted((word, other), key=len)
    return len(short) > 2 and short in {long[:place] + long[place + 1 :] for place in range(len(long))}


Features = tuple[Counter[str], Counter[str], Counter[str]]
"""How often a text has each word, each pair of words, and each few letters of a word."""
Vector = tuple[Mapping[str, float], ...]
"""The weights of words, of pairs and of letters; each of the three has the length 1, or is empty."""


@dataclass(frozen=True, slots=True, eq=False)
class RuleIndex:
    """A TF-IDF vector for each rule: the mean of its examples."""

    idf: Mapping[str, float]
    """The inverse document frequency of each word, pair and letters in the examples."""
    idf_of_unseen: float
    """That of whatever is in none of them."""
    centroids: Mapping[str, Vector]
    """The vectors by the ids of rules."""

    @classmethod
    def of(cls, examples: Mapping[str, Sequence[str]]) -> "RuleIndex":
        """Return the index of examples by the ids of rules."""
        frequency: Counter[str] = Counter()
        for text in chain.from_iterable(examples.values()):
            for kind in _features(text):
                frequency.update(kind.keys())
        n_texts = sum(map(len, examples.values()))
        index = cls({name: 1 + log((1 + n_texts) / (1 + n)) for name, n in frequency.items()}, 1 + log(1 + n_texts), {})
        return replace(index, centroids={it: _mean(map(index.vector, texts)) for it, texts in examples.items()})

    def vector(self, text: str) -> Vector:
        """Return the vector of a text."""
        return tuple(
            _normalized({name: (1 + log(n)) * self.idf.get(name, self.idf_of_unseen) for name, n in kind.items()})
            for kind in _features(text)
        )


def similarity(vector: Vector, other: Vector) -> float:
    """Return the sum of the cosines of words, pairs and letters."""
    return sum(
        weight * weights[name]
        for kind, weights in zip(vector, other, strict=True)
        for name, weight in kind.items()
        if name in weights
    )


def _features(text: str) -> Features:
    words = words_of(text)
    return Counter(words), Counter(map(" ".join, pairwise(words))), Counter(chain.from_iterable(map(_letters, words)))


@lru_cache(maxsize=4096)
def _letters(word: str) -> tuple[str, ...]:
    """Return the letters of a word that stand together, with its ends."""
    framed = f"#{word[:_MAX_WORD_LENGTH]}#"
    return tuple(f".{framed[at : at + n]}" for n in _LETTERS for at in range(len(framed) - n + 1))


def _mean(vectors: Iterable[Vector]) -> Vector:
    sums: tuple[defaultdict[str, float], ...] = (defaultdict(float), defaultdict(float), defaultdict(float))
    for vector in vectors:
        for total, kind in zip(sums, vector, strict=True):
            for name, weight in kind.items():
                total[name] += weight
    return tuple(map(_normalized, sums))


def _normalized(weights: Mapping[str, float]) -> Mapping[str, float]:
    length = sqrt(sum(weight * weight for weight in weights.values()))
    return {name: weight / length for name, weight in weights.items()}
