"""Parse what is typed about a game: players, seating, cards, target and points; other words are names.

The phrases for these are in the shared file of the rulesets (`query`), where `#` is a number in digits or in words.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, pairwise, zip_longest
from operator import itemgetter
from typing import Any

from scorekeeper.pitch.rules.awards import AwardId, AwardKind, plain_name
from scorekeeper.pitch.rules.library import Library
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.phrases import NUMBER_WORDS, number_word
from scorekeeper.pitch.rules.search import (
    MIN_MISSPELLED_LENGTH,
    Phrase,
    normalized_words,
    spelling_candidates,
    stem_word,
)

ANY_NUMBER = "#"
"""The placeholder for a number in a phrase; the words of a phrase are stems, and numbers are in digits."""
_TENS_BY_WORD = {
    word: 10 * tens for tens, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
"""The numbers 20, 30 … 90 by word."""
_NUMBERS_BY_WORD = {word: value for value, word in enumerate(NUMBER_WORDS) if value} | _TENS_BY_WORD
"""The numbers that are one word, by word."""
_KINDS_IN_NAMES = ("players", "points", "without_bids", "with")
"""The kinds of phrases that the name of a game may contain."""
_MIN_CARDS_IN_LIST = 4
"""The fewest consecutive cards that are a list; fewer may be the name of a game."""
_NUMBERS_BELOW_TEN, _WHOLE_HUNDREDS = range(1, 10), range(100, 1000, 100)
"""The numbers that may follow tens, or precede "hundred"; and those that more may follow."""
_PHRASE_ENDS = ",.;:!?"
"""The punctuation that ends a phrase."""
_MIN_STEMMED_LENGTH = 4
"""The fewest letters of a word to remove an ending from: "use" is not the plural of "u"."""
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
"""The possible numbers by kind of phrase: "for 4" is players, "for 52" is a target, and so is 52 alone (key "")."""
_SIDE_KINDS = {"sides": None, "couples": 2, "against": None, "each": None}
"""The kinds of phrases about sides, with the players of a side where the kind alone says that."""
_SEATING_KINDS = ("partners", "pairs", "alone", "called", *_SIDE_KINDS)
"""The kinds of phrases that say how players sit."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text, and where between the text's spaces it stands."""

    text: str
    """The word in lower case, with a number up to twenty spelled out."""
    stem: str
    """What words are compared by: a number in digits, or the word without its ending."""
    first: int
    """The index of the first piece, between spaces, that the word comes from."""
    last: int
    """The index of the last of these pieces."""
    is_end: bool = False
    """Whether punctuation that ends a phrase follows."""
    is_common: bool = False
    """Whether the word does not distinguish games, such as "pitch"."""
    is_sure: bool = True
    """Whether the word was typed so, and its spelling not corrected."""


def split_words(text: str) -> list[Word]:
    """Split a text into words; the words of one number are joined: "fifty-two"."""
    words: list[Word] = []
    goes_on = False
    for index, piece in enumerate(text.split()):
        is_spelled = not piece[0].isdigit()
        for word in (
            (piece,) if piece == ANY_NUMBER else normalized_words(piece.replace("&", " and ").replace("=", " is "))
        ):
            if word == "s" and not is_spelled:
                # "4s" are "fours".
                word = f"{words.pop().text}s"
            whole = _joined_number(words[-1], word) if goes_on and is_spelled else None
            if whole:
                words.append(Word(number_word(whole), str(whole), words.pop().first, index))
            else:
                stem = word if len(word) < _MIN_STEMMED_LENGTH else stem_word(word)
                words.append(Word(word, str(_NUMBERS_BY_WORD.get(word, stem)), index, index))
            goes_on = is_spelled
        if words and piece[-1] in _PHRASE_ENDS:
            words[-1], goes_on = replace(words[-1], is_end=True), False
    return words


