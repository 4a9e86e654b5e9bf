"""What a table types of its game: how many play, with whom, which cards, to how many points; the rest is names.

The words for these are in the shared file of the rulesets (`query`); `#` in them is a number, in digits or in words.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, pairwise, zip_longest
from typing import Any

from scorekeeper.pitch.rules.awards import AwardId, AwardKind, plain_name
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.phrases import NUMBERS, number
from scorekeeper.pitch.rules.schema import Listing, Ruleset
from scorekeeper.pitch.rules.search import SHORTEST_MISSPELLED, near_words, stem_of, words_of

Phrase = tuple[str, ...]
"""Words without their endings; a number is in digits, and any number `#`."""
ANY_NUMBER = "#"
_TENS = {
    word: 10 * tens for tens, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_DIGITS = {word: value for value, word in enumerate(NUMBERS) if value} | _TENS
_UNITS, _HUNDREDS = range(1, 10), range(100, 1000, 100)
_ENDS = ",.;:!?"
_BOUNDS = {
    "players": range(2, 13),
    "sides": range(2, 7),
    "couples": range(2, 7),
    "against": range(1, 5),
    "points": range(1, 201),
    "target": range(1, 2001),
    "": range(7, 2001),
}
"""What a number of these may be: "for 4" is how many play, "for 52" how many points win, and so is 52 alone."""
_SEATINGS = ("partners", "pairs", "alone", "called", "sides", "couples", "against")
_COMMON_WORDS = frozenset(
    (
        "a an and are as at both but by can each for from has in is it may must my new of on one only or other our own "
        "that the they to was what where which who with you your card deck game hand like pitch play win"
    ).split()
)
"""Words that do not distinguish one game from another."""
_COMMON_STEMS = frozenset(map(stem_of, _COMMON_WORDS))
_ARTICLES = frozenset("a an any the our".split())


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text, and where it stands in it."""

    text: str
    """As typed in small letters, a number up to twenty spelled out."""
    stem: str
    first: int
    last: int
    """The first and the last of the pieces between spaces that it is in."""
    is_end: bool = False
    """Whether a comma follows, or what else ends a phrase."""

    @property
    def is_common(self) -> bool:
        """Whether it does not tell one game from another."""
        return self.text in _COMMON_WORDS or self.stem in _COMMON_STEMS


def split_words(text: str) -> list[Word]:
    """Return the words of a text, those of one number as one: "fifty-two"."""
    words: list[Word] = []
    goes_on = False
    for place, piece in enumerate(text.split()):
        is_spelled = not piece[0].isdigit()
        for word in words_of(piece):
            whole = _sum(words[-1], word) if goes_on and is_spelled else None
            if whole:
                words.append(Word(number(whole), str(whole), words.pop().first, place))
            else:
                stem = str(_DIGITS[word]) if word in _DIGITS else stem_of(word)
                words.append(Word(word, stem, place, place))
            goes_on = is_spelled
        if words and piece[-1] in _ENDS:
            words[-1], goes_on = replace(words[-1], is_end=True), False
    return words


def _sum(before: Word, word: str) -> int | None:
    """Return the number that a word makes with the one before it: "fifty two", "two hundred", "two hundred ten"."""
    first, value = int(before.stem) if before.stem.isdigit() else 0, _DIGITS.get(word, 0)
    if word == "hundred" and (first in _UNITS or before.text == "a"):
        return 100 * max(first, 1)
    is_more = (first in _TENS.values() and value in _UNITS) or (first in _HUNDREDS and value > 0)
    return first + value if is_more else None


@lru_cache(maxsize=4096)
def phrase_of(text: str) -> Phrase:
    """Return a text as it is looked for."""
    return tuple(chain.from_iterable((ANY_NUMBER,) if it == ANY_NUMBER else _stems(it) for it in text.split()))


