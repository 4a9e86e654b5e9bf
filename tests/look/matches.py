"""Sample match pages: two sides, three, five and eight alone, won, stopped, just begun, every hand."""

from dataclasses import replace

from scorekeeper.web.contexts.drawing import draw_race
from scorekeeper.web.contexts.history import HistoryPage
from scorekeeper.web.contexts.match import (
    HandCell,
    HandRow,
    HistoryView,
    MatchPage,
    ScoreView,
    TurnView,
    VerdictView,
)
from scorekeeper.web.contexts.parts import Action, Notice, SideView
from tests.look import charts
from tests.look.people import (
    AGAIN,
    ALONE,
    HANDS,
    RECORD,
    THEM,
    THIRD,
    UNDO,
    US,
    line,
    match_bar,
    under_bar,
)

TITLE = "Thursday at Oma’s"


def cell(points: str, total: str, old: str = "", is_set: bool = False) -> HandCell:
    """Make one cell of a hand."""
    return HandCell(points=points, total=total, old_total=old, is_set=is_set)


def hand(number: str, bid: str, suit: str, outcome: str, *cells: HandCell) -> HandRow:
    """Make one row of the table."""
    return HandRow(
        hand_id=number,
        number=number,
        url=f"/history#hand-{number}",
        bid=bid,
        suit=suit,
        outcome=outcome,
        outcome_kind=outcome,
        cells=cells,
    )


ROWS = (
    hand("8", "Dan 2", "clubs", "made", cell("+2", "19"), cell("+2", "17")),
    hand("7", "Cal 3", "hearts", "made", cell("+4", "17"), cell("0", "15")),
    hand("6", "Bea 3", "spades", "set", cell("+2", "13"), cell("−3", "15", is_set=True)),
    hand("5", "Ann smudge", "diamonds", "set", cell("−5", "11", is_set=True), cell("+1", "18")),
    hand("4", "Dan 2", "spades", "made", cell("+1", "16"), cell("+3", "17")),
    hand("3", "Ann 4", "clubs", "made", cell("+4", "15"), cell("0", "14")),
    hand("2", "Bea 4", "", "made", cell("0", "11"), cell("+4", "14")),
)

MATCH = MatchPage(
    title=TITLE,
    bar=match_bar(),
    board_url="/match?v=9",
    scores=(
        ScoreView(side=US, score="19", line="needs", strong="2"),
        ScoreView(side=THEM, score="17", line="needs", strong="4"),
    ),
    race=draw_race("Them 17, Us 19; the target is 21", ((US, 19), (THEM, 17)), target=21),
    turn=TurnView(
        deals="Ann deals hand 9.", speaks="Bea speaks first.", out="Either side can go out by making its bid."
    ),
    history=HistoryView(sides=(US, THEM), rows=ROWS),
    chart=charts.CLOSE,
    main=RECORD,
    undo=UNDO,
)

WAITING = replace(
    MATCH,
    scores=(
        ScoreView(side=US, score="17", line="needs", strong="4", waiting="19 if accepted"),
        ScoreView(side=THEM, score="15", line="needs", strong="6", waiting="17 if accepted"),
    ),
    turn=TurnView(deals="Ann deals hand 9.", speaks="Bea speaks first.", move_url="/deal"),
    history=HistoryView(sides=(US, THEM), rows=(replace(ROWS[0], waits="waits for Us"), *ROWS[1:])),
    chart_note="Drawn up to hand 7: what follows waits.",
    undo=replace(UNDO, is_icon_only=True),
    redo=Action(label="Redo", url="/redo", icon="redo", is_post=True, fields=(("seq", "9"),), is_icon_only=True),
    notices=(
        Notice(
            lead="Is hand 8 right?",
            text="Dan 2: made. Us +2, Them +2.",
            icon="scale",
            actions=(
                Action(label="Accept", url="/agreement/8", icon="scale", is_post=True),
                Action(label="It was otherwise", url="/hands/8"),
            ),
        ),
    ),
)

BEGUN = MatchPage(
    title=TITLE,
    bar=match_bar(),
    board_url="/match?v=0",
    scores=(
        ScoreView(side=US, score="0", line="needs", strong="21"),
        ScoreView(side=THEM, score="−11", line="in the hole", is_negative=True),
    ),
    race=draw_race("Them −11, Us 0; the target is 21", ((US, 0), (THEM, -11)), target=21),
    turn=TurnView(deals="Ann deals hand 1.", speaks="Bea speaks first."),
    history=HistoryView(sides=(US, THEM), rows=()),
    main=RECORD,
    notices=(
        Notice(
            lead="Hand 1 is taken out.",
            icon="undo",
            actions=(Action(label="Put back", url="/redo", is_post=True),),
        ),
    ),
)

