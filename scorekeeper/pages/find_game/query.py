"""Parse what a table types about its game: players, seating, cards, target and points; other words are names.

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
from scorekeeper.pitch.rules.phrases import NUMBERS, number
from scorekeeper.pitch.rules.search import MIN_MISSPELLED_LENGTH, Phrase, near_words, stem_of, words_of

ANY_NUMBER = "#"
"""The placeholder for a number in a phrase; the words of a phrase are stems, and numbers are in digits."""
_TENS = {
    word: 10 * tens for tens, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_DIGITS = {word: value for value, word in enumerate(NUMBERS) if value} | _TENS
_STATED_IN_NAMES = ("players", "points", "without_bids", "with")
"""The kinds of phrases that the name of a game may contain."""
_MIN_LIST_LENGTH = 4
"""The fewest consecutive cards that are a list; fewer may be the name of a game."""
_UNITS, _HUNDREDS = range(1, 10), range(100, 1000, 100)
_ENDS = ",.;:!?"
_MIN_STEMMED_LENGTH = 4
"""The fewest letters of a word to remove an ending from: "use" is not the plural of "u"."""
_BOUNDS = {
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
_SIDES = {"sides": None, "couples": 2, "against": None, "each": None}
"""Kinds of phrases about sides, with the players of a side where the phrase has no number for that."""
_SEATINGS = ("partners", "pairs", "alone", "called", *_SIDES)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text, and the pieces of the text between spaces that it comes from."""

    text: str
    """The word in lower case, with a number up to twenty spelled out."""
    stem: str
    first: int
    last: int
    """The indexes of the first and the last piece."""
    is_end: bool = False
    """Whether punctuation that ends a phrase follows."""
    is_common: bool = False
    """Whether the word does not distinguish games, such as "pitch"."""
    is_sure: bool = True
    """Whether the spelling was not corrected."""


def split_words(text: str) -> list[Word]:
    """Split a text into words, joining the words of one number: "fifty-two"."""
    words: list[Word] = []
    goes_on = False
    for index, piece in enumerate(text.split()):
        is_spelled = not piece[0].isdigit()
        for word in (piece,) if piece == ANY_NUMBER else words_of(piece.replace("&", " and ").replace("=", " is ")):
            if word == "s" and not is_spelled:
                # "4s" are "fours".
                word = f"{words.pop().text}s"
            whole = _sum(words[-1], word) if goes_on and is_spelled else None
            if whole:
                words.append(Word(number(whole), str(whole), words.pop().first, index))
            else:
                stem = word if len(word) < _MIN_STEMMED_LENGTH else stem_of(word)
                words.append(Word(word, str(_DIGITS.get(word, stem)), index, index))
            goes_on = is_spelled
        if words and piece[-1] in _ENDS:
            words[-1], goes_on = replace(words[-1], is_end=True), False
    return words


def _sum(before: Word, word: str) -> int | None:
    """Return the number of a word and the one before it: "fifty two", "two hundred", "two hundred ten"; else `None`."""
    first, value = int(before.stem) if before.stem.isdigit() else 0, _DIGITS.get(word, 0)
    if word == "hundred" and (first in _UNITS or before.text == "a"):
        return 100 * max(first, 1)
    is_more = (first in _TENS.values() and value in _UNITS) or (first in _HUNDREDS and value > 0)
    return first + value if is_more else None


@lru_cache(maxsize=4096)
def phrase_of(text: str) -> Phrase:
    """Return the stems of a text's words."""
    return _stems(split_words(text))


def _stems(words: Iterable[Word]) -> Phrase:
    return tuple(word.stem for word in words)


