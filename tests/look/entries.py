"""Sample hand entries: four points, ten, three sides, five alone with a called card, by counts, refused."""

from dataclasses import replace

from scorekeeper.web.contexts.drawing import draw_strip
from scorekeeper.web.contexts.hand import (
    AwardRow,
    BidCell,
    BidRow,
    BidView,
    CardFace,
    CountsView,
    CountView,
    ExtrasView,
    FootView,
    HandPage,
    MainButton,
    RestColumn,
    TickCell,
    TicksView,
    TrumpView,
)
from scorekeeper.web.contexts.parts import (
    Action,
    CheckView,
    Choice,
    FaultsView,
    FaultView,
    QuestionView,
    SideView,
)
from scorekeeper.web.contexts.piles import CardCount, CardPointField, CardPointsView
from tests.look.people import ALONE, THEM, THIRD, US, under_bar


def ways(chosen: str) -> tuple[Choice, ...]:
    """Make the strip of ways to enter a hand."""
    labels = {"cards": "By cards", "counts": "By counts", "auction": "Call by call"}
    return tuple(Choice(value=way, label=label, is_chosen=way == chosen) for way, label in labels.items())


HIDDEN = (("seq", "9"), ("client_key", "4f2c"))


def board_row(name: str, side: SideView, steps: tuple[str, ...], chosen: str = "", note: str = "") -> BidRow:
    """Make one person's row of the bid board."""
    return BidRow(
        name=name,
        side=side,
        note=note,
        cells=tuple(
            BidCell(
                value=f"{name}:{step}",
                label=step,
                spoken=f"{name} {step}",
                is_word=not step.isdecimal(),
                is_chosen=step == chosen,
            )
            for step in steps
        ),
    )


def award(
    award_id: str,
    label: str,
    sides: tuple[SideView, ...],
    card: CardFace | None,
    taken: str | None = None,
    note: str = "",
    fault: str = "",
) -> AwardRow:
    """Make one award's row; `taken` is a side's id, "nobody", or None while it is open."""
    cells = [
        TickCell(value=side.side_id, spoken=side.name, side=side, is_chosen=taken == side.side_id) for side in sides
    ]
    cells.append(TickCell(value="nobody", spoken="Nobody", word="nobody", is_chosen=taken == "nobody"))
    return AwardRow(
        award_id=award_id,
        field=f"took-{award_id}",
        label=label,
        spoken=f"{label}, {note or '1 point'}",
        cells=tuple(cells),
        note=note,
        card=card,
        fault=fault,
    )


def columns(*sides: SideView) -> tuple[RestColumn, ...]:
    """Make the heads of the tick grid."""
    heads = [RestColumn(value=side.side_id, label=side.name, side=side) for side in sides]
    return (*heads, RestColumn(value="nobody", label="Nobody"))


def card_points(*values: str, is_open: bool = False, fault: str = "") -> CardPointsView:
    """Make the count for Game of two sides."""
    fields = tuple(
        CardPointField(
            field=f"count-{side.side_id}",
            sum_field=f"sum-{side.side_id}",
            spoken=f"{side.name}, card points",
            value=value,
            side=side,
            label=f"{side.name}: tap the cards",
            cards=tuple(
                CardCount(field=f"cards-{side.side_id}-{rank}", rank=rank, worth=worth, spoken=f"{side.name}: {rank}")
                for rank, worth in (("A", 4), ("K", 3), ("Q", 2), ("J", 1), ("10", 10))
            ),
            is_open=is_open and side == US,
        )
        for side, value in zip((US, THEM), values or ("", ""), strict=True)
    )
    return CardPointsView(label="Count for Game", fields=fields, of="of 80", is_open=is_open, fault=fault)


STEPS = ("2", "3", "4", "smudge")
FOUR_CARDS = (
    ("high", "High", CardFace(rank="A", suit="trump")),
    ("low", "Low", CardFace(rank="2", suit="trump")),
    ("jack", "Jack", CardFace(rank="J", suit="trump")),
    ("game", "Game", CardFace(icon="cards")),
)


def four_rows(*taken: str | None) -> tuple[AwardRow, ...]:
    """Make the rows of a four-point hand."""
    return tuple(
        award(award_id, label, (US, THEM), card, who)
        for (award_id, label, card), who in zip(FOUR_CARDS, taken, strict=True)
    )


