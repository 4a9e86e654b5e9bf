"""A match's menu: phones, names, sheets, stop, take away, delete."""

from dataclasses import dataclass

from markupsafe import Markup

from scorekeeper.web.contexts.parts import Action, BarView, FaultsView, Hidden, Notice, SideView, TextField, ThemeSwitch


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareView:
    """The match's address, to read and to scan."""

    url: str
    qr: Markup | None = None
    """An inline SVG in black on white, without style attributes."""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkChoice:
    """One marker that a side may take."""

    side: SideView
    """Whoever wears it now, or the side itself as it would look."""
    value: str
    spoken: str
    """"square, in exchange with Them"."""
    is_worn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MarksView:
    """A side and the markers to choose from; each is a button that is done with a tap."""

    side: SideView
    choices: tuple[MarkChoice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsPage:
    """Template match/settings.html. Blocks: faults."""

    title: str
    bar: BarView
    names_url: str
    hidden: Hidden
    names: tuple[TextField, ...]
    """The match's title, then the sides, then the people; none where they are not this phone's to change."""
    phones: tuple[Action, ...]
    """Other phones, and whose this one is."""
    actions: tuple[Action, ...]
    """Rule sheet, score sheet, download, stop or go on."""
    delete: Action | None = None
    marks_url: str = ""
    marks_hidden: Hidden = ()
    marks: tuple[MarksView, ...] = ()
    """None where they are not this phone's to change."""
    theme: ThemeSwitch | None = None
    faults: FaultsView | None = None
    notices: tuple[Notice, ...] = ()
