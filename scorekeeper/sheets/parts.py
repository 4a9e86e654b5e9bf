"""The parts that sheets are made of, as values."""

from dataclasses import dataclass, field
from typing import Literal

from scorekeeper.rules.trace import ReadingNumber, Reference

BLANK = "____"
"""Stands in a text for a blank to write on."""
_CHARACTERS_IN_A_LINE = 47

Mark = Literal["", "reading", "house", "open"]
"""What a sheet shows beside a rule: nothing, †, the pencil, or a box."""
SectionId = Literal["players", "deal", "bid", "trump", "play", "count", "win", "argue", "house"]
"""The sections of a sheet in their order, which is also their numbers: 1 is `players`."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a rule comes from."""

    references: tuple[Reference, ...] = ()
    """Lines of a source, and readings."""
    house: tuple[str, ...] = ()
    """The options that the house changed and that decide it."""
    agreed: tuple[str, ...] = ()
    """The options that the sources leave open and the table answered."""
    open: tuple[str, ...] = ()
    """The options that the sources leave open and nobody has answered yet."""

    @property
    def mark(self) -> Mark:
        """What a sheet shows beside the rule."""
        if self.house:
            return "house"
        if self.open:
            return "open"
        is_reading = any(isinstance(it, ReadingNumber) for it in self.references)
        return "reading" if is_reading and not self.agreed else ""

    @property
    def is_known(self) -> bool:
        """Whether it says anything at all."""
        return bool(self.references or self.house or self.agreed or self.open)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule, as a sentence or two."""

    id: str
    """Its section and a name: "bid.forced". It stays, whatever number the rule has on a sheet."""
    text: str
    lead: str = ""
    """Words in bold before the sentence."""
    origin: Origin = field(default=Origin())
    decided_by: tuple[str, ...] = ()
    """The options and awards that the sentence depends on."""
    number: str = ""
    """Its number on this sheet: "3.2"."""
    also: tuple[str, ...] = ()
    """Further ids that lead to it: of awards that share the sentence with the one it is named after."""

    @property
    def mark(self) -> Mark:
        """What a sheet shows beside it."""
        return self.origin.mark


@dataclass(frozen=True, slots=True)
class Figure:
    """A number at the head of the sheet and what it counts; without a value there is a blank to write it on."""

    value: str
    caption: str
    is_house: bool = False


@dataclass(frozen=True, slots=True)
class TrumpFace:
    """One card in the row of trumps."""

    rank: str
    sign: str
    """Its suit, or the star of a joker."""
    value: str = ""
    """What it scores; empty where it scores nothing."""
    is_house: bool = False

    @property
    def is_scoring(self) -> bool:
        """Whether it scores, and is drawn dark."""
        return bool(self.value)


@dataclass(frozen=True, slots=True)
class TrumpPicture:
    """The trumps in their order, and all that scores and counts."""

    cards: tuple[TrumpFace, ...]
    also: tuple[TrumpFace, ...]
    """What scores and is no card of the row: Game, the last trick, the highest spade; `rank` is its name."""
    counts: str
    """What counts toward Game: "A 4, K 3, Q 2, J 1, 10 10"; empty where nobody counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BidRow:
    """A bid, what it needs, and what it wins and costs; without a bid there is a blank to write it on."""

    id: str
    bid: str
    needs: str
    made: str
    cost: str
    origin: Origin = field(default=Origin())
    decided_by: tuple[str, ...] = ()
    """The options that it follows from, the foremost first."""
    number: str = ""

    @property
    def mark(self) -> Mark:
        """What a sheet shows beside it."""
        return self.origin.mark


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A line of a worked hand: the scores before it, what it brings, or the scores after it."""

    label: str
    scores: tuple[str, ...]
    """In the order of the hand's sides."""
    is_total: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedHand:
    """An example, scored by the engine: who bid, who took what, and the running score."""

    title: str
    """What it shows: "A made bid", "A failed moon"."""
    story: tuple[str, ...]
    """What happened, as sentences."""
    sides: tuple[str, ...]
    rows: tuple[ScoreRow, ...]
    result: str = ""
    """What follows from it: "They have more, but we made our bid: we win."."""
    is_set: bool = False
    """Whether the bid was set: what the first side loses is circled."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the rules under it, in order: rules, a table of bids, more rules."""

    id: SectionId
    title: str
    intro: tuple[Rule, ...] = ()
    bids: tuple[BidRow, ...] = ()
    rules: tuple[Rule, ...] = ()
    number: int = 0

    @property
    def all_rules(self) -> "tuple[Rule | BidRow, ...]":
        """Everything under the heading, in order."""
        return (*self.intro, *self.bids, *self.rules)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing under the heading."""
        return not self.all_rules

    @property
    def height(self) -> float:
        """An estimate of its height in a column, in lines of text."""
        lines = sum(1 + len(rule.lead + rule.text) // _CHARACTERS_IN_A_LINE for rule in (*self.intro, *self.rules))
        tables = sum(1.3 + max(len(row.needs) // 18, len(row.bid) // 9) for row in self.bids)
        return 2.2 + lines + tables


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """What tables argue about: the question, and how this table plays it."""

    question: str
    answer: str
    number: str
    """That of the rule that it rests on; empty where no rule of the sheet states it."""
    mark: Mark = ""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """Something that the sources leave open: boxes to check, or a blank to write on."""

    ask: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """A rule that the source has itself as an option, and that this table does not play yet: a box to check."""

    text: str
    references: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class HouseFrame:
    """The house rules: what differs from the book, what was agreed beside it, and what can still be chosen."""

    title: str
    changes: tuple[str, ...] = ()
    agreed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What the house wrote itself."""
    questions: tuple[OpenQuestion, ...] = ()
    offers: tuple[Offer, ...] = ()
    options: tuple[str, ...] = ()
    """The options and awards that the changes, and after them what was agreed, answer."""

    @property
    def is_empty(self) -> bool:
        """Whether there are none."""
        return not (self.changes or self.agreed or self.notes or self.questions or self.offers)
