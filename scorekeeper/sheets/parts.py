"""The parts that sheets are made of, as values."""

from dataclasses import dataclass

BLANK = "____"
"""Stands in a text for a blank to write on."""
_CHARACTERS_IN_A_LINE = 47


@dataclass(frozen=True, slots=True)
class Line:
    """One rule, as a sentence."""

    text: str
    lead: str = ""
    """Words in bold before the sentence."""
    is_house: bool = False
    """Whether it differs from the book: it is marked with the pencil."""
    is_optional: bool = False
    """Whether it is left out first where there is little room: an example, or what the rest implies."""


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
class BidRow:
    """A bid, what it needs, and what it wins and costs; without a bid there is a blank to write it on."""

    bid: str
    needs: str
    made: str
    cost: str
    is_house: bool = False


@dataclass(frozen=True, slots=True)
class ExampleRow:
    """One way in which the bid of the example can end."""

    taken: str
    """What the bidding side took: "7 points"."""
    is_made: bool
    scores: tuple[str, ...]
    """What each side scores, in the order of the example's sides."""


@dataclass(frozen=True, slots=True)
class Example:
    """A bid that is made and then set, scored by the engine."""

    bid: str
    """Who bids what: "Us bid 6 and take"."""
    sides: tuple[str, ...]
    rows: tuple[ExampleRow, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the rules under it, in order: sentences, a table of bids, more sentences, an example."""

    title: str
    intro: tuple[Line, ...] = ()
    bids: tuple[BidRow, ...] = ()
    lines: tuple[Line, ...] = ()
    example: Example | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing under the heading."""
        return not (self.intro or self.bids or self.lines or self.example)

    @property
    def height(self) -> float:
        """An estimate of its height in a column, in lines of text."""
        lines = sum(1 + len(line.lead + line.text) // _CHARACTERS_IN_A_LINE for line in (*self.intro, *self.lines))
        tables = sum(1.3 + max(len(row.needs) // 18, len(row.bid) // 9) for row in self.bids)
        tables += 1.4 * (len(self.example.rows) + 1) if self.example else 0
        return 2.2 + lines + tables


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """Something that the sources leave open: boxes to check, or a blank to write on."""

    ask: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HouseFrame:
    """The house rules: what differs from the book, what was agreed beside it, and what is still to be agreed."""

    title: str
    changes: tuple[str, ...] = ()
    agreed: tuple[str, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there are none."""
        return not (self.changes or self.agreed or self.questions)

    @property
    def is_long(self) -> bool:
        """Whether they leave no room to write more; a question takes two lines."""
        return len(self.changes) + len(self.agreed) + 2 * len(self.questions) > 8