def _in_usual_words(words: Sequence[Word], same: Mapping[Phrase, Sequence[Word]]) -> list[Word]:
    """Replace synonyms by the words that the phrases use, longest first."""
    usual: list[Word] = []
    index, max_length = 0, max(map(len, same), default=0)
    while index < len(words):
        spans = (words[index : index + length] for length in range(max_length, 0, -1))
        known = (span for span in spans if _stems(span) in same and not any(word.is_end for word in span[:-1]))
        span = next(known, words[index : index + 1])
        is_sure = all(word.is_sure for word in span)
        meaning = same.get(_stems(span), span)
        usual += [replace(word, first=span[0].first, last=span[-1].last, is_sure=is_sure) for word in meaning]
        usual[-1] = replace(usual[-1], is_end=span[-1].is_end)
        index += len(span)
    return usual


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrasebook:
    """The phrases that tables use for any game."""

    first: Mapping[str, str]
    """The text that a tap writes, by kind of phrase."""
    phrases: Sequence[tuple[str, Phrase]]
    """Phrases with their kinds: `players`, `points`, `target`, a seating, or an option with an answer."""
    cards: Mapping[Phrase, str]
    """The plain names of awards, by phrase."""
    plain_cards: frozenset[Phrase]
    """Single words that can only be a card."""
    without: Mapping[Phrase, str]
    """What "without" or "no" may be followed by: the plain name of an award, or an option, by phrase."""
    fillers: frozenset[str]
    """Words without meaning, unless they are in the name of a game."""
    common: frozenset[str]
    """Words that do not distinguish one game from another."""
    skipped: frozenset[str]
    """Words that may be anywhere within a phrase, such as "the"."""
    same: Mapping[Phrase, Sequence[Word]]
    """The words that replace a synonym, by the synonym."""
    people: Mapping[str, int]
    """The number of people by word: "neighbors" are two."""
    speaker: frozenset[str]
    """Words for the person who types, such as "me"."""
    joining: frozenset[str]
    """Words that join people in a list, such as "and"."""

    @classmethod
    def of(cls, library: Library) -> "Phrasebook":
        """Return the phrases of the shared file, with the names of all awards of any game."""
        shared = library.shared
        kinds: dict[AwardId, AwardKind] = {}
        cards: dict[Phrase, str] = {}
        for ruleset in library:
            kinds |= ruleset.kinds
            for award_id, award in ruleset.awards.items():
                cards.setdefault(words_of(award.name), plain_name(ruleset.kinds[award_id]))
        cards |= {words_of(name): name for name in cards.values()}
        answers: dict[Phrase, str] = {}
        for name, texts in shared.slang.items():
            for text in (name.replace("_", " "), *texts):
                if name in kinds:
                    cards.setdefault(words_of(text), plain_name(kinds[name]))
                elif name in options():
                    answers[phrase_of(text)] = name
        # A plural does not override a phrase of its own: "jokers" is both jokers, not several of one.
        cards = {(*phrase[:-1], f"{phrase[-1]}s"): name for phrase, name in cards.items()} | cards
        same = {phrase_of(each): split_words(meaning) for meaning, texts in shared.same.items() for each in texts}
        words = defaultdict[str, frozenset[str]](frozenset)
        words |= {name: frozenset(phrase_of(text)) for name, text in shared.words.items()}
        return cls(
            first={kind: texts[0] for kind, texts in shared.query.items() if texts},
            phrases=[
                (kind, _stems(_in_usual_words(split_words(text), same)))
                for kind, texts in shared.query.items()
                if kind != "cards"
                for text in texts
            ],
            cards=cards,
            plain_cards=frozenset(map(words_of, shared.query.get("cards", ()))),
            without=answers | cards,
            fillers=frozenset(chain.from_iterable(words.values())),
            common=words["common"],
            skipped=words["skipped"],
            same=same,
            people=dict.fromkeys(words["speaker"] | words["person"], 1) | dict.fromkeys(words["couple"], 2),
            speaker=words["speaker"],
            joining=words["joining"],
        )


phrasebook_of = lru_cache(maxsize=1)(Phrasebook.of)
"""Return the phrases of a library's games, made at the first search."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some words of a query, and their meaning."""

    about: str
    """The kind: a kind of phrase, `cards`, `worth`, `without`, `options` or `name`; empty for unknown words."""
    value: Any
    words: tuple[Word, ...]
    is_sure: bool
    """Whether the meaning is certain: a single word of a name, or a number alone, may mean something else."""

    @property
    def pieces(self) -> set[int]:
        """The indexes of the pieces of the text, between spaces, that the part comes from."""
        return {index for word in self.words for index in range(word.first, word.last + 1)}


