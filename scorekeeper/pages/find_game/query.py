"""Parse what a person types to find a game into parts with a meaning, such as players, cards, or a game's name.

The phrases are in the rulesets' shared file, under `query`; a `#` in them is any number, in digits or in words.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, pairwise
from operator import itemgetter
from typing import Any

from scorekeeper.pitch.rules.awards import AwardId, AwardKind, plain_name
from scorekeeper.pitch.rules.library import Library
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.phrases import NUMBER_WORDS, number_word
from scorekeeper.pitch.rules.search import (
    MIN_MISSPELLED_LENGTH,
    Phrase,
    nearest_spelling,
    normalized_words,
    stem_word,
)

ANY_NUMBER = "#"
"""The placeholder in a phrase for any number."""
_TENS_BY_WORD = {
    word: 10 * tens for tens, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
"""The multiples of ten from 20 to 90, each by its word."""
_NUMBERS_BY_WORD = {word: value for value, word in enumerate(NUMBER_WORDS) if value} | _TENS_BY_WORD
"""The number that each number word stands for: from 1 to 20, then by tens to 90."""
_KINDS_IN_NAMES = ("players", "points", "without_bids", "cards")
"""The kinds of parts that describe a game even in its name: "Four-Point Pitch" is parsed as points, then a name."""
_MIN_CARDS_IN_LIST = 4
"""The fewest names of cards in a row that are a list; fewer may be a game's name: "High Low Jack"."""
_NUMBERS_BELOW_TEN = range(1, 10)
"""The numbers that may follow "fifty" or precede "hundred"."""
_PHRASE_ENDS = ",.;:!?"
"""The punctuation that ends a phrase."""
_MIN_STEMMED_LENGTH = 4
"""The fewest letters of a word whose ending is removed: "use" is not the plural of "u"."""
_NUMBER_BOUNDS = {
    "players": range(2, 13),
    "sides": range(2, 7),
    "couples": range(2, 7),
    "against": range(1, 5),
    "each": range(2, 5),
    "points": range(1, 201),
    "count_down_from": range(5, 1001),
    "target": range(1, 2001),
    "": range(7, 2001),
}
"""The possible numbers by kind of phrase: "for 4" is players, "for 52" a target; "" is for a target without a phrase.

Any other kind may have the numbers of a target.
"""
_SIDE_KINDS = {"sides": None, "couples": 2, "against": None, "each": None}
"""The kinds of phrases about sides, each with the number of players on a side, if the kind fixes it."""
_SEATING_KINDS = ("partners", "pairs", "alone", "called", *_SIDE_KINDS)
"""The kinds of phrases that say how players sit."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a typed text: as typed, with its spelling corrected, or with the usual word for a synonym.

    Its place is given in pieces, the parts of the text between spaces.
    """

    text: str
    """The word in lower case, with a number up to twenty spelled out."""
    stem: str
    """The form by which words are compared: the digits of a number, or the word without its ending."""
    first_piece: int
    """The index of the first piece of the text that the word comes from."""
    last_piece: int
    """The index of the last piece of the text that the word comes from."""
    is_end: bool = False
    """Whether punctuation follows the word, so that no phrase goes beyond it."""
    is_common: bool = False
    """Whether the word, such as "pitch", is too common to distinguish games."""
    is_sure: bool = True
    """Whether the word was recognized without a correction of its spelling."""


def split_words(text: str) -> list[Word]:
    """Split a text into words; the words of one number are joined: "fifty-two"."""
    words: list[Word] = []
    may_continue_number = False
    for index, piece in enumerate(text.split()):
        is_spelled = not ("0" <= piece[0] <= "9")
        for word in (
            (piece,) if piece == ANY_NUMBER else normalized_words(piece.replace("&", " and ").replace("=", " is "))
        ):
            if word == "s" and not is_spelled:
                # "4s" are "fours".
                word = f"{words.pop().text}s"
            # "Two hundred and fifty" is one number, "two hundred and four players" are two.
            before = words[:-1] if may_continue_number and word in _TENS_BY_WORD and words[-1].text == "and" else words
            number = _joined_number(before[-1], word) if may_continue_number and is_spelled and before else None
            if number:
                words = [*before[:-1], Word(number_word(number), str(number), before[-1].first_piece, index)]
            else:
                stem = word if len(word) < _MIN_STEMMED_LENGTH else stem_word(word)
                words.append(Word(word, str(_NUMBERS_BY_WORD.get(word, stem)), index, index))
            may_continue_number = is_spelled
        if words and piece[-1] in _PHRASE_ENDS:
            words[-1], may_continue_number = replace(words[-1], is_end=True), False
    return words


