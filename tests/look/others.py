"""Sample pages beside the match: home, a new match, menu, confirmations, two phones, files, errors."""

from dataclasses import replace

from scorekeeper.web.contexts.clash import ClashHand, ClashPage
from scorekeeper.web.contexts.confirm import ChangeView, ConfirmPage
from scorekeeper.web.contexts.deal import DealChoice, DealPage
from scorekeeper.web.contexts.errors import ErrorPage
from scorekeeper.web.contexts.home import CardScore, HomeLine, HomePage, MatchCard
from scorekeeper.web.contexts.journal import JournalLine, JournalPage
from scorekeeper.web.contexts.new_match import (
    ChooseRulesPage,
    FindView,
    NewMatchPage,
    RulesGroup,
    RulesLine,
    SeatView,
)
from scorekeeper.web.contexts.offline import OfflinePage
from scorekeeper.web.contexts.parts import (
    Action,
    BarView,
    Choice,
    FaultsView,
    FaultView,
    Notice,
    QuestionView,
    TextField,
    ThemeSwitch,
)
from scorekeeper.web.contexts.rules import RulesIndexPage
from scorekeeper.web.contexts.settings import MarkChoice, MarksView, SettingsPage
from scorekeeper.web.contexts.transfer import FileFault, TransferPage
from tests.look.people import ALONE, HOME, THEM, US, line, under_bar

THEME = ThemeSwitch(url="/theme", next_url="/home", chosen="system")
DRAWER = (
    HomeLine(url="/rules", label="Rules of the house", icon="book"),
    HomeLine(url="/rules", label="Print rules", icon="print"),
    HomeLine(url="/transfer", label="Take it away, bring it back", icon="down"),
)
JOIN = Action(label="Join", url="/join", icon="phone")

HOME_PAGE = HomePage(
    title="Scorekeeper",
    new_url="/choose",
    join=JOIN,
    current=MatchCard(
        url="/match",
        title="Thursday at Oma’s",
        where="hand 9",
        scores=(CardScore(side=US, score="19"), CardScore(side=THEM, score="17")),
    ),
    again=(
        HomeLine(url="/new", label="Ann & Cal, Bea & Dan", small="Partnership Pitch, to 21", sign="4"),
        HomeLine(url="/new-five", label="Five at the cabin", small="Call Your Partner, to 42", sign="5"),
    ),
    others=(
        HomeLine(url="/five", label="Five at the cabin", small="hand 7, Cleo leads with 38", end="38"),
        HomeLine(url="/verdict", label="Sunday", small="Us won on hand 12", end="21 to 25"),
    ),
    drawer=DRAWER,
    lost="A match is missing? On the computer that runs this, “scorekeeper matches” lists every match with its link.",
    theme=THEME,
)
HOME_EMPTY = HomePage(
    title="Scorekeeper", new_url="/choose", join=JOIN, drawer=DRAWER, theme=replace(THEME, chosen="dark")
)
HOME_FIVE = replace(
    HOME_PAGE,
    current=MatchCard(
        url="/five",
        title="Five at the cabin, the Millers’ way",
        where="hand 7",
        scores=tuple(
            CardScore(side=side, score=score, is_negative=score.startswith("−"))
            for side, score in zip(ALONE[:5], ("31", "18", "38", "13", "−6"), strict=True)
        ),
    ),
)

GROUPS = (
    RulesGroup(
        heading="Partners",
        lines=(
            RulesLine(url="/new", name="Partnership Pitch", small="partners, 4 points a hand, to 21", is_chosen=True),
            RulesLine(url="/new", name="Colorado Ten Point", small="partners, 10 points a hand, to 42"),
            RulesLine(url="/new", name="Nine Card Pitch", small="partners, 6 points a hand, from 21 down"),
        ),
    ),
    RulesGroup(
        heading="Each alone",
        lines=(
            RulesLine(url="/new-five", name="Cutthroat Pitch", small="2 to 8 alone, 4 points a hand, to 21"),
            RulesLine(url="/new-five", name="Racehorse", small="5 or more alone, for money, no score"),
        ),
    ),
)
_ANY = (Choice(value="", label="any number", is_chosen=True), Choice(value="4", label="4"))
CHOOSE = ChooseRulesPage(
    title="Which rules?",
    bar=BarView(title="Which rules?", sub="New match", back_url=HOME),
    groups=GROUPS,
    find=FindView(url="/choose", name="setback", players=_ANY, points=_ANY, is_open=True),
    ours=Action(label="Our own rules", url="/house", icon="pencil"),
)
RULES = RulesIndexPage(
    title="Rules of the house",
    bar=BarView(title="Rules of the house", back_url=HOME),
    groups=GROUPS,
    intro="Each has a sheet to read and to print.",
)