def _joined_number(before: Word, word: str) -> int | None:
    """Return the number that a word makes with the one before: "fifty two", "two hundred ten"; else `None`."""
    first, value = int(before.stem) if before.stem.isdigit() else 0, _NUMBERS_BY_WORD.get(word, 0)
    if word == "hundred" and (first in _NUMBERS_BELOW_TEN or before.text == "a"):
        return 100 * max(first, 1)
    is_more = (first in _TENS_BY_WORD.values() and value in _NUMBERS_BELOW_TEN) or (
        first in _WHOLE_HUNDREDS and value > 0
    )
    return first + value if is_more else None


@lru_cache(maxsize=4096)
def phrase_of(text: str) -> Phrase:
    """Return the stems of a text's words."""
    return _stems(split_words(text))


def _stems(words: Iterable[Word]) -> Phrase:
    return tuple(word.stem for word in words)


def _replace_synonyms(words: Sequence[Word], synonyms: Mapping[Phrase, Sequence[Word]]) -> list[Word]:
    """Return the words with synonyms replaced by the words of the phrases, the longest first."""
    usual: list[Word] = []
    index, max_length = 0, max(map(len, synonyms), default=0)
    while index < len(words):
        spans = (words[index : index + length] for length in range(max_length, 0, -1))
        known = (span for span in spans if _stems(span) in synonyms and not any(word.is_end for word in span[:-1]))
        span = next(known, words[index : index + 1])
        is_sure = all(word.is_sure for word in span)
        meaning = synonyms.get(_stems(span), span)
        usual += [replace(word, first=span[0].first, last=span[-1].last, is_sure=is_sure) for word in meaning]
        usual[-1] = replace(usual[-1], is_end=span[-1].is_end)
        index += len(span)
    return usual


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrasebook:
    """The words and phrases that tables use for any game."""

    tap_texts: Mapping[str, str]
    """The text that a tapped answer is written as, by kind of phrase."""
    phrases: Sequence[tuple[str, Phrase]]
    """The phrases with their kinds: `players`, `points`, `target`, a seating, or an option with an answer."""
    cards: Mapping[Phrase, str]
    """The plain name of an award, by each phrase for it."""
    plain_cards: frozenset[Phrase]
    """Phrases of a single word that can only be a card."""
    without: Mapping[Phrase, str]
    """What may follow "without" or "no": the plain name of an award, or an option, by phrase."""
    fillers: frozenset[str]
    """Words without meaning, unless they are in the name of a game."""
    common: frozenset[str]
    """Words that do not distinguish one game from another, such as "pitch"."""
    skipped: frozenset[str]
    """Words that may be anywhere within a phrase, such as "the"."""
    synonyms: Mapping[Phrase, Sequence[Word]]
    """The words that replace a synonym, by the synonym."""
    people: Mapping[str, int]
    """The number of people that a word stands for: "neighbors" are two."""
    speaker: frozenset[str]
    """Words for the person who types, such as "me"."""
    joining: frozenset[str]
    """Words that join people in a list, such as "and"."""

    @classmethod
    def from_library(cls, library: Library) -> "Phrasebook":
        """Return the phrases of the rulesets' shared file, and the names of the awards of all games."""
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
        # A plural does not override a phrase of its own: "jokers" is both jokers, not several of one.
        cards = {(*phrase[:-1], f"{phrase[-1]}s"): name for phrase, name in cards.items()} | cards
        synonyms = {phrase_of(each): split_words(meaning) for meaning, texts in shared.same.items() for each in texts}
        words = defaultdict[str, frozenset[str]](frozenset)
        words |= {name: frozenset(phrase_of(text)) for name, text in shared.words.items()}
        return cls(
            tap_texts={kind: texts[0] for kind, texts in shared.query.items() if texts},
            phrases=[
                (kind, _stems(_replace_synonyms(split_words(text), synonyms)))
                for kind, texts in shared.query.items()
                if kind != "cards"
                for text in texts
            ],
            cards=cards,
            plain_cards=frozenset(map(normalized_words, shared.query.get("cards", ()))),
            without=answers | cards,
            fillers=frozenset(chain.from_iterable(words.values())),
            common=words["common"],
            skipped=words["skipped"],
            synonyms=synonyms,
            people=dict.fromkeys(words["speaker"] | words["person"], 1) | dict.fromkeys(words["couple"], 2),
            speaker=words["speaker"],
            joining=words["joining"],
        )


