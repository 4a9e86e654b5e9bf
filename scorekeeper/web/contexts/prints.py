"""Choosing what to print, and seeing it before it goes to the printer."""

from dataclasses import dataclass

from scorekeeper.web.contexts.parts import Action, BarView, Hidden, Notice, QuestionView


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePicture:
    """One page as it will be printed."""

    url: str
    alt: str
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintPage:
    """Template prints/choose.html. Blocks: sizes, preview, foot."""

    title: str
    bar: BarView
    action: str
    """Where the choice goes: a plain GET."""
    hidden: Hidden
    """What it is made from: a match, a variant, or rules as a code."""
    questions: tuple[QuestionView, ...]
    sizes: QuestionView | None = None
    pictures: tuple[PagePicture, ...] = ()
    told: str = ""
    """"Two pages, A4"."""
    open: Action | None = None
    """The file, to be printed from where it opens."""
    download: Action | None = None
    share_name: str = ""
    """The name of the file, for phones that can share it."""
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintLine:
    """Something that can be printed."""

    url: str
    name: str
    small: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintGroup:
    """Things of one sort that can be printed."""

    heading: str
    lines: tuple[PrintLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintIndexPage:
    """Template prints/index.html."""

    title: str
    bar: BarView
    groups: tuple[PrintGroup, ...]