def _joined_number(previous: Word, word: str) -> int | None:
    """Return the number that two words form together, "fifty two" or "two hundred"; `None` if they form none."""
    first, value = int(previous.stem) if previous.stem.isdigit() else 0, _NUMBERS_BY_WORD.get(word, 0)
    if word == "hundred" and (first in _NUMBERS_BELOW_TEN or previous.text == "a"):
        return 100 * max(first, 1)
    last_tens = first % 100
    can_follow = value in _NUMBERS_BELOW_TEN if last_tens in _TENS_BY_WORD.values() else first and not last_tens
    return first + value if value and can_follow else None


@lru_cache(maxsize=4096)
def phrase_of(text: str) -> Phrase:
    """Return the stems of the words of a text; cached."""
    return _stems(split_words(text))


def _stems(words: Iterable[Word]) -> Phrase:
    return tuple(word.stem for word in words)


def _replace_synonyms(words: Sequence[Word], synonyms: Mapping[Phrase, Sequence[Word]]) -> list[Word]:
    """Return the words with each synonym replaced by its usual words; at each word the longest synonym counts."""
    usual: list[Word] = []
    index, max_length = 0, max(map(len, synonyms), default=0)
    while index < len(words):
        spans = (words[index : index + length] for length in range(max_length, 0, -1))
        matching_spans = (
            span for span in spans if _stems(span) in synonyms and not any(word.is_end for word in span[:-1])
        )
        span = next(matching_spans, words[index : index + 1])
        is_sure = all(word.is_sure for word in span)
        meaning = synonyms.get(_stems(span), span)
        usual += [
            replace(word, first_piece=span[0].first_piece, last_piece=span[-1].last_piece, is_sure=is_sure)
            for word in meaning
        ]
        usual[-1] = replace(usual[-1], is_end=span[-1].is_end)
        index += len(span)
    return usual


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Phrasebook:
    """The words and phrases that a query may contain besides the names of games."""

    tap_texts: Mapping[str, str]
    """The words that a tapped button adds to the search, by kind of phrase; `#` stands for a number."""
    phrases: Mapping[str, Sequence[Phrase]]
    """The phrases by kind, such as `players`, `target`, a seating, `without`, or an option: `min_bid`, `low.held`."""
    cards: Mapping[Phrase, str]
    """The plain names of awards, by each phrase for the award."""
    certain_cards: frozenset[Phrase]
    """The single words that always mean a card, such as "jokers"; "three" or "jack" may mean something else."""
    after_without: Mapping[Phrase, str]
    """What each phrase means after "without" or "no": an award, by its plain name, or an option."""
    synonyms: Mapping[Phrase, Sequence[Word]]
    """The usual words in place of each synonym, by the synonym."""
    words: Mapping[str, frozenset[str]]
    """The stems of words by role: `common` ones do not distinguish games, `skipped` ones may be anywhere in a phrase.

    `fillers` mean nothing outside a name. `speaker` ("me"), `person` and `couple` words are one or two players;
    `joining` words join people or cards in a list.
    """

    @classmethod
    def from_library(cls, library: Library) -> "Phrasebook":
        """Return the phrasebook in the rulesets' shared file, with the award names of all games added."""
        shared = library.shared_listing
        kinds: dict[AwardId, AwardKind] = {}
        cards: dict[Phrase, str] = {}
        for ruleset in library:
            kinds |= ruleset.kinds
            for award_id, award in ruleset.awards.items():
                cards.setdefault(normalized_words(award.name), plain_name(ruleset.kinds[award_id]))
        cards |= {normalized_words(name): name for name in cards.values()}
        answers: dict[Phrase, str] = {}
        for name, texts in shared.slang.items():
            for text in (name.replace("_", " "), *texts):
                if name in kinds:
                    cards.setdefault(normalized_words(text), plain_name(kinds[name]))
                elif name in options():
                    answers[phrase_of(text)] = name
        # A plural comes before its singular: "jokers" is both jokers, not several of one.
        cards = dict(sorted(cards.items(), reverse=True))
        synonyms = {phrase_of(each): split_words(meaning) for meaning, texts in shared.same.items() for each in texts}
        query = dict(shared.query)
        certain_cards = frozenset(map(normalized_words, query.pop("cards", ())))
        words = defaultdict[str, frozenset[str]](frozenset)
        return cls(
            tap_texts={kind: texts[0] for kind, texts in query.items() if texts},
            phrases={
                kind: [_stems(_replace_synonyms(split_words(text), synonyms)) for text in texts]
                for kind, texts in query.items()
            },
            cards=cards,
            certain_cards=certain_cards,
            after_without=answers | cards,
            synonyms=synonyms,
            words=words | {name: frozenset(phrase_of(text)) for name, text in shared.words.items()},
        )

    @property
    def words_with_roles(self) -> frozenset[str]:
        """The stems of all words with a role: they are ignored in the summary of a game."""
        return frozenset(chain.from_iterable(self.words.values()))


