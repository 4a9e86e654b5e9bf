"""Words that are searched for: names of games, and what a table asks about its rules, misspelled or in dialect."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain
from math import log

from scorekeeper.pitch.rules.phrases import number
from scorekeeper.pitch.rules.schema import Listing

_NUMBERS = {str(digits): number(digits) for digits in range(1, 21)}
"""The numbers in the names of games, as those names spell them."""
_IS = re.compile(r"\b(who|what|when|how|where)s\b")
_DID = re.compile(r"^\s*who (?=[a-z]+ed\b)")
"""Who did something is no question about a rule."""
SHORTEST_MISSPELLED = 4
"""Letters of a word that may be misspelled: of shorter ones too many are near."""
_ENDINGS = ("ing", "ed", "es", "s")
_SHORTEST_IN = 5
"""As long as "begin" and "again", in which no g is dropped."""
_LONG, _LIKENESS = 7, 0.8
"""Letters of a word that may have several wrong ones, and the share of them that has to be right."""
_FEWEST_EXAMPLES = 12
"""Among fewer questions no word is as sure as its share of them."""
_RARE, _STATED, _COMMON, _NEAREST = 0.01, 0.04, 0.2, 0.35
"""The share of a word that is as good as none; what it counts as where the text of a rule has it; how much a word
counts each time its share is e times as high; what a question adds that is an example word by word."""
_LEAST_PART, _OF_PART = 4.0, 0.6
"""What a sentence of a question has to tell to be heard alone, and how much less it counts the smaller a part it is."""
_SPREAD, _UNKNOWN, _STORY = 0.9, 1.4, 20
"""How much it takes from a word that many rules are asked about with it; how much more one tells that is in no example,
measured by one that is in those of a single rule; what others tell together where it tells half as much."""
_WORTH = "card_worth"
"""What a question is about, too, that has a card and a word for what one counts."""


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters, with numbers up to twenty spelled out."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "'")).encode("ascii", "ignore").decode().lower()
    plain = _DID.sub("who did ", _IS.sub(r"\1 is", plain.replace("'", "")))
    return [_NUMBERS.get(word, word) for word in re.findall(r"[a-z]+|\d+", plain)]


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text, without those that have no word."""
    return [part for part in re.split(r"[.?!;]+(?:\s+|$)", text) if part.strip()]


def has_words(text: list[str], wanted: list[str]) -> bool:
    """Return whether every wanted word begins a word of the text; "setback" matches "Set Back" too."""
    run_together = "".join(text)
    return all(
        any(word.startswith(part) for word in text) or (len(part) >= SHORTEST_MISSPELLED and part in run_together)
        for part in wanted
    )


def stems_of(text: str) -> list[str]:
    """Return the words of a text without their endings."""
    return [stem_of(word) for word in words_of(text)]


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


_VALUES = {stem_of(word): int(digits) for digits, word in _NUMBERS.items()}


def _about_numbers(stems: Sequence[str]) -> Iterator[str]:
    """Yield what numbers in a question come to, such as a bid and what was taken for it."""
    values = [_VALUES.get(stem) or int(stem) for stem in stems if stem in _VALUES or stem.isdigit()]
    if len(values) > 1 and values[0] != values[-1]:
        yield "rising" if values[0] < values[-1] else "falling"
    if any(value > len(_VALUES) for value in values):
        yield "large"


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A question that a rule answers, as the words in it."""

    words: frozenset[str]
    yes: str = ""
    """When the answer is Yes: `yes`, `no`, an option, or an option with the answers for Yes and those for No; or what
    the rule says then, after `text`."""
    weight: float = 0.0
    """How much its words tell together."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Questions that one rule answers."""

    questions: Sequence[Asked] = ()
    shares: Mapping[str, float] = field(default_factory=dict)
    """The share of them that has a word, by that word."""

    @classmethod
    def of(cls, questions: Sequence[Asked]) -> "Examples":
        """Return questions with how often they have each word."""
        counts = Counter(chain.from_iterable(question.words for question in questions))
        every = max(len(questions), _FEWEST_EXAMPLES)
        return cls(questions, {word: count / every for word, count in counts.items()})

    def weighed(self, weights: Mapping[str, float]) -> "Examples":
        """Return them with how much each question tells."""
        questions = (replace(it, weight=sum(weights[word] for word in sorted(it.words))) for it in self.questions)
        return replace(self, questions=tuple(questions))


@dataclass(frozen=True, slots=True)
class Heard:
    """A question that somebody asks."""

    weights: Mapping[str, float]
    """What it is about, in the words of the rules, and how much each tells."""
    overlaps: Mapping[Asked, float]
    """What it has in common with each example, from 0 to 1; without those that share no word."""
    sentences: Sequence[tuple[float, "Heard"]] = ()
    """Its sentences, where it has several, and how much what fits each of them counts."""


