"""Numbers, names and bids in the words of the table; dates as a region writes them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, NamedTuple, TypeVar

from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.phrases import join_words
from scorekeeper.pitch.scoring.hand import TAKE_SET, Bid, Call, SideId
from scorekeeper.pitch.scoring.seats import NAME_SEPARATOR, Seats

Pronouns = Literal["", "names", "we", "sides"]
"""How to name two sides that have no names of their own.

"" keeps stored names; `names` is Us and Them, as on paper; `we` is We and They; `sides` is Side 1 and Side 2.
"""
PRONOUN_LETTERS: Mapping[Pronouns, str] = {"we": "\ue001\ue002", "sides": "\ue003\ue004", "names": "\ue005\ue006"}
"""The two private-use characters that stand for the sides' names, keyed by `Pronouns`.

`resolve_pronouns` turns them into words.
"""
LETTERS_BY_NAME: Mapping[str, str] = {
    **dict(zip(("We", "They", "Side 1", "Side 2", "Us", "Them"), "".join(PRONOUN_LETTERS.values()), strict=True)),
    **dict(zip(("us", "them", "we", "they", "Side 3", "Side 4"), "\ue007\ue008\ue009\ue00a\ue00b\ue00c", strict=True)),
}
"""The private-use characters for names whose form depends on the sentence, keyed by name: "We", "Side 1"."""
Key = TypeVar("Key")
Value = TypeVar("Value")
MINUS = "−"
"""The minus sign of scores, which is longer than a hyphen."""
SUIT_SIGNS = {"spades": "♠", "hearts": "♥", "diamonds": "♦", "clubs": "♣"}
_MARKER_SHAPES = ("circle", "square", "triangle", "cross", "hexagon", "shield")
Names = Mapping[str, str]
"""The names to show, keyed by seat or side id: `{"p1": "Ann", "s1": "Ann & Cal"}`."""


class _IdsAsNames(dict[str, str]):
    """Names, keyed by id, in which an id without a name is its own name."""

    def __missing__(self, who: str) -> str:
        return who


IDS_AS_NAMES: Names = _IdsAsNames()
"""The names for a record from a file, whose ids are names already."""


def names_with_id_fallback(names: Names) -> Names:
    """Return a copy of `names` in which an id without a name is its own name."""
    return _IdsAsNames(names)


def signed_text(number: int) -> str:
    """Return a change of score with a plus or minus sign.

    >>> [signed_text(number) for number in (3, 0, -5)]
    ['+3', '0', '−5']
    """
    return f"+{number}" if number > 0 else score_text(number)


def sum_words(before: int, change: int) -> str:
    """Return a score plus or minus its change, as a sum without its result.

    >>> sum_words(17, -5)
    '17 − 5 ='
    """
    return f"{score_text(before)} {MINUS if change < 0 else '+'} {abs(change)} ="


def score_text(number: int) -> str:
    """Return a number with a true minus sign instead of a hyphen.

    >>> score_text(-5)
    '−5'
    """
    return f"{MINUS}{-number}" if number < 0 else str(number)


def join_nonempty(*parts: str) -> str:
    """Return the parts that are not empty, with a space between them."""
    return " ".join(filter(None, parts))


def group_by_key(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """Group values by key, keeping their order.

    >>> group_by_key([(3, "Ann"), (0, "Bea"), (3, "Cal")])
    {3: ['Ann', 'Cal'], 0: ['Bea']}
    """
    groups: dict[Key, list[Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def name_before_number(name: str) -> str:
    """Return a name as it stands before a number; a name that ends in a number has a colon.

    >>> [name_before_number(name) for name in ("Us", "Seat 3")]
    ['Us', 'Seat 3:']
    """
    return f"{name}:" if is_numbered(name) else name


def is_numbered(name: str) -> bool:
    """Return whether a name ends in a number, as "Seat 3" and its private-use character do."""
    return name[-1:].isdigit() or name in _NUMBERED_NAMES


_WORD_BEFORE_NUMBER = re.compile(r"\b(Seat|Side) (?=\d[^<>]*<)")
"""Matches "Seat" or "Side" before a number in text, but not in a tag."""


def bind_seat_numbers(markup: str) -> str:
    """Return markup in whose text no line can break within "Seat 3" or "Side 1".

    >>> bind_seat_numbers('<p title="Seat 3">Ann & Seat 3</p>')
    '<p title="Seat 3">Ann & Seat\xa03</p>'
    """
    return _WORD_BEFORE_NUMBER.sub("\\1\u00a0", markup)


def scores_text(scores: Mapping[SideId, int], names: Names) -> str:
    """Return all scores: "Us 19, Them −2"."""
    return ", ".join(f"{name_before_number(names[side])} {score_text(score)}" for side, score in scores.items())


def changes_text(deltas: Mapping[SideId, int], names: Names) -> str:
    """Return all changes of score: "Us +4, Them 0"."""
    return ", ".join(f"{names[side]} {signed_text(points)}" for side, points in deltas.items())


def substitution_words(newcomers: Names) -> str:
    """Return who substitutes for whom; `newcomers` are keyed by the name of the player whom each replaces.

    >>> substitution_words({"Cal": "Eva"})
    'Eva sits in for Cal'
    """
    return ", and ".join(f"{newcomer} sits in for {leaver}" for leaver, newcomer in newcomers.items())


def names_of(ids: Iterable[str], names: Names) -> list[str]:
    """Return the names of the players or sides with these `ids`, in order."""
    return [names[seat_or_side] for seat_or_side in ids]


def opponents_text(sides: Iterable[SideId], names: Names) -> str:
    """Return two sides as opponents, "Ann & Cal v. Bea & Dan", or any other number of sides as a list.

    >>> opponents_text(("Ann", "Bea", "Cal"), IDS_AS_NAMES)
    'Ann, Bea and Cal'
    """
    side_names = names_of(sides, names)
    return " v. ".join(side_names) if len(side_names) == 2 else join_words(side_names)


def bid_word(bid: Bid | None) -> str:
    """Return a bid as players say it: "4", "double moon"."""
    return str(bid).replace("_", " ")


def call_word(call: Call) -> str:
    """Return a call as players say it: "4", "pass", "go set"."""
    return "go set" if call == TAKE_SET else bid_word(call)


def marker_name(marker: int) -> str:
    """Return the name of the marker with a number, from 1: "square", "outlined circle"."""
    name = _MARKER_SHAPES[(marker - 1) % len(_MARKER_SHAPES)]
    return name if marker <= len(_MARKER_SHAPES) else f"outlined {name}"


def is_one_person(seats: Seats, sides: Sequence[SideId]) -> bool:
    """Return whether the sides are a single player, so that their verb is in the singular."""
    return len(sides) == 1 and len(seats.side(sides[0]).seats) == 1


def verb_for(seats: Seats, sides: Sequence[SideId], plural: str) -> str:
    """Return a verb, given in the `plural`, that agrees with the sides: "win" for We, "wins" for Ann."""
    return _SINGULARS.get(plural, f"{plural}s") if is_one_person(seats, sides) else plural


def verb_for_name(name: str, plural: str) -> str:
    """Return a verb, given in the `plural`, that agrees with a name: "stay" for "Ann & Cal", "stays" for "Ann"."""
    return plural if NAME_SEPARATOR in name else _SINGULARS.get(plural, f"{plural}s")


def name_with_verb(name: str, plural: str) -> str:
    """Return a name with `verb_for_name`: "Ann deals", "Ann & Cal deal"."""
    return f"{name} {verb_for_name(name, plural)}"


_SINGULARS = {
    "have": "has",
    "are": "is",
    "were": "was",
    "do": "does",
    "go": "goes",
    "reach": "reaches",
    **{
        plural: f"{plural}s"
        for plural in (
            "win lead lose share need score take get owe pay play deal call make keep stop beg turn add".split()
        )
    },
}
"""The singular of verbs, keyed by plural: `{"have": "has", …}`."""
_PLURALS = {singular: plural for plural, singular in _SINGULARS.items()} | {"bids": "bid"}
"""The plural of verbs, keyed by singular: `{"has": "have", …}`."""


class _PronounForms(NamedTuple):
    """The forms of a pronoun: "Us", as in a list of scores, then "we", "us", "our" and "ours"."""

    name: str
    subject: str
    objective: str
    our: str
    ours: str


_WE_FORMS, _THEY_FORMS = ("we", "us", "our", "ours"), ("they", "them", "their", "theirs")
_FORMS_BY_LETTER: Mapping[str, _PronounForms] = {
    letter: _PronounForms(name, *(_WE_FORMS if name.lower() in ("we", "us") else _THEY_FORMS))
    for name, letter in LETTERS_BY_NAME.items()
    if not name[-1].isdigit()
}
"""The forms of each pronoun, keyed by its private-use character."""
_NUMBERED_NAMES = {letter: name for name, letter in LETTERS_BY_NAME.items() if letter not in _FORMS_BY_LETTER}
"""The names that end in a number, keyed by their private-use character."""
LETTERS_OF_WE_AND_THEY = frozenset(PRONOUN_LETTERS["we"])
"""The private-use characters of We and They."""
ALL_PRONOUN_LETTERS = "".join(LETTERS_BY_NAME.values())
"""All private-use characters of names, as one string to search in and to put into regular expressions."""
_NON_VERBS = frozenset("and or v to for of by from than before after on in at as each alone first then set not".split())
"""Words after a name that are not its verb, as in "Us and Them"."""
_PRONOUN_LETTER_IN_TEXT = re.compile(
    r"(?:(?P<start>(?:^|[\n>.?!:“\"(])\s*)|(?P<object>\b(?:to|for|of|with|by|from|than|before|makes?|let|pays?|costs)\s)"
    rf"|(?P<and>and ))?(?P<side>[{ALL_PRONOUN_LETTERS}])(?P<own>’s)?(?P<next> [a-z]+)?"
)
"""Matches a private-use character with what decides its form: what is before it, an ’s, and the next word."""
_POSSESSION_OF_PRONOUN = re.compile(rf"\b(the|The) ([a-z]+) of ([{''.join(_FORMS_BY_LETTER)}])(?! and )")
"""Matches a phrase to replace by a possessive: "the bid of them", which becomes "their bid"."""
_WORD_AFTER_SIDES = re.compile(rf"(?:,? (?:and )?[{ALL_PRONOUN_LETTERS}])*(?:</\w+>)*\s([a-z]+)")
"""Matches the word after the name of a side, or after a list of such names."""
_NUMBER_AFTER_SIDE = re.compile(r" [0-9−]")
"""Matches a number right after the name of a side, as in a list of scores."""
_LATER_VERB = re.compile(rf"([{''.join(_NUMBERED_NAMES)}] (?:bid|took|scored) [^.;<]* and )(have|were)\b")
"""Matches a second verb of a side, to be put into the singular: "have" in "Side 1 bid 4, made it and have 11"."""


def with_pronouns(names: Names) -> Names:
    """Return names in which private-use characters stand for those in `LETTERS_BY_NAME`, for `resolve_pronouns`."""
    lettered = {who: LETTERS_BY_NAME.get(name, name) for who, name in names.items()}
    return _IdsAsNames({**LETTERS_BY_NAME, **lettered}) if isinstance(names, _IdsAsNames) else lettered


def resolve_pronouns_of_names(names: Names) -> Names:
    """Return names with "We", "Side 1" or "Us", as outside of sentences, in place of private-use characters."""
    return {who: resolve_pronouns(name) for who, name in names.items()}


def record_fault_message(fault: Fault) -> str:
    """Return the message of a fault in a record, in which names such as "We" have the form that the sentence needs."""
    return resolve_pronouns(fault.with_names(LETTERS_BY_NAME).message)


def resolve_pronouns(text: str) -> str:
    """Return a text with each private-use character replaced by the word that fits: "We win", "the rest to us".

    >>> we, they, side_1, side_2, us, them = [*LETTERS_BY_NAME.values()][:6]
    >>> resolve_pronouns(f"{we} bids 3, made it and have 21; {they} have 22. The rest to {they}. Low was {we}’s")
    'We bid 3, made it and have 21; they have 22. The rest to them. Low was ours'
    >>> resolve_pronouns(f"{side_2} have 22")
    'Side 2 has 22'
    >>> resolve_pronouns(f"{side_1} bid 4 and were set; {side_2} took 4 and have 11.")
    'Side 1 bid 4 and was set; Side 2 took 4 and has 11.'
    >>> resolve_pronouns(f"{us} 21, {them} 19. {us} and {them} reached 21, so {us} win: {them} v. {us}")
    'Us 21, Them 19. We and they reached 21, so we win: Them v. Us'
    >>> resolve_pronouns(f"A renege costs {they} Game, and {us} win because the bid of {them} failed")
    'A renege costs them Game, and we win because their bid failed'
    """
    if not any(letter in text for letter in ALL_PRONOUN_LETTERS):
        return text
    text = _LATER_VERB.sub(lambda found: found[1] + _SINGULARS[found[2]], text)
    return _PRONOUN_LETTER_IN_TEXT.sub(_pronoun_words, _POSSESSION_OF_PRONOUN.sub(_possessive_words, text))


def _possessive_words(possession: re.Match[str]) -> str:
    """Return the words for a match of `_POSSESSION_OF_PRONOUN`: "their bid"."""
    article, thing, side = possession.groups()
    our = _FORMS_BY_LETTER[side].our
    return f"{our.capitalize() if article == 'The' else our} {thing}"


def _pronoun_words(found: re.Match[str]) -> str:
    """Return the words for a match of `_PRONOUN_LETTER_IN_TEXT`: the form of the name that fits, with its verb."""
    side, own, after = found["side"], found["own"] or "", found["next"] or ""
    before, word = found["start"] or found["object"] or found["and"] or "", after.strip()
    if side in _NUMBERED_NAMES:
        is_alone = found["and"] is None
        return f"{before}{_NUMBERED_NAMES[side]}{own}{after and ' '}{_SINGULARS.get(word, word) if is_alone else word}"
    words = _FORMS_BY_LETTER[side]
    following = _WORD_AFTER_SIDES.match(found.string, found.end("side"))
    if own:
        name = words.ours if not word or word in _NON_VERBS else words.our
    elif found["object"] and not (
        found["object"].startswith("to") and _NUMBER_AFTER_SIDE.match(found.string, found.end("side"))
    ):
        name = words.objective
    elif following and (following[1] not in _NON_VERBS or words.name == words.subject.capitalize()):
        name = words.subject
    else:
        return f"{before}{words.name}{after}"
    if found["start"] is not None:
        name = name.capitalize()
    return f"{before}{name}{after and ' '}{_PLURALS.get(word, word)}"


def object_pronoun(name: str) -> str:
    """Return "us" or "them" for the private-use character of a pronoun; empty for an ordinary name.

    For the private-use character of a name with a number, return that name: "Side 1".

    >>> [object_pronoun(name) for name in (*PRONOUN_LETTERS["we"], "Ann")]
    ['us', 'them', '']
    """
    return resolve_pronouns(f"to {name}").removeprefix("to ") if name in ALL_PRONOUN_LETTERS else ""


MONTH_NAMES = "January February March April May June July August September October November December".split()


@dataclass(frozen=True, slots=True)
class DateStyle:
    """How a region writes a date and the time of day.

    >>> at = datetime(2026, 11, 21, 18, 20)
    >>> [AMERICAN.day(at), AMERICAN.full_day(at), AMERICAN.long_day(at), AMERICAN.time(at)]
    ['Nov 21', 'Nov 21, 2026', 'November 21, 2026', '6:20 PM']
    >>> british = DateStyle(is_month_first=False, has_twelve_hours=False)
    >>> [british.day(at), british.full_day(at), british.long_day(at), british.time(at)]
    ['21 Nov', '21 Nov 2026', '21 November 2026', '18:20']
    """

    is_month_first: bool = True
    has_twelve_hours: bool = True
    """Whether the time of day is written with AM or PM."""

    def day(self, day: date) -> str:
        """Return a day without its year: "Nov 21"."""
        return self._day(day, MONTH_NAMES[day.month - 1][:3])

    def full_day(self, day: date) -> str:
        """Return a day with its year: "Nov 21, 2026"."""
        return self._with_year(day, self.day(day))

    def long_day(self, day: date) -> str:
        """Return a day with its year, the month in full: "November 21, 2026"."""
        return self._with_year(day, self._day(day, MONTH_NAMES[day.month - 1]))

    def time(self, at: datetime) -> str:
        """Return the time of day: "6:20 PM"."""
        if self.has_twelve_hours:
            return f"{at.hour % 12 or 12}:{at.minute:02} {'AM' if at.hour < 12 else 'PM'}"
        return f"{at.hour:02}:{at.minute:02}"

    def _day(self, day: date, month: str) -> str:
        """Return a day and the name of its month, in the order of the region: "Nov 21", "21 Nov"."""
        return f"{month} {day.day}" if self.is_month_first else f"{day.day} {month}"

    def _with_year(self, day: date, words: str) -> str:
        """Return `words`, the day and its month, with the year added: "Nov 21, 2026"."""
        return f"{words}, {day.year}" if self.is_month_first else f"{words} {day.year}"


AMERICAN = DateStyle()
"""The style of dates in files and on the command line, where no region is known."""


_RTL_LETTERS = "\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
"""The ranges of right-to-left letters, signs and digits, for a regular expression."""
_SEPARATOR_WITHIN_NAME = "(?:[ \u00a0]+|[-.'’]|&#3[49];)"
"""Matches what may separate the words or letters of one name, but neither begin nor end it."""
_RTL_LETTER = re.compile(f"[{_RTL_LETTERS}]")
"""Matches a letter of a script written from right to left."""
_MARKUP_OR_NAME = re.compile(
    r"<!--.*?-->|<(script|style|title|desc|textarea|option|text|bdi)\b.*?</\1>|<[^>]*>"
    rf"|([{_RTL_LETTERS}](?:[{_RTL_LETTERS}\u0300-\u036f\u200c\u200d0-9]|{_SEPARATOR_WITHIN_NAME}(?=[{_RTL_LETTERS}]))*)",
    re.DOTALL,
)
"""Matches markup to leave alone (comments, tags, plain-text or isolated elements), or a name (group 2)."""


def isolate_rtl_names(markup: str) -> str:
    """Return markup with `<bdi>` around right-to-left names, so that they do not reorder the text beside them.

    >>> isolate_rtl_names('<p title="שרה">שרה לוי & דן: +2</p>')
    '<p title="שרה"><bdi>שרה לוי</bdi> & <bdi>דן</bdi>: +2</p>'
    """
    if not _RTL_LETTER.search(markup):
        return markup
    return _MARKUP_OR_NAME.sub(lambda found: f"<bdi>{found[2]}</bdi>" if found[2] else found[0], markup)