phrasebook_of = lru_cache(maxsize=1)(Phrasebook.from_library)
"""Return the phrases of a library's games; cached after the first search."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some words of a query, with their meaning."""

    kind: str
    """The kind: a kind of phrase, `cards`, `worth`, `without`, `options` or `name`; empty for unknown words."""
    value: Any
    """The number, card, option or name that is meant; `None` for unknown words."""
    words: tuple[Word, ...]
    is_sure: bool
    """Whether the meaning is certain; a single word of a name, or a number alone, may mean something else."""

    @property
    def pieces(self) -> set[int]:
        """The indexes of the pieces of the text, between spaces, that the words come from."""
        return {index for word in self.words for index in range(word.first, word.last + 1)}


@dataclass(frozen=True, slots=True)
class Query:
    """What was typed, parsed into parts."""

    text: str
    parts: Sequence[Part]

    def last_value(self, kind: str) -> Any:
        """Return the value of the last part of a kind; `None` without one."""
        return next((part.value for part in reversed(self.parts) if part.kind == kind), None)

    def values_of(self, kind: str) -> frozenset[Any]:
        """Return the values of all parts of a kind."""
        return frozenset(part.value for part in self.parts if part.kind == kind)

    @property
    def names(self) -> tuple[tuple[Word, ...], ...]:
        """The words of each part that is in the name of a game; common words only as part of a whole name."""
        parts = (part.words for part in self.parts if part.kind == "name")
        return tuple(words for words in parts if len(words) > 1 or not words[0].is_common)

    @property
    def is_named(self) -> bool:
        """Whether the query has the name of a game, or of all of them: "Pitch"."""
        return bool(self.names) or any(part.kind == "name" and part.is_sure for part in self.parts)

    @property
    def unknown_words(self) -> tuple[str, ...]:
        """The words without a meaning, except numbers."""
        words = (part.words[0] for part in self.parts if not part.kind)
        return tuple(word.text for word in words if not (word.is_common or word.stem.isdigit()))

    @property
    def is_other_game(self) -> bool:
        """Whether the query seems to be about another game: unknown words with at most numbers, as in "500 rummy"."""
        known = [part for part in self.parts if part.kind]
        known = [part for part in known if part.is_sure or not all(word.is_common for word in part.words)]
        return bool(self.unknown_words and known) and all(
            not part.is_sure and part.words[0].stem.isdigit() for part in known
        )

    def without(self, left_out: Part) -> "Query":
        """Return the query without a part."""
        return Query(self.text, tuple(part for part in self.parts if part is not left_out))

    @property
    def with_points_to_win(self) -> "Query":
        """The query with the points after a name, "setback 21 points", as the target; else itself."""
        if not self.is_named or self.target is not None:
            return self
        points = [part for part in self.parts if part.kind == "points" and part.value in _NUMBER_BOUNDS[""]]
        targets = [part for part in points if part.words[-1].text == "points"]
        return replace(self, parts=[replace(part, kind="target") if part in targets else part for part in self.parts])

    def text_without(self, left_out: Part) -> str:
        """Return the typed text without the words of a part."""
        return " ".join(piece for index, piece in enumerate(self.text.split()) if index not in left_out.pieces)

    def typed_words(self, part: Part) -> str:
        """Return the words of a part as they were typed."""
        return " ".join(self.text.split()[part.words[0].first : part.words[-1].last + 1]).strip(_PHRASE_ENDS)

    def answer(self, question: str) -> Any:
        """Return the value of `players`, `seating`, `points` or `target`; `None` where the query has none."""
        seating, points = self.seating or None, self.last_value("points")
        return {"players": self.players, "seating": seating, "points": points, "target": self.target}[question]

    @property
    def target(self) -> Any:
        """The score that wins, or that a count down begins at; `None` where the query has none."""
        return self.last_value("target") or self.last_value("count_down_from")

    @property
    def sides(self) -> tuple[int | None, int | None]:
        """The number of sides, and of players in each; `None` where the query does not say."""
        sides = each = None
        for part in self.parts:
            if part.kind in _SIDE_KINDS:
                sides, each = part.value[0] or sides, part.value[1] or each
        return sides, each

    @property
    def players(self) -> int | None:
        """The number of players, typed or as follows from the sides: "two against two"; `None` where unknown."""
        sides, each = self.sides
        follows = (sides or 2) * (each or 2) if each or sides not in (None, 2) else None
        return self.last_value("players") or follows

    @property
    def seating(self) -> str:
        """The seating; empty where the query has none."""
        found = [part.kind for part in self.parts if part.kind in _SEATING_KINDS]
        # A called partner is a partner, too.
        last = "called" if "called" in found else found[-1] if found else ""
        players, (sides, each) = self.players or 4, self.sides
        if last not in _SIDE_KINDS:
            return "partners" if last == "pairs" and players <= 4 else last
        sides = sides or players // (each or 2)
        return "alone" if sides == players else "pairs" if sides > 2 else "teams" if players > 4 else "partners"