def choices(*labels: str, chosen: int = 0, book: int | None = 0) -> tuple[Choice, ...]:
    """Make the answers of a question."""
    return tuple(
        Choice(value=label, label=label, is_chosen=place == chosen, is_book=place == book)
        for place, label in enumerate(labels)
    )


QUESTIONS = (
    QuestionView(field="target", question="Play to", choices=choices("11", "15", "21", "31", chosen=2, book=2)),
    QuestionView(field="low", question="Who scores Low?", choices=choices("who takes it", "who was dealt it")),
    QuestionView(
        field="dealer_steal",
        question="May the dealer take the bid at the same number?",
        choices=choices("yes", "no", "not a smudge", chosen=1),
    ),
    QuestionView(field="all_pass", question="Everybody passes?", choices=choices("dealer is stuck at 2", "deal again")),
    QuestionView(
        field="tie_rule",
        question="Both sides have 21?",
        choices=choices("the bidder, then the higher score", "the higher score", "another hand"),
    ),
    QuestionView(field="game_tie", question="Game is a tie?", choices=choices("nobody scores", "both score")),
)
NEW = NewMatchPage(
    title="New match",
    bar=BarView(title="New match", back_url=HOME),
    action="/new",
    hidden=(("rules", "partnership-pitch"),),
    rules_name="Partnership Pitch",
    rules_small="partners, 4 points a hand, to 21",
    change=Action(label="Change", url="/choose"),
    is_table=True,
    seats=tuple(
        SeatView(
            field=f"name-{number}",
            value=name,
            label=f"Name, seat {number}",
            dealer_value=str(number),
            dealer_spoken=f"{name} deals first",
            side=side,
            place=place,
            is_dealer=name == "Ann",
        )
        for number, name, side, place in (
            (1, "Ann", US, "s"),
            (2, "Dan", THEM, "w"),
            (3, "Cal", US, "n"),
            (4, "Bea", THEM, "e"),
        )
    ),
    seating="Partners sit opposite: Ann & Cal, Bea & Dan.",
    side_names=(
        TextField(field="side-1", label="First side", value="Us", side=US),
        TextField(field="side-2", label="Second side", value="Them", side=THEM),
    ),
    match_title=TextField(field="title", label="The match", value="Thursday at Oma’s", max_length=80),
    questions=QUESTIONS,
    sheet=Action(label="Read the rule sheet", url="/rules", icon="book"),
    start_label="Start: Ann deals",
)
NEW_FIVE = replace(
    NEW,
    rules_name="Call Your Partner",
    rules_small="five alone, 10 points a hand, to 42",
    is_table=False,
    seating="Clockwise, as you sit.",
    side_names=(),
    seat_counts=tuple(Choice(value=str(n), label=str(n), is_chosen=n == 5) for n in range(2, 9)),
    seats=tuple(
        SeatView(
            field=f"name-{number}",
            value=side.name if number < 4 else "",
            label=f"Name, seat {number}",
            dealer_value=str(number),
            dealer_spoken=f"{side.name} deals first",
            placeholder=f"Seat {number}",
            side=side,
            fault="Bob sits here twice." if number == 2 else "",
        )
        for number, side in enumerate(ALONE[:5], start=1)
    ),
    faults=FaultsView(
        heading="Not started yet: one thing to put right",
        items=(FaultView(text="Two people are called Bob.", target="name-2"),),
    ),
    start_label="Start",
)