@dataclass(frozen=True, slots=True, eq=False)
class Speech:
    """How tables talk about their rules."""

    fillers: frozenset[str] = frozenset()
    """Words that say nothing about a rule."""
    things: frozenset[str] = frozenset()
    """What some games have and others have not: a sheet that does not name it says nothing about it."""
    cards: frozenset[str] = frozenset()
    """Cards that count in one game or another."""
    worth: frozenset[str] = frozenset()
    """Words for what a card counts."""
    known: frozenset[str] = frozenset()
    """All words that are spelled right."""
    phrases: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    """What tables say and what the rules call it."""
    longest: Mapping[str, int] = field(default_factory=dict)
    """The words in the longest of them, by its first."""
    asked: Mapping[str, Examples] = field(default_factory=dict)
    """Questions by the id of the rule that answers them; by `none` those that none does."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """How much each word tells about which rule is meant: the fewer are asked about with it, the more."""
    having: Mapping[str, Sequence[Asked]] = field(default_factory=dict)
    """Those questions by each word in them."""

    @classmethod
    def of(cls, listing: Listing, questions: Mapping[str, Sequence[str]]) -> "Speech":
        """Return what the shared file of all rulesets says about it, and the questions that tables ask."""
        fillers, things, cards, worth, plain = (
            frozenset(stems_of(listing.words.get(kind, "")))
            for kind in ("fillers", "things", "cards", "worth", "plain")
        )
        phrases = {
            tuple(stems_of(text)): stem_of(meaning)
            for meaning, texts in listing.said.items()
            for text in (meaning, *texts)
        }
        in_questions = chain.from_iterable(stems_of(text) for text in chain.from_iterable(questions.values()))
        known = frozenset().union(fillers, things, cards, worth, plain, phrases.values(), *phrases, in_questions)
        longest: dict[str, int] = {}
        for said in phrases:
            longest[said[0]] = max(len(said), longest.get(said[0], 0))
        speech = cls(fillers, things, cards, worth, known, phrases, longest)
        asked = {name: Examples.of(tuple(map(speech.read, texts))) for name, texts in questions.items()}
        weights = _weights(asked.values())
        asked = {name: it.weighed(weights) for name, it in asked.items()}
        having: dict[str, list[Asked]] = defaultdict(list)
        for question in chain.from_iterable(examples.questions for examples in asked.values()):
            for word in question.words:
                having[word].append(question)
        return replace(speech, asked=asked, weights=weights, having=having)

    def read(self, text: str) -> Asked:
        """Return a question as the files have it."""
        question, _, yes = text.partition("=")
        return Asked(self.meaning(stems_of(question)), yes.strip())

    def meaning(self, stems: Sequence[str]) -> frozenset[str]:
        """Return what a text is about, in the words of the rules."""
        words = self._translated([stem for stem in self._translated(stems) if stem not in self.fillers])
        is_worth = not self.cards.isdisjoint(words) and not self.worth.isdisjoint((*words, *stems))
        return frozenset(words).union(_about_numbers(stems), [_WORTH] * is_worth)

    def heard(self, question: str) -> Heard:
        """Return what a question is about, misspelled or not, and what each of its sentences is."""
        whole, sentences = self._heard(question), sentences_of(question)
        parts = [self._heard(sentence) for sentence in sentences if len(sentences) > 1]
        told = [(sum(part.weights.values()), part) for part in parts]
        every = sum(whole.weights.values())
        heard = ((min(it / every, 1) ** _OF_PART, part) for it, part in told if it >= _LEAST_PART)
        return replace(whole, sentences=tuple(heard))

    def _heard(self, question: str) -> Heard:
        words = self.meaning([self._meant(stem) for stem in stems_of(question)])
        known = sum(self.weights.get(word, 0.0) for word in sorted(words))
        unknown = _UNKNOWN * log(1 + len(self.asked)) / (1 + known / _STORY)
        weights = {word: self.weights.get(word, unknown) for word in sorted(words)}
        shared: dict[Asked, float] = defaultdict(float)
        for word, weight in weights.items():
            for asked in self.having.get(word, ()):
                shared[asked] += weight
        whole = sum(weights.values())
        return Heard(weights, {asked: 2 * weight / (whole + asked.weight) for asked, weight in shared.items()})

    def likeness(self, heard: Heard, rule_id: str, in_text: Collection[str] = ()) -> float:
        """Return how well a rule fits a question, or the sentence of it that it fits best.

        It does where its examples and its text have the words, and one of the examples has all of them.
        """
        examples = self.asked.get(rule_id, Examples())
        stated = _STATED if examples.questions else 1.0
        covered = 0.0
        for word, weight in heard.weights.items():
            if share := examples.shares.get(word, 0.0) + stated * (word in in_text):
                covered += weight * log(1 + share / _RARE)
        whole = _COMMON * covered / sum(heard.weights.values()) + _NEAREST * self.nearest(heard, rule_id) ** 4
        return max(whole, *(counts * self.likeness(it, rule_id, in_text) for counts, it in heard.sentences), 0.0)

    def nearest(self, heard: Heard, rule_id: str) -> float:
        """Return what a question has in common with the nearest example of a rule: 1 where they have the same words."""
        examples = self.asked.get(rule_id, Examples())
        return max((heard.overlaps.get(asked, 0.0) for asked in examples.questions), default=0.0)

    def _meant(self, word: str) -> str:
        """Return the known word that a misspelled one means: one letter too many, too few, wrong or swapped."""
        if word in self.known or len(word) < SHORTEST_MISSPELLED:
            return word
        return min(near_words(word, self.known), key=lambda other: (self.weights.get(other, 0.0), other), default=word)

    def _translated(self, stems: Sequence[str]) -> list[str]:
        """Return words with the phrases in them, the longest first, replaced by what they mean."""
        found, place = [], 0
        while place < len(stems):
            lengths = range(self.longest.get(stems[place], 0), 0, -1)
            length = next((it for it in lengths if tuple(stems[place : place + it]) in self.phrases), 0)
            found.append(self.phrases[tuple(stems[place : place + length])] if length else stems[place])
            place += length or 1
        return found


def _weights(asked: Collection[Examples]) -> dict[str, float]:
    """Return how much each word tells: all where one rule is asked about with it, little where most are."""
    shares: dict[str, list[float]] = {}
    for examples in asked:
        for word, share in examples.shares.items():
            shares.setdefault(word, []).append(share)
    return {word: log(1 + len(asked)) - _SPREAD * _entropy(found) for word, found in shares.items()}


def _entropy(shares: Sequence[float]) -> float:
    every = sum(shares)
    return -sum(share / every * log(share / every) for share in shares)