_KINDS_REPLACED_BY_TAP = {
    "players": ("players", *_SIDE_KINDS.keys() - {"sides"}),
    "seating": _SEATING_KINDS,
    "points": ("points",),
    "target": ("target", "count_down_from"),
}
"""The kinds of parts that a tapped answer replaces, by question."""


def text_with_taps(query: Query, taps: Mapping[str, object], phrasebook: Phrasebook, *, clears: bool) -> str:
    """Return the text of a query with tapped answers in place of its words for the same, or at the end.

    `taps` has values for `players`, `seating`, `points` and `target`; with `clears`, the text loses those not in it.
    """
    pieces: list[str] = query.text.split()
    for question, kinds in _KINDS_REPLACED_BY_TAP.items():
        now, tapped = query.answer(question), taps.get(question)
        if tapped == now or (tapped is None and not clears):
            continue
        replaced = set[int]().union(*(part.pieces for part in query.parts if part.kind in kinds))
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
    """Parse what was typed, preferring the longest phrase at each word.

    `names` are the names of all games, `slang_texts` their slang for awards and decks; single words may come from
    `summaries`.
    """
    name_phrases = {phrase_of(name) for name in names}
    slang = {phrase_of(text) for text in slang_texts}
    known = frozenset(chain.from_iterable(map(phrase_of, summaries))) - phrasebook.fillers
    known = known.union(*name_phrases, *(phrase for phrase in slang if len(phrase) == 1 and not phrase[0].isdigit()))
    words = _read_words(text, phrasebook, known)
    plain_names = {name for name in name_phrases if not _contains_phrase(name, phrasebook)}
    whole = sorted(plain_names.union(phrase for phrase in slang if len(phrase) > 1))
    listed = _listed_card_indexes(words, phrasebook)
    parts: list[Part] = []
    index = 0
    while index < len(words):
        starting = [name for name in whole if name[0] == words[index].stem]
        starts = _parts_at(words, index, phrasebook, starting, listed)
        length, kind, value = max(starts, key=itemgetter(0), default=(1, "", None))
        found = tuple(word for word in words[index : index + length] if kind != "name" or word.stem in (value or ()))
        # A number beside a card is not certain to be its worth, and slang is not certain to be a name.
        is_plain = kind != "worth" and (kind != "name" or value in name_phrases)
        parts.append(Part(kind, value, found, is_plain and all(word.is_sure for word in found)))
        index += length
    return Query(text, tuple(_with_unknown_resolved(parts, name_phrases, known, phrasebook)))


def _read_words(text: str, phrasebook: Phrasebook, known: Collection[str]) -> list[Word]:
    """Split a text into words, with spelling corrected and synonyms replaced."""
    spelled = phrasebook.fillers.union(
        known, *(phrase for _, phrase in phrasebook.phrases), *phrasebook.without, *phrasebook.synonyms
    )
    words = _replace_synonyms([_correct_spelling(word, spelled) for word in split_words(text)], phrasebook.synonyms)
    return [replace(word, is_common=word.stem in phrasebook.common | phrasebook.skipped) for word in words]


