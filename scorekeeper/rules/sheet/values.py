"""What a rule sheet holds, ready to be read: for the page and for the printer."""

from dataclasses import dataclass

_SIGNS_IN_A_LINE = 47


@dataclass(frozen=True, slots=True)
class Line:
    """One rule, as a sentence."""

    text: str
    lead: str = ""
    """Words in bold before the sentence."""
    is_house: bool = False
    """Whether it differs from the book: the pencil stands before it."""
    is_spare: bool = False
    """Whether it goes first where there is little room: an example, or what the rest says as well."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number at the head of the sheet and what it counts; without a value, a line to write it on."""

    value: str
    caption: str
    is_house: bool = False


@dataclass(frozen=True, slots=True)
class TrumpCard:
    """One trump in the row of rank."""

    rank: str
    sign: str
    """Its suit, or the star of a joker."""
    spoken: str
    value: str = ""
    """What it scores; empty where it scores nothing."""
    is_house: bool = False

    @property
    def is_scoring(self) -> bool:
        """Whether it is drawn dark."""
        return bool(self.value)


@dataclass(frozen=True, slots=True)
class BidRow:
    """A bid, what it needs, and what it wins and costs; without a bid, a line to write it on."""

    bid: str
    needs: str
    made: str
    cost: str
    is_house: bool = False


@dataclass(frozen=True, slots=True)
class ExampleRow:
    """One way that the bid of the example can end."""

    told: str
    """What was taken: "7 points"."""
    is_made: bool
    scores: tuple[str, ...]
    """What each side scores, in the order of the example's sides."""


@dataclass(frozen=True, slots=True)
class Example:
    """A bid that is made and one that is set, scored by the engine and handed in."""

    head: str
    """Who bids what: "Us bid 6 and take"."""
    sides: tuple[str, ...]
    rows: tuple[ExampleRow, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the rules below it, in order: first sentences, then a table, then more sentences."""

    title: str
    intro: tuple[Line, ...] = ()
    bids: tuple[BidRow, ...] = ()
    lines: tuple[Line, ...] = ()
    example: Example | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to say."""
        return not (self.intro or self.bids or self.lines or self.example)

    @property
    def length(self) -> float:
        """Guess how many lines it takes in a column."""
        told = sum(1 + len(line.lead + line.text) // _SIGNS_IN_A_LINE for line in (*self.intro, *self.lines))
        tables = sum(1.3 + max(len(row.needs) // 18, len(row.bid) // 9) for row in self.bids)
        tables += 1.4 * (len(self.example.rows) + 1) if self.example else 0
        return 2.2 + told + tables


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """Something the sources leave to the table: boxes to tick, or a line to write on."""

    ask: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HouseFrame:
    """What differs from the book, what was agreed beside it, and what is still to be agreed."""

    title: str
    changes: tuple[str, ...] = ()
    agreed: tuple[str, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleSheet:
    """The rules of a table on one page."""

    title: str
    also: str
    summary: str
    glance: tuple[Figure, ...]
    trumps: tuple[TrumpCard, ...]
    trump_notes: tuple[Line, ...]
    sections: tuple[Section, ...]
    """In reading order."""
    winning: Section
    house: HouseFrame
    fingerprint: str

    @property
    def columns(self) -> tuple[tuple[Section, ...], tuple[Section, ...]]:
        """Give the sections in two columns of much the same length."""
        lengths = [section.length for section in self.sections]
        cuts = range(1, max(len(lengths), 2))
        cut = min(cuts, key=lambda at: max(sum(lengths[:at]), sum(lengths[at:])))
        return self.sections[:cut], self.sections[cut:]