@dataclass(frozen=True, slots=True)
class Query:
    """What a table typed, parsed into parts."""

    text: str
    parts: Sequence[Part]

    def last(self, about: str) -> Any:
        """Return the value of the last part of a kind that has one answer; `None` without one."""
        return next((part.value for part in reversed(self.parts) if part.about == about), None)

    def every(self, about: str) -> frozenset[Any]:
        """Return the values of all parts of a kind that has several answers."""
        return frozenset(part.value for part in self.parts if part.about == about)

    @property
    def names(self) -> tuple[tuple[Word, ...], ...]:
        """The parts that are in the name of some game: single words, and whole names."""
        parts = (part.words for part in self.parts if part.about == "name")
        return tuple(words for words in parts if len(words) > 1 or not words[0].is_common)

    @property
    def is_named(self) -> bool:
        """Whether the query has the name of a game, or "Pitch", the name of all of them."""
        return bool(self.names) or any(part.about == "name" and part.is_sure for part in self.parts)

    @property
    def unknown(self) -> tuple[str, ...]:
        """The words without a meaning, not counting numbers."""
        words = (part.words[0] for part in self.parts if not part.about)
        return tuple(word.text for word in words if not (word.is_common or word.stem.isdigit()))

    @property
    def is_other_game(self) -> bool:
        """Whether the query seems to be for another game: unknown words and at most numbers, as in "500 rummy"."""
        known = [part for part in self.parts if part.about]
        known = [part for part in known if part.is_sure or not all(word.is_common for word in part.words)]
        return bool(self.unknown and known) and all(not part.is_sure and part.words[0].stem.isdigit() for part in known)

    def without(self, left_out: Part) -> "Query":
        """Return the query without a part."""
        return Query(self.text, tuple(part for part in self.parts if part is not left_out))

    @property
    def with_points_to_win(self) -> "Query":
        """The query with "21 points" beside a name as the target, instead of the points in a hand."""
        if not self.is_named or self.target is not None:
            return self
        points = [part for part in self.parts if part.about == "points" and part.value in _BOUNDS[""]]
        targets = [part for part in points if part.words[-1].text == "points"]
        return replace(self, parts=[replace(part, about="target") if part in targets else part for part in self.parts])

    def text_without(self, left_out: Part) -> str:
        """Return the text without the words of a part."""
        return " ".join(piece for index, piece in enumerate(self.text.split()) if index not in left_out.pieces)

    def words_of(self, part: Part) -> str:
        """Return the words of a part as they were typed."""
        return " ".join(self.text.split()[part.words[0].first : part.words[-1].last + 1]).strip(_ENDS)

    def answer(self, about: str) -> Any:
        """Return the value of `players`, `seating`, `points` or `target`; `None` where the text has none."""
        seating, points = self.seating or None, self.last("points")
        return {"players": self.players, "seating": seating, "points": points, "target": self.target}[about]

    @property
    def target(self) -> Any:
        """The points that win, or that a count down begins at."""
        return self.last("target") or self.last("count_down_from")

    @property
    def sides(self) -> tuple[int | None, int | None]:
        """The number of sides, and of players in each, as far as the text has them."""
        sides = each = None
        for part in self.parts:
            if part.about in _SIDES:
                sides, each = part.value[0] or sides, part.value[1] or each
        return sides, each

    @property
    def players(self) -> int | None:
        """The number of players, from the text or as follows from the sides: "two against two", "three teams"."""
        sides, each = self.sides
        follows = (sides or 2) * (each or 2) if each or sides not in (None, 2) else None
        return self.last("players") or follows

    @property
    def seating(self) -> str:
        """The seating; empty where the text has none."""
        found = [part.about for part in self.parts if part.about in _SEATINGS]
        # A called partner is a partner, too.
        last = "called" if "called" in found else found[-1] if found else ""
        players, (sides, each) = self.players or 4, self.sides
        if last not in _SIDES:
            return "partners" if last == "pairs" and players <= 4 else last
        sides = sides or players // (each or 2)
        return "alone" if sides == players else "pairs" if sides > 2 else "teams" if players > 4 else "partners"


_WORDS_OF_TAP = {
    "players": ("players", *_SIDES.keys() - {"sides"}),
    "seating": _SEATINGS,
    "points": ("points",),
    "target": ("target", "count_down_from"),
}
"""The kinds of parts that a tap replaces."""