phrasebook_of = lru_cache(maxsize=1)(Phrasebook.from_library)
"""Return the phrasebook of a library of rulesets; cached."""


@dataclass(frozen=True, slots=True)
class Part:
    """One or more consecutive words of a query, with their meaning if known."""

    kind: str
    """The kind of the meaning: a kind of phrase, `cards`, `worth`, `without`, `options` or `name`; empty if unknown."""
    value: Any
    """The meaning; `None` if unknown or one word of a name, and 0 where the kind says all, as for `partners`.

    A number, a card, the stems of a name, or a pair: option and answer, card and points, sides and players on each.
    """
    words: tuple[Word, ...]
    is_sure: bool
    """Whether the meaning is certain; that of slang, a number alone or a corrected word is not."""

    @property
    def pieces(self) -> set[int]:
        """The indexes of the pieces of the text that the words come from."""
        return {index for word in self.words for index in range(word.first_piece, word.last_piece + 1)}


@dataclass(frozen=True, slots=True)
class Query:
    """A typed search, parsed into parts."""

    text: str
    parts: Sequence[Part]

    def last_value(self, kind: str) -> Any:
        """Return the value of the last part of this kind; `None` if the query has no such part."""
        return next((part.value for part in reversed(self.parts) if part.kind == kind), None)

    def values_of(self, kind: str) -> frozenset[Any]:
        """Return the values of all parts of this kind."""
        return frozenset(part.value for part in self.parts if part.kind == kind)

    @property
    def names(self) -> tuple[tuple[Word, ...], ...]:
        """The words of each part that is a name or from a name, except single common words.

        Slang and words from a game's summary count as names.
        """
        parts = (part.words for part in self.parts if part.kind == "name")
        return tuple(words for words in parts if len(words) > 1 or not words[0].is_common)

    @property
    def is_named(self) -> bool:
        """Whether the query names a game, even if only by a common word such as "pitch"."""
        return bool(self.names) or any(part.kind == "name" and part.is_sure for part in self.parts)

    @property
    def unknown_words(self) -> tuple[str, ...]:
        """The words whose meaning is unknown, except numbers and common words."""
        words = (part.words[0] for part in self.parts if not part.kind)
        return tuple(word.text for word in words if not (word.is_common or word.stem.isdigit()))

    @property
    def is_other_game(self) -> bool:
        """Whether the query seems to be about a game other than Pitch, such as "500 rummy".

        It has unknown words and a number, and otherwise only common words.
        """
        known = [
            part
            for part in self.parts
            if part.kind and (part.is_sure or not all(word.is_common for word in part.words))
        ]
        return bool(self.unknown_words and known) and all(
            not part.is_sure and part.words[0].stem.isdigit() for part in known
        )

    def without(self, left_out: Part) -> "Query":
        """Return the query without this part; its `text` stays as typed."""
        return Query(self.text, tuple(part for part in self.parts if part is not left_out))

    @property
    def with_points_to_win(self) -> "Query":
        """The query with its most points as the target, unless too few; unchanged if it has one."""
        most = max(self.values_of("points"), default=0)
        if self.target is not None or most not in _NUMBER_BOUNDS[""]:
            return self
        parts = [
            replace(part, kind="target") if (part.kind, part.value) == ("points", most) else part for part in self.parts
        ]
        return replace(self, parts=parts)

    def text_without(self, left_out: Part) -> str:
        """Return the typed text without the words of this part."""
        return " ".join(piece for index, piece in enumerate(self.text.split()) if index not in left_out.pieces)

    def typed_words(self, part: Part) -> str:
        """Return the words of this part as they were typed."""
        return " ".join(self.text.split()[part.words[0].first_piece : part.words[-1].last_piece + 1]).strip(
            _PHRASE_ENDS
        )

    @property
    def target(self) -> Any:
        """The score that wins, or from which the game counts down; `None` if the query has none."""
        return self.last_value("target") or self.last_value("count_down_from")

    @property
    def sides(self) -> tuple[int | None, int | None]:
        """The number of sides and the number of players on each; `None` for a number that is unknown."""
        sides = each = None
        for part in self.parts:
            if part.kind in _SIDE_KINDS:
                sides, each = part.value[0] or sides, part.value[1] or each
        return sides, each

    @property
    def players(self) -> int | None:
        """The number of players, as typed or as follows from the sides ("two against two"); `None` if unknown."""
        sides, each = self.sides
        follows = (sides or 2) * (each or 2) if each or sides not in (None, 2) else None
        return self.last_value("players") or follows

    @property
    def seating(self) -> str:
        """How the players sit, as one of `finder.SEATINGS`; empty if the query does not say."""
        kinds = [part.kind for part in self.parts if part.kind in _SEATING_KINDS]
        # A called partner is a partner, too.
        last = "called" if "called" in kinds else kinds[-1] if kinds else ""
        players, (sides, each) = self.players or 4, self.sides
        if last not in _SIDE_KINDS:
            return "partners" if last == "pairs" and players <= 4 else last
        sides = sides or players // (each or 2)
        return "alone" if sides == players else "pairs" if sides > 2 else "teams" if players > 4 else "partners"