EXTRAS = ExtrasView(
    summary="Something else happened",
    questions=(
        QuestionView(
            field="dealer",
            question="Who dealt?",
            choices=tuple(
                Choice(value=name, label=name, is_chosen=name == "Ann") for name in ("Ann", "Bea", "Cal", "Dan")
            ),
        ),
    ),
    checks=(CheckView(field="overtook_pitch", label="The dealer overtook a pitch", note="a set then costs double"),),
    thrown_in=(Choice(value="misdeal", label="Misdeal"), Choice(value="all_passed", label="All passed")),
)

FOUR = HandPage(
    title="Hand 9",
    bar=under_bar("Hand 9", "Ann deals. Us 19, Them 17"),
    action="/entry-four",
    preview_url="/preview",
    hidden=HIDDEN,
    by=ways("cards"),
    bid=BidView(
        question="Who bid, and how much?",
        rows=(
            board_row("Bea", THEM, STEPS),
            board_row("Cal", US, STEPS),
            board_row("Dan", THEM, STEPS, "3"),
            board_row("Ann", US, STEPS, note="deals"),
        ),
    ),
    trump=TrumpView(),
    ticks=TicksView(
        rows=four_rows("them", "us", "nobody", "them"), columns=columns(US, THEM), card_points=card_points()
    ),
    extras=EXTRAS,
    foot=FootView(
        count=CountView(
            lead="Them 2",
            rest="of 3, Us 1",
            went_set="set",
            strip=draw_strip("Them 2 of 3, Us 1", points=4, bid=3, ours=2, mark=2, others=((1, 1),)),
        ),
        main=MainButton(label="Save: Them −3, Us +1"),
    ),
)

OPEN = replace(
    FOUR,
    trump=TrumpView(chosen="spades"),
    ticks=TicksView(rows=four_rows(None, "us", "nobody", None), columns=columns(US, THEM), card_points=card_points()),
    foot=FootView(
        count=CountView(
            lead="Them 0",
            rest="of 3, Us 1",
            to_place="2 to place",
            strip=draw_strip("Them 0 of 3, Us 1, 2 to place", points=4, bid=3, ours=0, mark=2, others=((1, 1),)),
        ),
        main=MainButton(label="The rest to Them, and save", note="set: Them −3, Us +1", name="rest", value="them"),
    ),
)

EMPTY = replace(
    FOUR,
    bid=BidView(
        question="Who bid, and how much?",
        rows=tuple(
            board_row(name, side, STEPS)
            for name, side in (("Bea", THEM), ("Christopher", US), ("Dan", THEM), ("Maximiliane", US))
        ),
    ),
    ticks=TicksView(rows=four_rows(None, None, None, None), columns=columns(US, THEM), card_points=card_points()),
    foot=FootView(main=MainButton(label="Who bid, and how much?", is_ready=False, target="q-bid")),
)

REFUSED = replace(
    FOUR,
    title="Hand 9, not saved yet",
    bid=replace(FOUR.bid, folded="Dan bid 3 ♠", folded_side=THEM) if FOUR.bid else None,
    trump=None,
    extras=None,
    faults=FaultsView(
        heading="Not saved yet: two things to put right",
        items=(
            FaultView(text="High has to be somebody’s.", target="row-high"),
            FaultView(text="Game can’t be Us with 31 to 49.", target="row-game"),
        ),
    ),
    ticks=TicksView(
        rows=(
            award(
                "high",
                "High",
                (US, THEM),
                CardFace(rank="A", suit="spades"),
                "nobody",
                fault="The highest trump played always scores. Who took it?",
            ),
            award("low", "Low", (US, THEM), CardFace(rank="2", suit="spades"), "us"),
            award("jack", "Jack", (US, THEM), CardFace(rank="J", suit="spades"), "them"),
            award(
                "game",
                "Game",
                (US, THEM),
                CardFace(icon="cards"),
                "us",
                fault="Game goes to the higher count, and that is Them.",
            ),
        ),
        columns=columns(US, THEM),
        card_points=card_points("31", "49", is_open=True),
    ),
    foot=FootView(says="Everything you entered is still here.", main=MainButton(label="Save again")),
)

