"""The hand entry: who bid, which trump, who took what, and what that comes to."""

from dataclasses import dataclass

from scorekeeper.web.contexts.auction import AuctionView
from scorekeeper.web.contexts.drawing import StripView
from scorekeeper.web.contexts.parts import (
    Action,
    BarView,
    CheckView,
    Choice,
    FaultsView,
    Hidden,
    Notice,
    QuestionView,
    SideView,
    strip_columns,
)
from scorekeeper.web.contexts.piles import CardPointsView


@dataclass(frozen=True, slots=True, kw_only=True)
class BidCell:
    """One call of one person: a square of the bid board."""

    value: str
    """What the form posts, such as `Dan:3`; the views decide its shape."""
    label: str
    """"3", "smudge"."""
    spoken: str
    """"Dan 3"."""
    is_word: bool = False
    icon: str = ""
    """moon, or moons for the double moon, instead of the label."""
    side: SideView | None = None
    """A partner's marker, instead of the label."""
    is_chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BidRow:
    """One person's row of the board."""

    name: str
    side: SideView
    cells: tuple[BidCell, ...]
    note: str = ""
    """"deals"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BidView:
    """Who bid, and how much: a board (`rows`) for up to five steps, else `people` over `steps`.

    Where a partner is called, a board of who bid with whom stands over the steps.
    """

    question: str
    field: str = "call"
    """The board's one radio group: `call`, or `pair`."""
    rows: tuple[BidRow, ...] = ()
    people_field: str = "bidder"
    people: tuple[Choice, ...] = ()
    steps_field: str = "bid"
    steps: tuple[Choice, ...] = ()
    hint: str = ""
    """"moon", beside its sign, where the strip shows a sign."""
    hint_icon: str = ""
    folded: str = ""
    """"Dan bid 3 ♠": the whole question folded into one line, with a way to open it."""
    folded_side: SideView | None = None
    fault: str = ""

    @property
    def columns(self) -> str:
        """Name the class that lays out the board's squares."""
        return f"b{max((len(row.cells) for row in self.rows), default=0)}"

    @property
    def people_columns(self) -> str:
        """Name the classes that lay out the strip of people."""
        return strip_columns(self.people)

    @property
    def steps_columns(self) -> str:
        """Name the classes that lay out the strip of bids."""
        return strip_columns(self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrumpView:
    """Which suit; may be left open."""

    chosen: str = ""
    """spades, hearts, diamonds, clubs or nothing."""
    field: str = "trump"
    note: str = "or skip it"
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFace:
    """The little card beside an award."""

    rank: str = ""
    suit: str = ""
    """trump (follows the choice above), off (the trump's twin), a suit's name, or nothing."""
    icon: str = ""
    """hij, loj, cards…, instead of a rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TickCell:
    """One square of the tick grid: this award to this side."""

    value: str
    spoken: str
    side: SideView | None = None
    """None for nobody."""
    word: str = ""
    """Shown when chosen where there is no marker: "nobody"; in chips, always shown."""
    is_chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardRow:
    """One award and who took it; its element is `row-<award_id>`."""

    award_id: str
    field: str
    label: str
    spoken: str
    """"Trey, 3 points"."""
    cells: tuple[TickCell, ...]
    note: str = ""
    """"3 points"."""
    card: CardFace | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestColumn:
    """A column's head: a button that gives it what is not placed yet."""

    value: str
    """Posted as `rest`."""
    label: str
    side: SideView | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TicksView:
    """Who took what. Up to three columns beside nobody make a grid; more make chips under each award."""

    rows: tuple[AwardRow, ...]
    columns: tuple[RestColumn, ...]
    rest_label: str = "The rest to"
    is_chips: bool = False
    card_points: CardPointsView | None = None

    @property
    def grid(self) -> str:
        """Name the classes that lay out the grid."""
        few = " few" if len(self.rows) <= 4 else ""
        return f"g{len(self.columns)}{few}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsView:
    """By counts only: a strip of numbers for each side."""

    heading: str
    rows: tuple[QuestionView, ...]
    """Each names a side in its question; the choices are the numbers."""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtrasView:
    """What happens seldom, folded away: a misdeal, another dealer, a pitch overtaken."""

    summary: str
    questions: tuple[QuestionView, ...] = ()
    checks: tuple[CheckView, ...] = ()
    thrown_in: tuple[Choice, ...] = ()
    """Buttons that post `thrown_in`: "Misdeal", "All passed, deal again"."""
    is_open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CountView:
    """The running count."""

    lead: str
    """"Them 2"."""
    rest: str
    """"of 3, Us 1"."""
    strip: StripView | None = None
    made: str = ""
    """The word "made", with its tick."""
    went_set: str = ""
    """The word "set", in its ring."""
    to_place: str = ""
    """"2 to place"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MainButton:
    """The button at the bottom edge: it says what it will do."""

    label: str
    note: str = ""
    """The result, under it: "made: Us +4, Them 0"."""
    name: str = "do"
    value: str = "save"
    is_ready: bool = True
    """Otherwise dashed: the label says what is missing, and it leads to `target`."""
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FootView:
    """The foot of the entry: swapped alone after every tap."""

    main: MainButton
    count: CountView | None = None
    says: str = ""
    """A sentence in place of the count, or above it: "Everything you entered is still here."."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPage:
    """Template match/hand.html. Blocks: faults, hand_form, foot."""

    title: str
    bar: BarView
    action: str
    """Where the form posts."""
    preview_url: str
    """Where every change posts; answers with block `foot`."""
    hidden: Hidden
    """seq, client_key and whatever else is carried."""
    foot: FootView
    by: tuple[Choice, ...] = ()
    """The ways to enter a hand, posted as `way`: by cards, by counts, call by call."""
    auction: AuctionView | None = None
    """In place of `bid` where the bidding is entered call by call."""
    bid: BidView | None = None
    trump: TrumpView | None = None
    questions: tuple[QuestionView, ...] = ()
    """Every trick? Which card was called? Who held it?"""
    ticks: TicksView | None = None
    counts: CountsView | None = None
    extras: ExtrasView | None = None
    faults: FaultsView | None = None
    notices: tuple[Notice, ...] = ()
    kept_as: str = ""
    """What it is called while it waits on the phone: "Hand 7", "The correction of hand 4"."""
    is_fresh: bool = False
    """Nothing was sent yet: what this phone still has of the entry may be filled in."""
    ways: tuple[Action, ...] = ()
    """Other ways out of an entry: "Leave it as it was"."""

    @property
    def by_columns(self) -> str:
        """Name the classes that lay out the ways to enter a hand."""
        return strip_columns(self.by)