PART_KINDS_BY_QUESTION = {
    "players": ("players", *_SIDE_KINDS.keys() - {"sides"}),
    "seating": _SEATING_KINDS,
    "points": ("points",),
    "target": ("target", "count_down_from"),
}
"""The kinds of parts that the tapped answer to each question replaces, by question."""


def text_with_taps(query: Query, taps: Mapping[str, object], phrasebook: Phrasebook) -> str:
    """Return the text of a query in which tapped answers replace the words for the same questions.

    `taps` are the answers by question; `None` only removes the words. An answer to a new question goes to the end.
    """
    pieces: list[str] = query.text.split()
    for question, tapped in taps.items():
        parts = (part for part in query.parts if part.kind in PART_KINDS_BY_QUESTION[question])
        replaced = set[int]().union(*(part.pieces for part in parts))
        for index in replaced:
            pieces[index] = ""
        if tapped is not None:
            kind = str(tapped) if question == "seating" else question
            kind, value = ("sides", 2) if tapped == "teams" else (kind, tapped)
            index = min(replaced, default=len(pieces))
            pieces[index : index + 1] = [phrasebook.tap_texts[kind].replace(ANY_NUMBER, str(value))]
    return " ".join(filter(None, pieces))


def read_query(
    text: str, phrasebook: Phrasebook, names: Iterable[str], slang_texts: Iterable[str], summaries: Iterable[str]
) -> Query:
    """Parse a typed text into a query; at each word, the longest phrase that begins there becomes a part.

    `names` are those of all games. `slang_texts` are the names of awards and other slang; of `summaries`, single words
    are recognized.
    """
    name_phrases = {phrase_of(name) for name in names}
    slang = {phrase_of(text) for text in slang_texts}
    known_stems = frozenset(chain.from_iterable(map(phrase_of, summaries))) - phrasebook.words_with_roles
    known_stems = known_stems.union(
        *name_phrases, *(phrase for phrase in slang if len(phrase) == 1 and not phrase[0].isdigit())
    )
    parser = _Parser(_read_words(text, phrasebook, known_stems), phrasebook)
    # "Pitch smudge" is Smudge, or any game with a smudge, as "smudge" alone is.
    ambiguous = {(word, *name) for word in phrasebook.words["common"] for name in slang & name_phrases}
    plain_names = {name for name in name_phrases - ambiguous if not _contains_phrase(name, phrasebook)}
    whole_names = sorted(plain_names.union(phrase for phrase in slang if len(phrase) > 1))
    parts = [
        # Slang is not certain to be a name.
        replace(part, is_sure=part.is_sure and (part.kind != "name" or part.value in name_phrases))
        for part in parser.read_parts(whole_names)
    ]
    return Query(text, tuple(_resolve_unknown_parts(parts, name_phrases, known_stems, phrasebook)))