def with_taps(query: Query, taps: Mapping[str, object], phrasebook: Phrasebook, *, clears: bool) -> str:
    """Return the text of a query with tapped answers in it, in place of its words for the same, or at the end.

    `taps` has values for `players`, `seating`, `points` and `target`; with `clears`, the text loses those not in it.
    """
    pieces: list[str] = query.text.split()
    for about, kinds in _WORDS_OF_TAP.items():
        now, tapped = query.answer(about), taps.get(about)
        if tapped == now or (tapped is None and not clears):
            continue
        replaced = set[int]().union(*(part.pieces for part in query.parts if part.about in kinds))
        for index in replaced:
            pieces[index] = ""
        if tapped is not None:
            kind = str(tapped) if about == "seating" else about
            kind, value = ("sides", 2) if tapped == "teams" else (kind, tapped)
            index = min(replaced, default=len(pieces))
            pieces[index : index + 1] = [phrasebook.first[kind].replace(ANY_NUMBER, str(value))]
    return " ".join(filter(None, pieces))


def read_query(
    text: str, phrasebook: Phrasebook, names: Iterable[str], things: Iterable[str], summaries: Iterable[str]
) -> Query:
    """Parse what a table typed, preferring the longest phrase at each word.

    `names` are the names of all games, `things` their slang for awards and decks; single words may also come from
    `summaries`.
    """
    called = {phrase_of(name) for name in names}
    slang = {phrase_of(text) for text in things}
    known = frozenset(chain.from_iterable(map(phrase_of, summaries))) - phrasebook.fillers
    known = known.union(*called, *(phrase for phrase in slang if len(phrase) == 1 and not phrase[0].isdigit()))
    words = _read_words(text, phrasebook, known)
    plain_names = {name for name in called if not _states_more(name, phrasebook)}
    whole = sorted(plain_names.union(phrase for phrase in slang if len(phrase) > 1))
    listed = _listed(words, phrasebook)
    parts: list[Part] = []
    index = 0
    while index < len(words):
        starting = [name for name in whole if name[0] == words[index].stem]
        starts = _parts_at(words, index, phrasebook, starting, listed)
        length, about, value = max(starts, key=itemgetter(0), default=(1, "", None))
        found = tuple(word for word in words[index : index + length] if about != "name" or word.stem in (value or ()))
        # A number beside a card is not certain to be its worth, and slang is not certain to be a name.
        is_plain = about != "worth" and (about != "name" or value in called)
        parts.append(Part(about, value, found, is_plain and all(word.is_sure for word in found)))
        index += length
    return Query(text, tuple(_with_numbers(parts, called, known, phrasebook)))


def _read_words(text: str, phrasebook: Phrasebook, known: Collection[str]) -> list[Word]:
    """Split a text into words, with spelling corrected and synonyms replaced."""
    spelled = phrasebook.fillers.union(
        known, *(phrase for _, phrase in phrasebook.phrases), *phrasebook.without, *phrasebook.same
    )
    words = _in_usual_words([_corrected(word, spelled) for word in split_words(text)], phrasebook.same)
    return [replace(word, is_common=word.stem in phrasebook.common | phrasebook.skipped) for word in words]


def _listed(words: Sequence[Word], phrasebook: Phrasebook) -> frozenset[int]:
    """Return the indexes of cards in a list: "high low jack game" is a list of cards, not the game of that name."""
    indexes, run, index = set[int](), list[int](), 0
    while index <= len(words):
        lengths = (
            _match(words, index, card, phrasebook, spelled=True) for card in phrasebook.cards if card[0] not in _DIGITS
        )
        length = max((item[0] for item in lengths if item), default=0)
        if length:
            run.append(index)
        elif index == len(words) or words[index].stem not in phrasebook.joining:
            indexes.update(run if len(run) >= _MIN_LIST_LENGTH else ())
            run = []
        index += length or 1
    return frozenset(indexes)


_Start = tuple[int, str, Any]
"""A possible part: its number of words, its kind and its value."""