THREE = MatchPage(
    title="Six at the cabin",
    bar=match_bar("Six at the cabin", "Six-Player Partnership Pitch, to 21"),
    board_url="/three?v=9",
    scores=(
        ScoreView(side=US, score="14", line="needs", strong="7"),
        ScoreView(side=THEM, score="−3", line="in the hole", is_negative=True),
        ScoreView(side=THIRD, score="14", line="needs", strong="7"),
    ),
    race=draw_race("Them −3, Us 14, Eve & Fay 14; the target is 21", ((US, 14), (THEM, -3), (THIRD, 14)), target=21),
    turn=TurnView(deals="Ann deals hand 4.", speaks="Bea speaks first."),
    history=HistoryView(
        sides=(US, THEM, THIRD),
        rows=(
            hand("3", "Dan 4", "clubs", "set", cell("+2", "14"), cell("−4", "−3", is_set=True), cell("+2", "14")),
            hand("2", "Christopher 3", "hearts", "made", cell("+3", "12"), cell("0", "1"), cell("+1", "12")),
        ),
        more=HANDS,
    ),
    main=RECORD,
    undo=UNDO,
    notices=(Notice(lead="Hand 3 is in.", text="Them bid 4 and took 2: set. Them −4, the others +2.", kind="made"),),
)


def alone_row(number: str, marks: tuple[SideView, ...], bid: str, outcome: str, small: str, end: str) -> HandRow:
    """Make one row of the list."""
    return HandRow(
        hand_id=number,
        number=number,
        url="/history",
        bid=bid,
        outcome=outcome,
        outcome_kind=outcome,
        marks=marks,
        small=small,
        end=end,
        is_end_set=outcome == "set",
    )


FIVE_ROWS = (
    alone_row("6", (ALONE[2], ALONE[0]), "Cleo 7 with Ann", "made", "the others +2 each", "+8 each"),
    alone_row("5", (ALONE[4],), "Ed 6, alone", "set", "the others +4 each", "−6"),
    alone_row("4", (ALONE[3], ALONE[1]), "Dad 5 with Bob", "made", "the others +5 each", "+5 each"),
)

FIVE = MatchPage(
    title="Five at the cabin",
    bar=match_bar("Five at the cabin", "Call Your Partner, to 42"),
    board_url="/five?v=7",
    is_rows=True,
    scores=(
        ScoreView(side=ALONE[0], score="31", line="deals this hand", is_dealer=True),
        ScoreView(side=ALONE[1], score="18", line="speaks first"),
        ScoreView(side=ALONE[2], score="38", line="can go out on a bid of 5"),
        ScoreView(side=ALONE[3], score="13", line="needs", strong="29"),
        ScoreView(side=ALONE[4], score="−6", line="in the hole", is_negative=True),
    ),
    history=HistoryView(
        sides=ALONE[:5], rows=FIVE_ROWS, is_table=False, more=Action(label="all six", url="/history-five")
    ),
    chart=charts.FIVE,
    main=RECORD,
    undo=UNDO,
    notices=(Notice(lead="Hand 6 is in.", text="Cleo bid 7, called K♥, Ann held it. They took 8.", kind="made"),),
)

EIGHT = MatchPage(
    title="Eight round one table",
    bar=match_bar("Eight round one table, every one alone", "Cutthroat Pitch, to 21"),
    board_url="/eight?v=7",
    is_rows=True,
    scores=tuple(ScoreView(side=side, score=str(place * 3), line="needs") for place, side in enumerate(ALONE)),
    turn=TurnView(deals="Ann deals hand 6.", speaks="Bob speaks first."),
    history=HistoryView(sides=ALONE, rows=FIVE_ROWS, is_table=False),
    chart=charts.EIGHT,
    main=RECORD,
    undo=UNDO,
)

VERDICT = MatchPage(
    title="Us win",
    bar=match_bar(sub="Partnership Pitch, hand 12"),
    board_url="/verdict?v=13",
    scores=(
        ScoreView(side=US, score="21", line="bid 3, took 3", is_winner=True),
        ScoreView(side=THEM, score="25", line="did not bid"),
    ),
    verdict=VerdictView(
        crown="Us win",
        eyebrow="21 to 25, and this is why",
        why="Us bid 3 and made it, and stand at 21. Them have 25, but did not bid this hand.",
        rule="You can go out only at the end of a hand in which your side made its bid.",
        rule_link=Action(label="Rule sheet, “Winning”", url="/rules"),
        hand_heading="Hand 12",
        hand_bid="Cal 3 ♥ made",
        lines=(line(US, "High, Low, Jack", "Us +3"), line(THEM, "Game, 44 to 36", "Them +1")),
        actions=(
            Action(label="Score sheet", url="/rules", icon="print"),
            Action(label="Rule sheet", url="/rules", icon="book"),
        ),
    ),
    history=HistoryView(sides=(US, THEM), rows=ROWS[:2], more=HANDS),
    chart=charts.LONG,
    main=AGAIN,
    undo=UNDO,
)