def _listed_card_indexes(words: Sequence[Word], phrasebook: Phrasebook) -> frozenset[int]:
    """Return the indexes of words that are cards in a list: "high low jack game" is not the game of that name."""
    indexes, run, index = set[int](), list[int](), 0
    while index <= len(words):
        lengths = (
            _match_phrase(words, index, card, phrasebook, spelled=True)
            for card in phrasebook.cards
            if card[0] not in _NUMBERS_BY_WORD
        )
        length = max((item[0] for item in lengths if item), default=0)
        if length:
            run.append(index)
        elif index == len(words) or words[index].stem not in phrasebook.joining:
            indexes.update(run if len(run) >= _MIN_CARDS_IN_LIST else ())
            run = []
        index += length or 1
    return frozenset(indexes)


_PossiblePart = tuple[int, str, Any]
"""A possible part: its number of words, its kind and its value."""


def _parts_at(
    words: Sequence[Word], index: int, phrasebook: Phrasebook, names: Iterable[Phrase], listed: Collection[int]
) -> Iterator[_PossiblePart]:
    """Yield all possible parts that begin at a word."""
    yield from _phrases_at(words, index, phrasebook)
    yield from _cards_at(words, index, phrasebook, is_listed=index in listed)
    if people := _people_at(words, index, phrasebook):
        yield people[0], "players", people[1]
    for name in names if index not in listed else ():
        if found := _match_phrase(words, index, name, phrasebook):
            yield found[0], "name", name


def _phrases_at(words: Sequence[Word], index: int, phrasebook: Phrasebook) -> Iterator[_PossiblePart]:
    """Yield the parts for phrases that begin at a word: "to 21", "without jokers"."""
    for kind, phrase in phrasebook.phrases:
        found = _match_phrase(words, index, phrase, phrasebook)
        if found is None or kind == "worth":
            continue
        length, numbers = found
        if any(number not in _NUMBER_BOUNDS.get(kind, _NUMBER_BOUNDS["target"]) for number in numbers):
            continue
        if (
            phrase[-1] == ANY_NUMBER
            and len(phrase) > 1
            and _number_begins_phrase(words, index + length - 1, phrasebook)
        ):
            continue
        value = numbers[0] if numbers else 0
        if kind in ("without", "with"):
            yield from _named_things_at(words, index, length, kind, phrasebook)
        elif "." in kind:
            option, _, word = kind.partition(".")
            yield length, "options", (option, options()[option].parse_answer(word))
        elif numbers and kind in options() and kind not in _NUMBER_BOUNDS:
            yield length, "options", (kind, value)
        elif kind == "against":
            yield length, kind, (len(numbers), value) if len({*numbers}) == 1 else (None, None)
        elif kind in _SIDE_KINDS:
            yield length, kind, (None, value) if kind == "each" else (value, (*numbers, _SIDE_KINDS[kind])[1])
        else:
            yield length, kind, value


def _cards_at(words: Sequence[Word], index: int, phrasebook: Phrasebook, *, is_listed: bool) -> Iterator[_PossiblePart]:
    """Yield the parts for cards that begin at a word, with the worth where that follows."""
    for card, plain in phrasebook.cards.items():
        length, _ = _match_phrase(words, index, card, phrasebook, spelled=True) or (0, ())
        counted, points = _worth_at(words, index + length, phrasebook) if length else (0, None)
        if points:
            yield length + counted, "worth", (plain, points)
        # "three" alone may be anything; "off jack" and "jokers" are cards, and so is a word followed by "counts".
        elif counted or (length and (len(card) > 1 or card in phrasebook.plain_cards or is_listed)):
            yield length + counted, "cards", plain