def _parts_at(
    words: Sequence[Word], index: int, phrasebook: Phrasebook, names: Iterable[Phrase], listed: Collection[int]
) -> Iterator[_Start]:
    """Yield all possible parts that begin at a word."""
    yield from _phrases_at(words, index, phrasebook)
    yield from _cards_at(words, index, phrasebook, is_listed=index in listed)
    if people := _people_at(words, index, phrasebook):
        yield people[0], "players", people[1]
    for name in names if index not in listed else ():
        if found := _match(words, index, name, phrasebook):
            yield found[0], "name", name


def _phrases_at(words: Sequence[Word], index: int, phrasebook: Phrasebook) -> Iterator[_Start]:
    """Yield the phrases that begin at a word: "to 21", "without jokers"."""
    for kind, phrase in phrasebook.phrases:
        found = _match(words, index, phrase, phrasebook)
        if found is None or kind == "worth":
            continue
        length, numbers = found
        if any(number not in _BOUNDS.get(kind, _BOUNDS["target"]) for number in numbers):
            continue
        if phrase[-1] == ANY_NUMBER and len(phrase) > 1 and _begins_phrase(words, index + length - 1, phrasebook):
            continue
        value = numbers[0] if numbers else 0
        if kind in ("without", "with"):
            yield from _thing_at(words, index, length, kind, phrasebook)
        elif "." in kind:
            option, _, word = kind.partition(".")
            yield length, "options", (option, options()[option].read(word))
        elif numbers and kind in options() and kind not in _BOUNDS:
            yield length, "options", (kind, value)
        elif kind == "against":
            yield length, kind, (len(numbers), value) if len({*numbers}) == 1 else (None, None)
        elif kind in _SIDES:
            yield length, kind, (None, value) if kind == "each" else (value, (*numbers, _SIDES[kind])[1])
        else:
            yield length, kind, value


def _cards_at(words: Sequence[Word], index: int, phrasebook: Phrasebook, *, is_listed: bool) -> Iterator[_Start]:
    """Yield a card that begins at a word, with its worth where that follows."""
    for card, plain in phrasebook.cards.items():
        length, _ = _match(words, index, card, phrasebook, spelled=True) or (0, ())
        counted, points = _worth_at(words, index + length, phrasebook) if length else (0, None)
        if points:
            yield length + counted, "worth", (plain, points)
        # "three" alone may be anything; "off jack" and "jokers" are cards, and so is a word followed by "counts".
        elif counted or (length and (len(card) > 1 or card in phrasebook.plain_cards or is_listed)):
            yield length + counted, "cards", plain


def _begins_phrase(words: Sequence[Word], index: int, phrasebook: Phrasebook) -> bool:
    """Return whether a number begins a phrase of its own: "for 10 points" is not "for 10"."""
    counted = ("players", "points", *_SIDES)
    return any(
        kind in counted and phrase[0] == ANY_NUMBER and _match(words, index, phrase, phrasebook)
        for kind, phrase in phrasebook.phrases
    )


def _worth_at(words: Sequence[Word], index: int, phrasebook: Phrasebook) -> tuple[int, int | None]:
    """Return the number of words after a card that state its worth ("counts 3"), and the points if any."""
    found = (
        _match(words, index, phrase, phrasebook, is_within=True)
        for kind, phrase in phrasebook.phrases
        if kind == "worth"
    )
    length, numbers = max(filter(None, found), default=(0, []))
    return length, numbers[0] if numbers else None


def _people_at(words: Sequence[Word], index: int, phrasebook: Phrasebook) -> tuple[int, int] | None:
    """Return the number of words in a list of people, and of people: "me, my wife and two friends"; else `None`."""
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
    return (end, people) if named > 1 and people in _BOUNDS["players"] else None


def _thing_at(words: Sequence[Word], index: int, length: int, kind: str, phrasebook: Phrasebook) -> Iterator[_Start]:
    """Yield the award or option after "with" or "without": "no jokers", "with the jick"."""
    start = index + length
    has_article = start < len(words) and words[start].stem in phrasebook.skipped
    start += has_article
    for phrase, name in (phrasebook.without if kind == "without" else phrasebook.cards).items():
        is_card = phrase in phrasebook.cards
        # "with three" is how many play, "with the three" a card.
        is_number = len(phrase) == 1 and phrase[0] in _DIGITS and not has_article
        found = _match(words, start, phrase, phrasebook, spelled=is_card)
        if is_number or found is None or (kind == "with" and phrasebook.common.issuperset(phrase)):
            continue
        end = start + found[0]
        if not is_card and name in options():
            yield end - index, "options", (name, options()[name].default)
        elif kind == "with" and (worth := _worth_at(words, end, phrasebook))[1]:
            yield end + worth[0] - index, "worth", (name, worth[1])
        else:
            yield end - index, "cards" if kind == "with" else "without", name