TEN_CARDS = (
    ("ace", "Ace", CardFace(rank="A", suit="trump"), "us", ""),
    ("jack", "Jack", CardFace(rank="J", suit="trump"), "them", ""),
    ("off_jack", "Off Jack", CardFace(rank="J", suit="off"), "us", ""),
    ("high_joker", "High Joker", CardFace(icon="hij"), "us", ""),
    ("low_joker", "Low Joker", CardFace(icon="loj"), "nobody", ""),
    ("ten", "Ten", CardFace(rank="10", suit="trump"), "us", ""),
    ("trey", "Trey", CardFace(rank="3", suit="trump"), "us", "3 points"),
    ("deuce", "Deuce", CardFace(rank="2", suit="trump"), "them", ""),
)


def steps(last: int, chosen: str = "") -> tuple[Choice, ...]:
    """Make the strip of bids from five up, with the two moons."""
    numbers = tuple(Choice(value=str(n), label=str(n), is_chosen=str(n) == chosen) for n in range(5, last + 1))
    return (
        *numbers,
        Choice(value="moon", label="moon", icon="moon", spoken="moon", is_quiet=True),
        Choice(value="double_moon", label="double moon", icon="moons", spoken="double moon", is_quiet=True),
    )


def people(*pairs: tuple[str, SideView], chosen: str = "") -> tuple[Choice, ...]:
    """Make the strip of who bid."""
    return tuple(Choice(value=name, label=name, side=side, is_chosen=name == chosen) for name, side in pairs)


TEN = HandPage(
    title="Hand 6",
    bar=under_bar("Hand 6", "Dan deals. Us 24, Them 31"),
    action="/entry-ten",
    preview_url="/preview",
    hidden=HIDDEN,
    by=ways("cards"),
    bid=BidView(
        question="Who bid, and how much?",
        hint="moon",
        hint_icon="moon",
        people=people(("Ann", US), ("Bea", THEM), ("Cal", US), ("Dan", THEM), chosen="Cal"),
        steps=steps(10, "6"),
    ),
    trump=TrumpView(chosen="spades"),
    ticks=TicksView(
        rows=tuple(
            award(award_id, label, (US, THEM), card, who, note) for award_id, label, card, who, note in TEN_CARDS
        ),
        columns=columns(US, THEM),
    ),
    extras=EXTRAS,
    foot=FootView(
        count=CountView(
            lead="Us 7",
            rest="of 6, Them 2",
            made="made",
            strip=draw_strip("Us 7 of 6, Them 2", points=10, bid=6, ours=7, mark=1, others=((2, 2),)),
        ),
        main=MainButton(label="Save: Us +7, Them +2"),
    ),
)

FOURTEEN_CARDS = (
    *TEN_CARDS,
    ("off_trey", "Off Trey", CardFace(rank="3", suit="off"), "them", "3 points"),
    ("off_deuce", "Off Deuce", CardFace(rank="2", suit="off"), None, ""),
)

FOURTEEN = replace(
    TEN,
    title="Hand 3",
    bid=BidView(
        question="Who bid, and how much?",
        people=people(("Ann", US), ("Bea", THEM), ("Cal", US), ("Dan", THEM), chosen="Dan"),
        steps=steps(14, "9"),
    ),
    trump=TrumpView(chosen="diamonds"),
    ticks=TicksView(
        rows=tuple(
            award(award_id, label, (US, THEM), card, who, note) for award_id, label, card, who, note in FOURTEEN_CARDS
        ),
        columns=columns(US, THEM),
    ),
    foot=FootView(
        count=CountView(
            lead="Them 5",
            rest="of 9, Us 7",
            to_place="1 to place",
            strip=draw_strip("Them 5 of 9, Us 7, 1 to place", points=14, bid=9, ours=5, mark=2, others=((1, 7),)),
        ),
        main=MainButton(label="The rest to Them, and save", note="set: Them −9, Us +7", name="rest", value="them"),
    ),
)