CONFIRM = ConfirmPage(
    title="Take out hand 4?",
    bar=under_bar("Take out hand 4", "Thursday at Oma’s"),
    heading="Then Us have not won",
    sentences=("From hand 4 on: Us 21 → 20, Them 16 → 13.", "Dan bid 2 ♠ and made it; Bea wrote it at 21:02."),
    changes=(
        ChangeView(label="Us", old="21", new="20", side=US),
        ChangeView(label="Them", old="16", new="13", side=THEM),
        ChangeView(label="Winner", old="Us", new="nobody yet"),
    ),
    go=Action(label="Take it out", url="/take-out", is_post=True),
    back=Action(label="Leave it", url="/history"),
    is_grave=True,
)
DEAL = DealPage(
    title="Who deals?",
    bar=under_bar("Thursday at Oma’s", "Hand 9"),
    heading="Who deals hand 9?",
    choices=(
        DealChoice(
            action=Action(label="Ann, as it stands", note="Bea speaks first, and deals next", url="/match"),
            side=US,
            is_dealer=True,
        ),
        DealChoice(
            action=Action(label="Bea", note="Cal speaks first, and deals next", url="/deal", is_post=True), side=THEM
        ),
    ),
)
JOURNAL = JournalPage(
    title="Everything written",
    bar=under_bar("Everything written", "Thursday at Oma’s"),
    lines=(
        JournalLine(line_id="10", who="Cal", what="took back: put hand 4 right", when="21:15"),
        JournalLine(
            line_id="9",
            who="Bea",
            what="put hand 4 right",
            when="21:14",
            details=("bid 3 → 4, trump hearts → spades", "Us 20 → 19"),
            is_struck=True,
            action=Action(label="Put it right so again", url="/history/9/again", icon="redo", is_post=True),
        ),
    ),
    main=Action(label="Back to the score", url="/match"),
    older=Action(label="What came before", url="/journal?before=9"),
)
SETTINGS = SettingsPage(
    title="Menu",
    bar=under_bar("Menu", "Thursday at Oma’s"),
    names_url="/settings",
    hidden=(("seq", "9"),),
    names=(
        TextField(field="title", label="The match", value="Thursday at Oma’s", max_length=80),
        TextField(field="side-us", label="First side", value="Us", side=US),
        TextField(field="side-them", label="Second side", value="", side=THEM, fault="A side needs a name."),
        TextField(field="name-1", label="Seat 1", value="Ann"),
    ),
    actions=(
        Action(label="Rule sheet", url="/rules", icon="book"),
        Action(label="Score sheet", url="/rules", icon="print"),
        Action(label="Take it away", url="/file", icon="down"),
        Action(label="Stop here", url="/confirm", icon="stop"),
    ),
    delete=Action(label="Delete this match", url="/confirm", icon="bin"),
    phones=(
        Action(label="Other phones", note="let one in, see who is in", url="/room", icon="share"),
        Action(label="Whose phone is this?", note="Ann’s", url="/whose", icon="phone"),
    ),
    marks_url="/settings",
    marks=tuple(
        MarksView(
            side=side,
            choices=tuple(
                MarkChoice(side=look, value=str(look.mark), spoken=f"sign {look.mark}", is_worn=look is side)
                for look in (US, THEM, *(replace(side, mark=mark) for mark in range(3, 7)))
            ),
        )
        for side in (US, THEM)
    ),
    theme=replace(THEME, chosen="light"),
    faults=FaultsView(
        heading="Not kept yet: one thing to put right",
        items=(FaultView(text="A side needs a name.", target="side-them"),),
    ),
)
CLASH = ClashPage(
    title="Bea wrote hand 7 first",
    bar=under_bar("Hand 7", "Thursday at Oma’s"),
    heading="Bea wrote hand 7 first",
    text="Both are below. Which one counts?",
    hands=(
        ClashHand(
            heading="Bea’s",
            bid="Dan 3 ♠ set",
            lines=(line(THEM, "bid 3, took 2", "Them −3", is_bad=True), line(US, "Low, Game", "Us +2")),
            result="Us 19 → 21, Them 17 → 14",
            small="written 21:14",
            action=Action(label="Bea’s counts", url="/match"),
        ),
        ClashHand(
            heading="This phone’s",
            bid="Dan 3 ♠ made",
            lines=(line(THEM, "High, Low, Jack", "Them +3"), line(US, "Game", "Us +1")),
            result="Us 19 → 20, Them 17 → 20",
            action=Action(label="Mine counts", url="/correct", is_post=True, fields=(("call", "Dan:3"),)),
        ),
    ),
    ways=(Action(label="Mine is hand 8", url="/entry-four", is_post=True),),
)
TRANSFER = TransferPage(
    title="Take it away, bring it back",
    bar=BarView(title="Take it away, bring it back", back_url=HOME),
    upload_url="/transfer",
    hidden=(),
    downloads=(Action(label="This phone’s matches", url="/file", icon="down"),),
    faults_heading="thursday.json was not taken in: two faults",
    faults=(
        FileFault(where="hand 3, taken.low", text="Low has to be somebody’s."),
        FileFault(where="", text="The key “dealer” stands there twice."),
    ),
    notices=(Notice(lead="Nothing was changed.", icon="scale"),),
)
OFFLINE = OfflinePage(title="No network", bar=BarView(title="No network", back_url=HOME))
ERROR = ErrorPage(
    status=404,
    title="Not here",
    sentence="There is no match at this address.",
    mend="Look at the link again: every letter counts.",
    home_url=HOME,
)