def _stems(text: str) -> tuple[str, ...]:
    return tuple(word.stem for word in split_words(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrasebook:
    """How tables speak of a game, whichever it is."""

    first: Mapping[str, str] = field(default_factory=dict)
    """What a tap writes, by what it is about."""
    phrases: Sequence[tuple[str, Phrase]] = ()
    """Phrases with what they are about: `players`, `points`, `target`, who plays with whom, or an option's answer."""
    cards: Mapping[Phrase, str] = field(default_factory=dict)
    """What scores, by its plain name."""
    plain_cards: frozenset[Phrase] = frozenset()
    """Single words that can be nothing else."""
    without: Mapping[Phrase, str] = field(default_factory=dict)
    """What may be done without: a plain name, or an option."""
    fillers: frozenset[str] = frozenset()
    """Words that say nothing of a game, unless they are in its name."""

    @classmethod
    def of(cls, shared: Listing, rulesets: Iterable[Ruleset]) -> "Phrasebook":
        """Return the phrases of the shared file, and the names of all that scores in any game."""
        kinds: dict[AwardId, AwardKind] = {}
        cards: dict[Phrase, str] = {}
        for ruleset in rulesets:
            kinds |= ruleset.kinds
            for award_id, award in ruleset.awards.items():
                cards.setdefault(tuple(words_of(award.name)), plain_name(ruleset.kinds[award_id]))
        cards |= {tuple(words_of(name)): name for name in cards.values()}
        answers: dict[Phrase, str] = {}
        for name, texts in shared.slang.items():
            for text in (name.replace("_", " "), *texts):
                if name in kinds:
                    cards.setdefault(tuple(words_of(text)), plain_name(kinds[name]))
                elif name in options():
                    answers[tuple(words_of(text))] = name
        # Both jokers are other cards than the plural of one.
        cards = {(*phrase[:-1], f"{phrase[-1]}s"): name for phrase, name in cards.items()} | cards
        return cls(
            first={kind: texts[0] for kind, texts in shared.query.items() if texts},
            phrases=[(kind, phrase_of(it)) for kind, texts in shared.query.items() if kind != "cards" for it in texts],
            cards=cards,
            plain_cards=frozenset(tuple(words_of(text)) for text in shared.query.get("cards", ())),
            without=answers | cards,
            fillers=frozenset(_stems(" ".join((*shared.words.values(), *shared.said)))),
        )


@dataclass(frozen=True, slots=True)
class Part:
    """Some words of what a table typed, and what they say."""

    about: str
    """A key of the phrases, `cards`, `without`, `options` or `name`; empty where the words say nothing."""
    value: Any
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """What a table typed, in parts."""

    text: str = ""
    parts: tuple[Part, ...] = ()

    def last(self, about: str) -> Any:
        """Return the last value of the parts about something that has one answer; `None` without one."""
        return next((part.value for part in reversed(self.parts) if part.about == about), None)

    def every(self, about: str) -> frozenset[Any]:
        """Return the values of all parts about something that has several answers."""
        return frozenset(part.value for part in self.parts if part.about == about)

    @property
    def names(self) -> tuple[tuple[Word, ...], ...]:
        """What is in the name of some game: single words, and whole names."""
        parts = (tuple(it for it in part.words if not it.is_common) for part in self.parts if part.about == "name")
        return tuple(filter(None, parts))

    @property
    def unknown(self) -> tuple[str, ...]:
        """The words that say nothing here."""
        return tuple(part.words[0].text for part in self.parts if not part.about and not part.words[0].is_common)

    def without(self, left_out: Part) -> "Query":
        """Return it less a part."""
        return Query(self.text, tuple(part for part in self.parts if part is not left_out))

    def text_without(self, left_out: Part) -> str:
        """Return what was typed less the words of a part."""
        places = {place for word in left_out.words for place in range(word.first, word.last + 1)}
        return " ".join(it for place, it in enumerate(self.text.split()) if place not in places)

    def words_of(self, part: Part) -> str:
        """Return the words of a part as they were typed."""
        pieces = self.text.split()[part.words[0].first : part.words[-1].last + 1]
        return " ".join(pieces).strip(",.;:!?")

    def answer(self, about: str) -> Any:
        """Return the value of `players`, `seating`, `points` or `target`; `None` where the text has none."""
        derived = {"players": self.players, "seating": self.seating or None}
        return derived[about] if about in derived else self.last(about)

    @property
    def is_anything(self) -> bool:
        """Whether any word says something."""
        return any(part.about for part in self.parts)

    @property
    def players(self) -> int | None:
        """How many play, where the text has that or it follows from how many pairs there are: "two against two"."""
        pairs = self.last("couples") or self.last("against") or self.last("sides")
        follows = pairs and (pairs != 2 or self.last("sides") != 2)
        return self.last("players") or (2 * pairs if follows else None)

    @property
    def seating(self) -> str:
        """Who plays with whom; empty where the text does not tell."""
        said = next((part.about for part in reversed(self.parts) if part.about in _SEATINGS), "")
        sides, players = self.last("couples") or self.last("sides") or 2, self.players or 4
        if said == "against" and players == sides:
            return "alone"
        if said not in ("sides", "couples", "against"):
            return "partners" if said == "pairs" and players <= 4 else said
        return "pairs" if sides > 2 else "teams" if players > 2 * sides else "partners"


_WORDS_OF_TAP = {
    "players": ("players", "couples", "against"),
    "seating": _SEATINGS,
    "points": ("points",),
    "target": ("target",),
}
"""What a tap takes the place of."""


def with_taps(query: Query, taps: Mapping[str, Any], book: Phrasebook, *, clears: bool) -> str:
    """Return a text with what was tapped written into it: in place of its words for the same, or else at its end.

    `taps` are `players`, `seating`, `points` and `target`; what is none of them is left out where that `clears`.
    """
    pieces: list[str] = query.text.split()
    for about, kinds in _WORDS_OF_TAP.items():
        now, tapped = query.answer(about), taps.get(about)
        if tapped == now or (tapped is None and not clears):
            continue
        words = [word for part in query.parts if part.about in kinds for word in part.words]
        places = sorted({place for word in words for place in range(word.first, word.last + 1)})
        for place in places:
            pieces[place] = ""
        if tapped is not None:
            written = _words_of_tap(about, tapped, book)
            if places:
                pieces[places[0]] = written
            else:
                pieces.append(written)
    return " ".join(filter(None, pieces))


def _words_of_tap(about: str, tapped: Any, book: Phrasebook) -> str:
    kind, value = ("sides", 2) if tapped == "teams" else (tapped if about == "seating" else about, tapped)
    return book.first[kind].replace(ANY_NUMBER, str(value))


def read_query(text: str, book: Phrasebook, names: Iterable[str], others: Iterable[str] = ()) -> Query:
    """Return what a table typed, the longest phrase first.

    `names` are all that games are called by, and their words may be in `others`, too.
    """
    called = {phrase_of(name) for name in names}
    phrases = [phrase_of(text) for text in others]
    known = frozenset(chain.from_iterable(phrases)) - book.fillers
    known = known.union(*called, *(phrase for phrase in phrases if len(phrase) == 1))
    spelled = _known_words(book, known)
    words = [_corrected(word, spelled) for word in split_words(text)]
    whole = {name for name in called if not _COMMON_STEMS.issuperset(name) and not _has_count(name, book)}
    parts: list[Part] = []
    place = 0
    while place < len(words):
        starts = _parts_at(words, place, book, whole)
        length, about, value = max(starts, key=lambda it: it[0], default=(1, "", None))
        parts.append(Part(about, value, tuple(words[place : place + length])))
        place += length
    return Query(text, tuple(_settled(parts, called, known)))


def _parts_at(
    words: Sequence[Word], place: int, book: Phrasebook, names: Iterable[Phrase]
) -> Iterator[tuple[int, str, Any]]:
    """Yield what begins at a place: how many words it is, what it is about, and what it says."""
    stems, texts = [word.stem for word in words], [word.text for word in words]
    for name in names:
        if tuple(stems[place : place + len(name)]) == name:
            yield len(name), "name", None
    for kind, phrase in book.phrases:
        value = _match(stems, place, phrase)
        is_apart = any(word.is_end for word in words[place : place + len(phrase) - 1])
        if value is None or is_apart or (value and value not in _BOUNDS.get(kind, _BOUNDS["target"])):
            continue
        if kind in ("without", "with"):
            yield from _thing_at(texts, place, len(phrase), kind, book)
        elif "." in kind:
            option, _, word = kind.partition(".")
            yield len(phrase), "options", (option, options()[option].read(word))
        elif value and kind in options() and kind not in _BOUNDS:
            yield len(phrase), "options", (kind, value)
        else:
            yield len(phrase), kind, value
    for card, plain in book.cards.items():
        # "three" may be anything, "off jack" and "jokers" are cards.
        if (len(card) > 1 or card in book.plain_cards) and _match(texts, place, card) is not None:
            yield len(card), "cards", plain


def _thing_at(
    texts: Sequence[str], place: int, length: int, kind: str, book: Phrasebook
) -> Iterator[tuple[int, str, Any]]:
    """Yield what a table plays with or without: "no jokers", "with the jick"."""
    start = place + length
    has_article = start < len(texts) and texts[start] in _ARTICLES
    start += has_article
    for phrase, name in (book.without if kind == "without" else book.cards).items():
        # "with three" is how many play, "with the three" a card.
        is_number = len(phrase) == 1 and phrase[0] in _DIGITS and not has_article
        if is_number or _match(texts, start, phrase) is None:
            continue
        whole = start + len(phrase) - place
        if name in options() and phrase not in book.cards:
            yield whole, "options", (name, options()[name].default)
        else:
            yield whole, "cards" if kind == "with" else "without", name


def _match(stems: Sequence[str], place: int, phrase: Phrase) -> int | None:
    """Return the number in a phrase where it stands at a place, 0 where it has none; `None` where it does not."""
    found = stems[place : place + len(phrase)]
    if len(found) < len(phrase):
        return None
    pairs = [*zip(found, phrase, strict=True)]
    if not all(stem == wanted or (wanted == ANY_NUMBER and stem.isdigit()) for stem, wanted in pairs):
        return None
    return next((int(stem) for stem, wanted in pairs if wanted == ANY_NUMBER), 0)


def _has_count(name: Phrase, book: Phrasebook) -> bool:
    """Return whether a name says how many play or how many points there are, so that it is more than a name."""
    return any(
        _match(name, place, phrase)
        for kind, phrase in book.phrases
        for place in range(len(name))
        if kind in ("players", "points")
    )


def _settled(parts: Sequence[Part], called: Collection[Phrase], known: Collection[str]) -> Iterator[Part]:
    """Yield parts with those that are in a name as such, and a number alone as what wins, a small one as who plays."""
    names = frozenset(chain.from_iterable(called))
    said = {part.about for part in parts}
    singles = {part.words[0].stem for part in parts if part.about in ("", "name")} & names - _COMMON_STEMS
    for part, following in zip_longest(parts, parts[1:]):
        (word, *_), about, value = part.words, part.about, part.value
        if not about and any(it == word.stem or _begins(it, word) for it in known):
            about = "name"
        is_number = not part.about and word.stem.isdigit()
        if is_number and following and _is_counted(word, following):
            pair = (word.stem, following.words[0].stem)
            about = "name" if any(pair in pairwise(name) for name in called) else ""
        elif is_number and not _is_in_name(word, singles - {word.stem}, called):
            kind = "target" if int(word.stem) in _BOUNDS[""] else "players"
            if kind not in said and int(word.stem) in _BOUNDS[kind]:
                about, value = kind, int(word.stem)
        yield Part(about, value, part.words)


def _is_in_name(word: Word, others: Collection[str], called: Iterable[Phrase]) -> bool:
    """Return whether a number belongs to the name of a game that the other words are in, or is its whole name."""
    return any({word.stem, *others}.issubset(name) for name in called if others or name == (word.stem,))


def _is_counted(word: Word, following: Part) -> bool:
    """Return whether a number counts what follows, which is neither players nor points: "two cousins", "32 cards"."""
    if following.about not in ("", "name") or word.is_end:
        return False
    noun = following.words[0].text
    return len(noun) > 3 and noun.endswith("s")


def _begins(known: str, word: Word) -> bool:
    """Return whether a word may be the beginning of a known one, since a search follows each letter."""
    return len(word.text) > 2 and known.startswith((word.text, word.stem))


def _known_words(book: Phrasebook, known: Iterable[str]) -> frozenset[str]:
    phrases = (phrase for _, phrase in book.phrases)
    return book.fillers.union(known, _COMMON_STEMS, *phrases, *book.without)


def _corrected(word: Word, known: Collection[str]) -> Word:
    """Return a word as it was meant, where it is misspelled."""
    if len(word.text) < SHORTEST_MISSPELLED or any(_begins(it, word) for it in known):
        return word
    near = min(near_words(word.stem, known), default="")
    return replace(word, text=near, stem=near) if near else word