SIX_PEOPLE = (("Ann", US), ("Bea", THEM), ("Eve", THIRD), ("Cal", US), ("Dan", THEM), ("Fay", THIRD))
THREE = replace(
    FOUR,
    title="Hand 4",
    bid=BidView(
        question="Who bid, and how much?",
        rows=tuple(board_row(name, side, STEPS, "2" if name == "Eve" else "") for name, side in SIX_PEOPLE),
    ),
    trump=TrumpView(chosen="hearts"),
    ticks=TicksView(
        rows=tuple(
            award(award_id, label, (US, THEM, THIRD), card, who)
            for (award_id, label, card), who in zip(FOUR_CARDS, ("us", "them", "eve-fay", "eve-fay"), strict=True)
        ),
        columns=columns(US, THEM, THIRD),
    ),
    foot=FootView(
        count=CountView(
            lead="Eve & Fay 2",
            rest="of 2, Us 1, Them 1",
            made="made",
            strip=draw_strip(
                "Eve & Fay 2 of 2, Us 1, Them 1", points=4, bid=2, ours=2, mark=3, others=((1, 1), (2, 1))
            ),
        ),
        main=MainButton(label="Save: Us +1, Them +1, Eve & Fay +2"),
    ),
)

FIVE_TOOK = ("cleo", "ann", "ed", "cleo", "nobody", None, None, "bob")
FIVE = HandPage(
    title="Hand 7",
    bar=under_bar("Hand 7", "Ann deals. Call Your Partner"),
    action="/entry-five",
    preview_url="/preview",
    hidden=HIDDEN,
    by=ways("cards"),
    bid=BidView(
        question="Who bid, and how much?",
        people=people(*((side.name, side) for side in ALONE[:5]), chosen="Cleo"),
        steps=tuple(Choice(value=str(n), label=str(n), is_chosen=n == 7) for n in range(5, 11)),
    ),
    trump=TrumpView(chosen="hearts"),
    questions=(
        QuestionView(
            field="called",
            question="Which card was called?",
            choices=tuple(
                Choice(value=rank, label=rank, is_chosen=rank == "K") for rank in ("A", "K", "Q", "J", "10", "9", "8")
            ),
        ),
        QuestionView(
            field="partner",
            question="Who held it?",
            note="or nobody: alone",
            choices=(
                *(Choice(value=side.side_id, label=side.name, side=side) for side in ALONE[:5]),
                Choice(value="alone", label="alone"),
            ),
        ),
        QuestionView(
            field="all_tricks",
            question="Did they take every trick?",
            choices=(Choice(value="yes", label="yes"), Choice(value="no", label="no", is_chosen=True)),
        ),
    ),
    ticks=TicksView(
        rows=tuple(
            award(award_id, label, ALONE[:5], card, who, note)
            for (award_id, label, card, _, note), who in zip(TEN_CARDS, FIVE_TOOK, strict=True)
        ),
        columns=columns(*ALONE[:5]),
        is_chips=True,
    ),
    foot=FootView(
        count=CountView(
            lead="Cleo 3",
            rest="of 7, the others 2",
            to_place="4 to place",
            strip=draw_strip("Cleo 3 of 7", points=10, bid=7, ours=3, mark=3, others=((5, 1), (2, 1))),
        ),
        main=MainButton(label="The rest to Cleo, and save", note="made: Cleo +7", name="rest", value="cleo"),
    ),
)

EIGHT = replace(
    FIVE,
    title="Hand 8",
    bid=BidView(
        question="Who bid, and how much?",
        rows=tuple(board_row(side.name, side, ("2", "3", "4", "smudge", "moon")) for side in ALONE),
    ),
    questions=(),
    ticks=TicksView(
        rows=tuple(
            award(award_id, label, ALONE, card, who)
            for (award_id, label, card), who in zip(FOUR_CARDS, ("gus", "hal", None, "nobody"), strict=True)
        ),
        columns=columns(*ALONE),
        is_chips=True,
    ),
    foot=FootView(main=MainButton(label="Who bid, and how much?", is_ready=False, target="q-bid")),
)


def count_row(side: SideView, chosen: str) -> QuestionView:
    """Make the strip of how much one side took."""
    return QuestionView(
        field=f"points-{side.side_id}",
        question=side.name,
        choices=tuple(
            Choice(value=str(n), label=str(n), spoken=f"{side.name} {n}", is_chosen=str(n) == chosen) for n in range(11)
        ),
    )


COUNTS = replace(
    TEN,
    title="Hand 6, by count",
    by=ways("counts"),
    ticks=None,
    counts=CountsView(
        heading="How much did each take?", note="10 in all", rows=(count_row(US, "7"), count_row(THEM, "2"))
    ),
    ways=(Action(label="Leave it as it was", url="/history"),),
)
