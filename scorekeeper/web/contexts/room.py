"""Every phone in the room: the code that lets one in, who is in, and whose phone is whose."""

from dataclasses import dataclass

from markupsafe import Markup

from scorekeeper.web.contexts.parts import Action, BarView, Hidden, Notice, QuestionView, SideView


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleView:
    """One way to let a phone in."""

    role: str
    label: str
    is_shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationView:
    """What another phone scans, or types."""

    qr: Markup
    """An inline SVG in black on white, without style attributes."""
    pin: tuple[str, ...]
    """Letter by letter."""
    spoken: str
    """"PIN: A, C, F, H, K"."""
    typed_at: str
    """Where the PIN is typed: "192.168.1.20:8000/join"."""
    url: str
    """The same to send: what the picture stands for."""
    note: str
    """What it lets a phone do, and until when it holds."""
    end: Action


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneView:
    """A phone that was let in."""

    name: str
    small: str
    """"writes, since 19:02, here now"."""
    side: SideView | None = None
    actions: tuple[Action, ...] = ()
    is_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomPage:
    """Template match/room.html. Blocks: phones."""

    title: str
    bar: BarView
    invite_url: str
    hidden: Hidden
    roles: tuple[RoleView, ...]
    phones: tuple[PhoneView, ...]
    phones_url: str
    """Asked again and again while the page is seen."""
    invitation: InvitationView | None = None
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WhosePage:
    """Template match/join.html: whose phone is this, asked when it comes in and whenever that changes."""

    title: str
    bar: BarView
    action: str
    hidden: Hidden
    question: QuestionView
    go_label: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PinPage:
    """Template match/pin.html: a PIN instead of a picture."""

    title: str
    bar: BarView
    action: str
    hidden: Hidden
    field: str
    pin: str = ""
    longest: int = 20
    fault: str = ""
    heading: str = ""
    """Of the red notice, where something came before: "This code has run out"."""