def _number_begins_phrase(words: Sequence[Word], index: int, phrasebook: Phrasebook) -> bool:
    """Return whether the number at an index begins a phrase itself: "10 points" in "for 10 points"."""
    counted = ("players", "points", *_SIDE_KINDS)
    return any(
        kind in counted and phrase[0] == ANY_NUMBER and _match_phrase(words, index, phrase, phrasebook)
        for kind, phrase in phrasebook.phrases
    )


def _worth_at(words: Sequence[Word], index: int, phrasebook: Phrasebook) -> tuple[int, int | None]:
    """Return how many words after a card are about its worth ("counts 3"), and the points if these are given."""
    found = (
        _match_phrase(words, index, phrase, phrasebook, is_within=True)
        for kind, phrase in phrasebook.phrases
        if kind == "worth"
    )
    length, numbers = max(filter(None, found), default=(0, []))
    return length, numbers[0] if numbers else None


def _people_at(words: Sequence[Word], index: int, phrasebook: Phrasebook) -> tuple[int, int] | None:
    """Return how many words from an index list people, and how many people: "me and two friends"; else `None`."""
    is_with, is_whole = words[index].stem == "with", False
    end, named, times, people = 0, 0, 0, int(is_with)
    for length, word in enumerate(words[index:], 1):
        is_speaker = word.stem in phrasebook.speaker
        if word.stem in phrasebook.joining:
            times, is_whole = 0, False
        elif (count := phrasebook.people.get(word.stem)) and not is_whole:
            if word.text.endswith("s") and count == 1 and not times:
                # Nobody knows how many "my brothers" are.
                return None
            # "With my wife and her brother" leaves out the speaker, who plays too; "with me" does not.
            people = 0 if is_speaker and not named else people
            people += times if is_speaker and times else count * (times or 1)
            named, is_whole = named + 1 + (is_with and times > 1), is_speaker and times > 0
            times, end = 0, length
        elif word.stem.isdigit() and not times:
            times = int(word.stem)
        elif word.stem not in phrasebook.skipped:
            break
        times = 0 if word.is_end else times
    return (end, people) if named > 1 and people in _NUMBER_BOUNDS["players"] else None


def _named_things_at(
    words: Sequence[Word], index: int, length: int, kind: str, phrasebook: Phrasebook
) -> Iterator[_PossiblePart]:
    """Yield the parts for a card or an option after "with" or "without": "no jokers", "with the jick"."""
    start = index + length
    has_article = start < len(words) and words[start].stem in phrasebook.skipped
    start += has_article
    for phrase, name in (phrasebook.without if kind == "without" else phrasebook.cards).items():
        is_card = phrase in phrasebook.cards
        # "with three" is how many play, "with the three" a card.
        is_number = len(phrase) == 1 and phrase[0] in _NUMBERS_BY_WORD and not has_article
        found = _match_phrase(words, start, phrase, phrasebook, spelled=is_card)
        if is_number or found is None or (kind == "with" and phrasebook.common.issuperset(phrase)):
            continue
        end = start + found[0]
        if not is_card and name in options():
            yield end - index, "options", (name, options()[name].default)
        elif kind == "with" and (worth := _worth_at(words, end, phrasebook))[1]:
            yield end + worth[0] - index, "worth", (name, worth[1])
        else:
            yield end - index, "cards" if kind == "with" else "without", name


def _match_phrase(
    words: Sequence[Word],
    index: int,
    phrase: Phrase,
    phrasebook: Phrasebook,
    *,
    spelled: bool = False,
    is_within: bool = False,
) -> tuple[int, list[int]] | None:
    """Return the number of words that match a phrase at an index, and the numbers in them; `None` without a match.

    Skipped words such as "the" may be between its words, and before it where it continues another (`is_within`).
    """
    end, numbers = index, list[int]()
    for wanted in phrase:
        while end < len(words):
            word = words[end]
            is_wanted = word.stem.isdigit() if wanted == ANY_NUMBER else wanted == (word.text if spelled else word.stem)
            if end > index and words[end - 1].is_end:
                return None
            if is_wanted or not (end > index or is_within) or word.stem not in phrasebook.skipped:
                break
            end += 1
        if end == len(words) or not is_wanted:
            return None
        numbers += [int(words[end].stem)] if wanted == ANY_NUMBER else []
        end += 1
    return end - index, numbers