def _read_words(text: str, phrasebook: Phrasebook, known_stems: Collection[str]) -> list[Word]:
    """Split a text into words, correct their spelling, replace synonyms, and flag common words.

    `known_stems` are the stems of words in names, slang and summaries.
    """
    phrases = chain.from_iterable(phrasebook.phrases.values())
    spelled = phrasebook.words_with_roles.union(known_stems, *phrases, *phrasebook.after_without, *phrasebook.synonyms)
    words = _replace_synonyms([_correct_spelling(word, spelled) for word in split_words(text)], phrasebook.synonyms)
    common = phrasebook.words["common"] | phrasebook.words["skipped"]
    return [replace(word, is_common=word.stem in common) for word in words]


_PossiblePart = tuple[int, str, Any]
"""A part that a query may have: the index after its last word, its kind and its value."""


@dataclass(frozen=True, slots=True)
class _Parser:
    """A parser of words into the parts of a query; indexes are those of words."""

    words: Sequence[Word]
    phrasebook: Phrasebook

    def read_parts(self, names: Sequence[Phrase]) -> Iterator[Part]:
        """Yield the parts of the words in order, each as long as possible; `names` are names of games and slang."""
        listed = self._listed_card_indexes()
        index = 0
        while index < len(self.words):
            possible = self._parts_at(index, names, is_listed=index in listed)
            end, kind, value = max(possible, key=itemgetter(0), default=(index + 1, "", None))
            words = tuple(word for word in self.words[index:end] if kind != "name" or word.stem in (value or ()))
            # A number beside a card is not certain to be its worth.
            yield Part(kind, value, words, kind != "worth" and all(word.is_sure for word in words))
            index = end

    def _listed_card_indexes(self) -> Collection[int]:
        """Return the index of each card in a list: "high low jack game" is a list, not the game of that name."""
        cards = [card for card in self.phrasebook.cards if card[0] not in _NUMBERS_BY_WORD]
        indexes, run, index = set[int](), list[int](), 0
        while index <= len(self.words):
            end = max(self._match_phrase(index, card)[0] for card in cards)
            if end:
                run.append(index)
            elif index == len(self.words) or self.words[index].stem not in self.phrasebook.words["joining"]:
                indexes.update(run if len(run) >= _MIN_CARDS_IN_LIST else ())
                run = []
            index = end or index + 1
        return indexes

    def _parts_at(self, index: int, names: Iterable[Phrase], *, is_listed: bool) -> Iterator[_PossiblePart]:
        """Yield every part that may begin at `index`; `names` are names of games and slang.

        With `is_listed`, a card in a list begins there, and no name does.
        """
        for kind, phrases in self.phrasebook.phrases.items():
            for phrase in phrases if kind != "worth" else ():
                yield from self._parts_of_phrase(index, kind, phrase)
        yield from self._cards_and_options_at(index, index, is_listed=is_listed)
        yield from self._people_at(index)
        for name in names if not is_listed else ():
            if end := self._match_phrase(index, name)[0]:
                yield end, "name", name

    def _parts_of_phrase(self, index: int, kind: str, phrase: Phrase) -> Iterator[_PossiblePart]:
        """Yield the parts that begin with this phrase at `index`: "to 21", or "without" and a card."""
        end, numbers = self._match_phrase(index, phrase)
        bounds = _NUMBER_BOUNDS.get(kind, _NUMBER_BOUNDS["target"])
        ends_in_number = phrase[-1] == ANY_NUMBER and len(phrase) > 1
        if not end or not all(number in bounds for number in numbers) or (ends_in_number and self._is_counted(end - 1)):
            return
        value = numbers[0] if numbers else 0
        if kind in ("without", "with"):
            yield from self._cards_and_options_at(index, end, kind)
        elif "." in kind:
            option, _, word = kind.partition(".")
            yield end, "options", (option, options()[option].parse_answer(word))
        elif numbers and kind in options() and kind not in _NUMBER_BOUNDS:
            yield end, "options", (kind, value)
        elif kind == "against":
            yield end, kind, (len(numbers), value) if len({*numbers}) == 1 else (None, None)
        elif kind in _SIDE_KINDS:
            yield end, kind, (None, value) if kind == "each" else (value, (*numbers, _SIDE_KINDS[kind])[1])
        else:
            yield end, kind, value

    def _is_counted(self, index: int) -> bool:
        """Return whether the number at `index` begins a phrase of its own, as in "for 10 points"."""
        phrases = chain.from_iterable(self.phrasebook.phrases[kind] for kind in ("players", "points", *_SIDE_KINDS))
        return any(phrase[0] == ANY_NUMBER and self._match_phrase(index, phrase)[0] for phrase in phrases)

    def _cards_and_options_at(
        self, index: int, start: int, kind: str = "", *, is_listed: bool = False
    ) -> Iterator[_PossiblePart]:
        """Yield the cards that may be named at `start`, with their worth if typed; after "without", options as well.

        `kind` is "with" or "without" if that word stands at `index`. With `is_listed`, a single word may be a card.
        """
        book = self.phrasebook
        has_article = bool(kind) and start < len(self.words) and self.words[start].stem in book.words["skipped"]
        for phrase, name in (book.after_without if kind == "without" else book.cards).items():
            is_card = phrase in book.cards
            end, _ = self._match_phrase(start + has_article, phrase)
            if not end:
                continue
            counted, points = self._worth_at(end) if kind != "without" else (end, None)
            if kind:
                # "with three" is how many play, "with the three" a card.
                is_number = len(phrase) == 1 and phrase[0] in _NUMBERS_BY_WORD and not has_article
                is_clear = not is_number and not (kind == "with" and book.words["common"].issuperset(phrase))
            else:
                # "three" alone may be anything; "off jack", "jokers", and a word followed by "counts" are cards.
                is_clear = counted > end or len(phrase) > 1 or phrase in book.certain_cards or is_listed
            if is_clear and not is_card and name in options():
                yield end, "options", (name, options()[name].default)
            elif is_clear and points:
                yield counted, "worth", (name, points)
            elif is_clear:
                yield counted, "without" if kind == "without" else "cards", name

    def _worth_at(self, index: int) -> tuple[int, int | None]:
        """Return the index after words such as "counts 3" at `index`, and the points in them, if any.

        Without such words, return `index` and `None`.
        """
        phrases = self.phrasebook.phrases.get("worth", ())
        end, numbers = max((self._match_phrase(index, phrase, is_within=True) for phrase in phrases), default=(0, []))
        return end or index, numbers[0] if numbers else None

    def _people_at(self, index: int) -> Iterator[_PossiblePart]:
        """Yield the number of players if a list of people, such as "me and two friends", begins at `index`."""
        words = self.phrasebook.words
        counts = dict.fromkeys(words["speaker"] | words["person"], 1) | dict.fromkeys(words["couple"], 2)
        begins_with_with, is_group_counted = self.words[index].stem == "with", False
        end, named, times, people = 0, 0, 0, int(begins_with_with)
        for next_index, word in enumerate(self.words[index:], index + 1):
            is_speaker = word.stem in words["speaker"]
            if word.stem in words["joining"]:
                times, is_group_counted = 0, False
            elif (count := counts.get(word.stem)) and not is_group_counted:
                if word.text.endswith("s") and count == 1 and not times:
                    # Nobody knows how many "my brothers" are.
                    return
                # "With my wife and her brother" leaves out the speaker, who plays too; "with me" does not.
                people = 0 if is_speaker and not named else people
                people += times if is_speaker and times else count * (times or 1)
                named, is_group_counted = named + 1 + (begins_with_with and times > 1), is_speaker and times > 0
                times, end = 0, next_index
            elif word.stem.isdigit() and not times:
                times = int(word.stem)
            elif word.stem not in words["skipped"]:
                break
            times = 0 if word.is_end else times
        if named > 1 and people in _NUMBER_BOUNDS["players"]:
            yield end, "players", people

    def _match_phrase(self, index: int, phrase: Phrase, *, is_within: bool = False) -> tuple[int, list[int]]:
        """Return the index after a phrase that begins at `index`, and its numbers; 0 if it does not begin there.

        Skipped words such as "the" may stand within the phrase; with `is_within`, before it as well.
        """
        end, numbers = index, list[int]()
        for position, wanted in enumerate(phrase):
            while True:
                if end == len(self.words) or (end > index and self.words[end - 1].is_end):
                    return 0, []
                word, end = self.words[end], end + 1
                if wanted in (word.stem, word.text, ANY_NUMBER) and (wanted != ANY_NUMBER or word.stem.isdigit()):
                    break
                if not (position or is_within) or word.stem not in self.phrasebook.words["skipped"]:
                    return 0, []
            if wanted == ANY_NUMBER:
                numbers.append(int(word.stem))
        return end, numbers


