"""House rules that are kept: the list of them, and how one set of them travels."""

from dataclasses import dataclass

from scorekeeper.web.contexts.home import HomeLine
from scorekeeper.web.contexts.parts import Action, BarView, Hidden, Notice
from scorekeeper.web.contexts.settings import ShareView
from scorekeeper.web.contexts.transfer import FileFault


@dataclass(frozen=True, slots=True, kw_only=True)
class RetiredLine:
    """House rules that are not played by any more, with the way back."""

    label: str
    small: str
    back: Action


@dataclass(frozen=True, slots=True, kw_only=True)
class HousesPage:
    """Template rules/houses.html."""

    title: str
    bar: BarView
    lines: tuple[HomeLine, ...]
    retired: tuple[RetiredLine, ...]
    new: Action
    code_url: str
    upload_url: str
    hidden: Hidden
    upload_field: str = "file"
    code_field: str = "r"
    faults_heading: str = ""
    faults: tuple[FileFault, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseSharePage:
    """Template rules/share.html."""

    title: str
    bar: BarView
    share: ShareView
    code: str
    """The rules as text, to be typed or pasted."""
    actions: tuple[Action, ...]
    notices: tuple[Notice, ...] = ()