def _contains_phrase(name: Phrase, phrasebook: Phrasebook) -> bool:
    """Return whether the name of a game contains a phrase about players, points, bidding or a card."""
    words, begins = [Word(stem, stem, 0, 0) for stem in name], {ANY_NUMBER, *name}
    phrases = [known for known in phrasebook.phrases if known[0] in _KINDS_IN_NAMES and known[1][0] in begins]

    def has_phrase_at(index: int, kind: str, phrase: Phrase) -> bool:
        found = _match_phrase(words, index, phrase, phrasebook)
        if found and kind == "with":
            return any(
                part_kind == "cards" for _, part_kind, _ in _named_things_at(words, index, found[0], kind, phrasebook)
            )
        return bool(found)

    return any(has_phrase_at(index, kind, phrase) for kind, phrase in phrases for index in range(len(name)))


def _with_unknown_resolved(
    parts: Sequence[Part], name_phrases: Collection[Phrase], known: Collection[str], phrasebook: Phrasebook
) -> Iterator[Part]:
    """Yield the parts, unknown words of names as names, and lone numbers as targets or, if small, as players."""
    names = [frozenset(name) - phrasebook.common if len(name) > 1 else frozenset(name) for name in name_phrases]
    kinds = {part.kind for part in parts}
    singles = {part.words[0].stem for part in parts if part.kind in ("", "name")}
    before: Part | None = None
    for part, following in zip_longest(parts, parts[1:]):
        (word, *_), kind, value = part.words, part.kind, part.value
        is_number = not kind and word.stem.isdigit()
        if not kind and any(stem == word.stem or _may_begin(stem, word) for stem in known):
            kind = "name"
        # "Stuck at two" and "the two" are not numbers of players, "pitch 4" and "with 4" are.
        is_apart = (
            before is None
            or (before.is_sure and bool(before.kind))
            or not _binds_next_number(before.words[-1], phrasebook)
        )
        if is_number and following and _counts_things(word, following):
            pair = (word.stem, following.words[0].stem)
            kind = "name" if any(pair in pairwise(name) for name in name_phrases) else ""
        elif is_number and not any(word.stem in name and singles.issuperset(name) and len(name) > 1 for name in names):
            number_kind = "target" if int(word.stem) in _NUMBER_BOUNDS[""] else "players"
            is_free = (
                (is_apart or number_kind == "target")
                and number_kind not in kinds
                and int(word.stem) in _NUMBER_BOUNDS[number_kind]
            )
            kind, value = (number_kind, int(word.stem)) if is_free else ("", None)
        before = Part(kind, value, part.words, part.is_sure and kind == part.kind)
        yield before


def _binds_next_number(word: Word, phrasebook: Phrasebook) -> bool:
    """Return whether a number after this word is part of what came before, as in "stuck at two"."""
    return word.is_common and not word.is_end and word.stem not in phrasebook.joining


def _counts_things(word: Word, following: Part) -> bool:
    """Return whether a number is of something other than players or points: "two cousins", "32 cards"."""
    noun = following.words[0].text
    is_noun = following.kind in ("", "name") and len(noun) > 3 and noun.endswith("s")
    return not word.is_end and (is_noun or following.kind in ("cards", "worth"))


def _may_begin(known: str, word: Word) -> bool:
    """Return whether a word may be the beginning of a known one that is still being typed."""
    return len(word.text) > 2 and known.startswith((word.text, word.stem))


def _correct_spelling(word: Word, known: Collection[str]) -> Word:
    """Return a word, if it is long and unknown as the nearest known word."""
    if len(word.text) < MIN_MISSPELLED_LENGTH or any(_may_begin(part, word) for part in known):
        return word
    near = min(spelling_candidates(word.stem, known), default="")
    return replace(word, text=near, stem=near, is_sure=False) if near else word
