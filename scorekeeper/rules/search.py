"""Words that are searched for: names of games, and what a table asks about its rules, misspelled or in dialect."""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain

from scorekeeper.rules.options import LOW, options
from scorekeeper.rules.phrases import number
from scorekeeper.rules.schema import Listing

_NUMBERS = {str(digits): number(digits) for digits in range(1, 21)}
"""The numbers in the names of games, as those names spell them."""
_IS = re.compile(r"\b(who|what|when|how|where)s\b")
_DID = re.compile(r"^\s*who (?=[a-z]+ed\b)")
"""Who did something is no question about a rule."""
_SHORTEST_MISSPELLED = 4
_ENDINGS = ("ing", "ed", "es", "s")


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters, with numbers up to twenty spelled out."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "'")).encode("ascii", "ignore").decode().lower()
    plain = _DID.sub("who did ", _IS.sub(r"\1 is", plain.replace("'", "")))
    return [_NUMBERS.get(word, word) for word in re.findall(r"[a-z]+|\d+", plain)]


def has_words(text: list[str], wanted: list[str]) -> bool:
    """Return whether every wanted word begins a word of the text; "setback" matches "Set Back" too."""
    run_together = "".join(text)
    return all(any(word.startswith(part) for word in text) or part in run_together for part in wanted)


def stems_of(text: str) -> list[str]:
    """Return the words of a text without their endings."""
    return [_stem(word) for word in words_of(text)]


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    """Return what "bids", "bidding" and "bid" have in common."""
    ending = next((it for it in _ENDINGS if word.endswith(it) and len(word) > len(it) + 2), "")
    stem = word.removesuffix(ending).removesuffix("e")
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else stem


def _meant(word: str, known: Collection[str]) -> str:
    """Return the known word that a misspelled one has to mean: one letter too many, too few, wrong or swapped."""
    if word in known or len(word) < _SHORTEST_MISSPELLED:
        return word
    found = [other for other in known if other[:1] == word[0] and _is_near(word, other)]
    return found[0] if len(found) == 1 else word


def _is_near(word: str, other: str) -> bool:
    if len(word) == len(other):
        wrong = [place for place in range(len(word)) if word[place] != other[place]]
        is_swapped = len(wrong) == 2 and sorted(word) == sorted(other)
        return is_swapped or (len(wrong) == 1 and len(word) > _SHORTEST_MISSPELLED)
    short, long = sorted((word, other), key=len)
    return len(short) > 2 and short in {long[:place] + long[place + 1 :] for place in range(len(long))}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that a rule answers, as the words in it."""

    words: frozenset[str]
    yes: str = ""
    """When the answer is Yes: `yes`, `no`, an option, or an option with the answers for Yes and those for No; or what
    the rule says then, after `text`."""
    is_key: bool = True
    """Whether the words lead to the rule; if not, they only may stand beside others that do."""


@dataclass(frozen=True, slots=True)
class Speech:
    """How tables talk about their rules."""

    fillers: frozenset[str] = frozenset()
    """Words that say nothing about a rule."""
    common: frozenset[str] = frozenset()
    """Words that any rule may have: alone they find none."""
    things: frozenset[str] = frozenset()
    """What some games have and others have not: a sheet that does not name it says nothing about it."""
    known: frozenset[str] = frozenset()
    """All words that are spelled right."""
    phrases: Mapping[str, Sequence[tuple[tuple[str, ...], str]]] = field(default_factory=dict)
    """What tables say and what the rules call it, by the first word, the longest first."""
    asked: Mapping[str, Sequence[Asked]] = field(default_factory=dict)
    """Questions by the id of the rule that answers them, and what tables call an award or an option, by its name."""

    @classmethod
    def of(cls, listing: Listing) -> "Speech":
        """Return what the shared file of all rulesets says about it."""
        fillers, common, plain = (
            frozenset(stems_of(listing.words.get(kind, ""))) for kind in ("fillers", "common", "plain")
        )
        phrases: dict[tuple[str, ...], str] = {}
        for meaning, texts in listing.said.items():
            for text in (meaning, *texts):
                stems = stems_of(text)
                phrases[tuple(stems)] = _stem(meaning)
                if len(short := [stem for stem in stems if stem not in fillers]) > 1:
                    phrases.setdefault(tuple(short), _stem(meaning))
        questions = {**listing.slang, **listing.asked}
        every = chain.from_iterable(questions.values())
        in_questions = chain.from_iterable(stems_of(text.partition("=")[0]) for text in every)
        known = frozenset().union(fillers, common, plain, phrases.values(), *phrases, in_questions)
        by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for said in sorted(phrases.items(), key=lambda said: -len(said[0])):
            by_first.setdefault(said[0][0], []).append(said)
        things = frozenset(_stem(name) for name in listing.slang if name in options() and name != LOW)
        speech = cls(fillers, common, things, known, by_first)
        return replace(speech, asked={name: tuple(map(speech.read, texts)) for name, texts in questions.items()})

    def read(self, text: str) -> Asked:
        """Return a question as the shared file has it."""
        question, _, yes = text.partition("=")
        words = self.meaning(stems_of(question))
        return Asked(words, yes.strip(), bool(words) and not question.startswith("+"))

    def meaning(self, stems: Sequence[str]) -> frozenset[str]:
        """Return what a text is about, in the words of the rules."""
        return frozenset(self._translated([stem for stem in self._translated(stems) if stem not in self.fillers]))

    def heard(self, question: str, on_sheet: Collection[str]) -> frozenset[str]:
        """Return what a question is about, misspelled or not; `on_sheet` are the words of a sheet, spelled right."""
        known = self.known.union(on_sheet)
        return self.meaning([_meant(stem, known) for stem in stems_of(question)])

    def _translated(self, stems: Sequence[str]) -> list[str]:
        """Return words with the phrases in them, the longest first, replaced by what they mean."""
        found, place = [], 0
        while place < len(stems):
            phrases = self.phrases.get(stems[place], ())
            said = next((said for said in phrases if tuple(stems[place : place + len(said[0])]) == said[0]), None)
            found.append(said[1] if said else stems[place])
            place += len(said[0]) if said else 1
        return found