def _match(
    words: Sequence[Word],
    index: int,
    phrase: Phrase,
    phrasebook: Phrasebook,
    *,
    spelled: bool = False,
    is_within: bool = False,
) -> tuple[int, list[int]] | None:
    """Match a phrase at a word; return its number of words and the numbers in it, or `None`.

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


def _states_more(name: Phrase, phrasebook: Phrasebook) -> bool:
    """Return whether a name contains a phrase of its own, about players, points, bidding or a card."""
    words, begins = [Word(stem, stem, 0, 0) for stem in name], {ANY_NUMBER, *name}
    phrases = [known for known in phrasebook.phrases if known[0] in _STATED_IN_NAMES and known[1][0] in begins]

    def states_more(index: int, kind: str, phrase: Phrase) -> bool:
        found = _match(words, index, phrase, phrasebook)
        if found and kind == "with":
            return any(about == "cards" for _, about, _ in _thing_at(words, index, found[0], kind, phrasebook))
        return bool(found)

    return any(states_more(index, kind, phrase) for kind, phrase in phrases for index in range(len(name)))


def _with_numbers(
    parts: Sequence[Part], called: Collection[Phrase], known: Collection[str], phrasebook: Phrasebook
) -> Iterator[Part]:
    """Yield parts with unknown words found in names as names, and lone numbers as targets, or as players if small."""
    names = [frozenset(name) - phrasebook.common if len(name) > 1 else frozenset(name) for name in called]
    kinds = {part.about for part in parts}
    singles = {part.words[0].stem for part in parts if part.about in ("", "name")}
    before: Part | None = None
    for part, following in zip_longest(parts, parts[1:]):
        (word, *_), about, value = part.words, part.about, part.value
        is_number = not about and word.stem.isdigit()
        if not about and any(stem == word.stem or _begins(stem, word) for stem in known):
            about = "name"
        # "Stuck at two" and "the two" are not numbers of players, "pitch 4" and "with 4" are.
        is_apart = (
            before is None or (before.is_sure and bool(before.about)) or not _leads_on(before.words[-1], phrasebook)
        )
        if is_number and following and _is_counted(word, following):
            pair = (word.stem, following.words[0].stem)
            about = "name" if any(pair in pairwise(name) for name in called) else ""
        elif is_number and not any(word.stem in name and singles.issuperset(name) and len(name) > 1 for name in names):
            kind = "target" if int(word.stem) in _BOUNDS[""] else "players"
            is_free = (is_apart or kind == "target") and kind not in kinds and int(word.stem) in _BOUNDS[kind]
            about, value = (kind, int(word.stem)) if is_free else ("", None)
        before = Part(about, value, part.words, part.is_sure and about == part.about)
        yield before


def _leads_on(word: Word, phrasebook: Phrasebook) -> bool:
    """Return whether a number after this word belongs to the part before, as the word means nothing by itself."""
    return word.is_common and not word.is_end and word.stem not in phrasebook.joining


def _is_counted(word: Word, following: Part) -> bool:
    """Return whether a number counts a noun other than players or points: "two cousins", "32 cards"."""
    noun = following.words[0].text
    is_noun = following.about in ("", "name") and len(noun) > 3 and noun.endswith("s")
    return not word.is_end and (is_noun or following.about in ("cards", "worth"))


def _begins(known: str, word: Word) -> bool:
    """Return whether a word may be the start of a known one, because the search runs while the table types."""
    return len(word.text) > 2 and known.startswith((word.text, word.stem))


def _corrected(word: Word, known: Collection[str]) -> Word:
    """Return a word with its spelling corrected to the nearest known one."""
    if len(word.text) < MIN_MISSPELLED_LENGTH or any(_begins(part, word) for part in known):
        return word
    near = min(near_words(word.stem, known), default="")
    return replace(word, text=near, stem=near, is_sure=False) if near else word