@lru_cache(maxsize=4096)
def _contains_phrase(name: Phrase, phrasebook: Phrasebook) -> bool:
    """Return whether a game's name contains a phrase about players, points, bidding or a card; cached."""
    parser = _Parser([Word(stem, stem, 0, 0) for stem in name], phrasebook)
    return any(part.kind in _KINDS_IN_NAMES for part in parser.read_parts(()))


def _resolve_unknown_parts(
    parts: Sequence[Part], name_phrases: Collection[Phrase], known_stems: Collection[str], phrasebook: Phrasebook
) -> Iterator[Part]:
    """Yield the parts; a part that is unknown becomes a word of a name, a target or a number of players, where it can.

    `known_stems` are the stems of words in names, slang and summaries; `name_phrases` are whole names.
    """
    names = [frozenset(name) - phrasebook.words["common"] for name in name_phrases]
    kinds = {part.kind for part in parts}
    singles = {part.words[0].stem for part in parts if part.kind in ("", "name")}
    may_be_players = True
    for previous, part, following in zip((None, *parts), parts, (*parts[1:], None), strict=False):
        word, last, kind, value = part.words[0], part.words[-1], part.kind, part.value
        beside = {other.words[0].stem for other in (previous, following) if other}
        # The words of "Colorado Six-Player" are its name in any order, those of "four partners, smudge" are not.
        in_name = any(word.stem in name and beside & name and singles.issuperset(name) for name in names)
        if not kind and word.stem.isdigit() and not in_name:
            number = int(word.stem)
            number_kind = "target" if number in _NUMBER_BOUNDS[""] else "players"
            if following and _is_count_of_things(word, following):
                pair = (word.stem, following.words[0].stem)
                kind = "name" if any(pair in pairwise(name) for name in name_phrases) else ""
            elif number_kind not in kinds and (
                number_kind == "target" or (may_be_players and number in _NUMBER_BOUNDS["players"])
            ):
                kind, value = number_kind, number
        elif not kind and any(stem == word.stem or _may_begin(stem, word) for stem in known_stems):
            kind = "name"
        is_sure = part.is_sure and kind == part.kind
        # "Stuck at two" and "the two" are not numbers of players, "pitch 4" and "with 4" are.
        ends = not last.is_common or last.is_end or last.stem in phrasebook.words["joining"]
        may_be_players = ends or (is_sure and bool(kind))
        yield Part(kind, value, part.words, is_sure)


def _is_count_of_things(word: Word, following: Part) -> bool:
    """Return whether a number counts the things in the part that follows, as in "two cousins" or "32 cards"."""
    noun = following.words[0].text
    is_noun = following.kind in ("", "name") and len(noun) > 3 and noun.endswith("s")
    return not word.is_end and (is_noun or following.kind in ("cards", "worth"))


def _may_begin(known_stem: str, word: Word) -> bool:
    """Return whether a word may be the beginning of a known word; false for fewer than three letters."""
    return len(word.text) > 2 and known_stem.startswith((word.text, word.stem))


def _correct_spelling(word: Word, known_stems: Collection[str]) -> Word:
    """Return the word in the nearest known spelling; unchanged if it is short, unfinished, or near no known word."""
    if len(word.text) < MIN_MISSPELLED_LENGTH or any(_may_begin(stem, word) for stem in known_stems):
        return word
    near = nearest_spelling(word.stem, known_stems)
    return replace(word, text=near, stem=near, is_sure=False) if near else word
