"""Sides, bars and buttons that the sample pages share."""

from scorekeeper.graphics.markers import SideView
from scorekeeper.web.shared.widgets import Action, BarView, LineView

US = SideView(side_id="us", name="Us", mark=1, letter="U", people="Ann & Cal")
THEM = SideView(side_id="them", name="Them", mark=2, letter="T", people="Bea & Dan")
THIRD = SideView(side_id="eve-fay", name="Eve & Fay", mark=3, letter="E")

ALONE = tuple(
    SideView(
        side_id=name.lower(),
        name=name,
        mark=(place - 1) % 6 + 1,
        letter=name[0],
        is_outlined=place > 6,
    )
    for place, name in enumerate(("Ann", "Bob", "Cleo", "Dad", "Ed", "Fay", "Gus", "Hal"), start=1)
)

HOME = "/home"
MENU = Action(label="Match menu", url="/settings", icon="menu", is_icon_only=True)
SHARE = Action(label="Show the QR code", url="/settings", icon="share", is_icon_only=True)
UNDO = Action(label="Undo", url="/undo", icon="undo", is_post=True, fields=(("seq", "9"),))
RECORD = Action(label="Record hand", url="/entry-four", icon="pencil")
AGAIN = Action(label="Play again", url="/new", icon="again")
HANDS = Action(label="all twelve", url="/history")


def match_bar(title: str = "Thursday at Oma’s", sub: str = "Partnership Pitch, to 21") -> BarView:
    """Make the bar of a match."""
    return BarView(title=title, sub=sub, back_url=HOME, tools=(SHARE, MENU))


def under_bar(title: str, sub: str = "", tools: tuple[Action, ...] = ()) -> BarView:
    """Make the bar of a page that lies under a match."""
    return BarView(title=title, sub=sub, back_url="/match", back_label="Back to the match", tools=tools)


def line(side: SideView | None, text: str, points: str = "", was: str = "", is_bad: bool = False) -> LineView:
    """Make one line of a hand."""
    return LineView(side=side, text=text, points=points, was=was, is_bad=is_bad)