VERDICT_FIVE = MatchPage(
    title="Cleo wins",
    bar=match_bar("Five at the cabin", "Call Your Partner, hand 7"),
    board_url="/verdict-five?v=8",
    is_rows=True,
    scores=(
        ScoreView(side=ALONE[2], score="46", line="bid 5, took 8", is_winner=True),
        ScoreView(side=ALONE[0], score="31", line="held the called card"),
        ScoreView(side=ALONE[1], score="18", line="did not bid"),
        ScoreView(side=ALONE[3], score="13", line="did not bid"),
        ScoreView(side=ALONE[4], score="−6", line="in the hole", is_negative=True),
    ),
    verdict=VerdictView(
        crown="Cleo wins",
        eyebrow="46 points, and this is why",
        why="Cleo bid 5, made it, and stands at 46. Nobody else has 42.",
    ),
    history=HistoryView(sides=ALONE[:5], rows=FIVE_ROWS, is_table=False),
    main=AGAIN,
)

STOPPED = MatchPage(
    title="Stopped",
    bar=match_bar(),
    board_url="/stopped?v=10",
    scores=(
        ScoreView(side=US, score="119", line="leads"),
        ScoreView(side=THEM, score="−102", line="in the hole", is_negative=True),
    ),
    verdict=VerdictView(
        crown="Stopped",
        eyebrow="after 8 hands",
        why="Us lead, 119 to −102. Nobody has won.",
        actions=(Action(label="Score sheet", url="/rules", icon="print"),),
        is_won=False,
    ),
    history=HistoryView(sides=(US, THEM), rows=ROWS),
    chart=charts.HOLE,
    main=Action(label="Go on", url="/go-on", is_post=True, icon="again"),
)

CORRECT = Action(label="Correct", url="/entry-four", icon="pencil")
TAKE_OUT = Action(label="Take out", url="/confirm")
INSERT = Action(label="Insert before", url="/entry-four")


def old(number: str, bid: str, suit: str, outcome: str, *cells: HandCell) -> HandRow:
    """Make one hand of the history that can be opened."""
    return HandRow(
        hand_id=number,
        number=number,
        bid=bid,
        suit=suit,
        outcome=outcome,
        outcome_kind=outcome,
        cells=cells,
        lines=(line(US, "High, Jack", "Us +2"), line(THEM, "Low, Game", "Them +2")),
        remarks=("Bea wrote this, 21:02",),
        actions=(CORRECT, TAKE_OUT, INSERT),
    )


HISTORY = HistoryPage(
    title="Every hand",
    bar=under_bar("Every hand", TITLE, (UNDO,)),
    main=Action(label="Back to the score", url="/match"),
    notices=(
        Notice(
            lead="Hand 4 is corrected.",
            text="From there on Us 20 → 19, Them 16 → 17. Nobody has won yet.",
            icon="pencil",
        ),
    ),
    history=HistoryView(
        sides=(US, THEM),
        rows=(
            old("8", "Dan 2", "clubs", "made", cell("+2", "19", "20"), cell("+2", "17", "16")),
            old("7", "Cal 3", "hearts", "made", cell("+4", "17", "18"), cell("0", "15", "14")),
            old("6", "Bea 3", "spades", "set", cell("+2", "13", "14"), cell("−3", "15", "14", is_set=True)),
            old("5", "Ann smudge", "diamonds", "set", cell("−5", "11", "12", is_set=True), cell("+1", "18", "17")),
            HandRow(
                hand_id="4",
                number="4",
                bid="Dan 2",
                suit="spades",
                outcome="made",
                outcome_kind="made",
                cells=(cell("+1", "16", "17"), cell("+3", "17", "16")),
                lines=(
                    line(THEM, "High, Jack", "Them +2"),
                    line(US, "Game, 41 to 39", "Us +1"),
                    line(THEM, "Low", "Them +1", was="Us"),
                ),
                remarks=("Bea put this right, 21:14",),
                actions=(CORRECT, TAKE_OUT, INSERT),
                is_open=True,
            ),
            HandRow(
                hand_id="x3",
                number="",
                bid="Ann 3",
                suit="clubs",
                outcome="made",
                outcome_kind="made",
                small="taken out 20:58, entered twice",
                is_struck=True,
                actions=(Action(label="Put back", url="/redo", is_post=True),),
            ),
            old("3", "Ann 4", "clubs", "made", cell("+4", "15"), cell("0", "14")),
        ),
    ),
)

HISTORY_FIVE = HistoryPage(
    title="Every hand",
    bar=under_bar("Every hand", "Five at the cabin"),
    main=Action(label="Back to the score", url="/five"),
    history=HistoryView(
        sides=ALONE[:5],
        is_table=False,
        rows=(
            HandRow(
                hand_id="6",
                number="6",
                bid="Cleo 7 with Ann",
                outcome="made",
                outcome_kind="made",
                marks=(ALONE[2], ALONE[0]),
                small="the others +2 each",
                end="+8 each",
                lines=(line(ALONE[2], "made 7, took 8", "Cleo +8"), line(ALONE[0], "partner", "Ann +8")),
                actions=(CORRECT, TAKE_OUT, INSERT),
                is_open=True,
            ),
            *FIVE_ROWS[1:],
        ),
    ),
)
