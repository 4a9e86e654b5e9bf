"""The bidding call by call, as the hand entry shows it."""

from dataclasses import dataclass

from scorekeeper.web.contexts.parts import Choice, QuestionView, SideView, strip_columns


@dataclass(frozen=True, slots=True, kw_only=True)
class CallMade:
    """One call that was made; a tap goes back to it."""

    value: str
    """What the form posts to go back: how many calls stand before it."""
    label: str
    """"3", "pass"."""
    spoken: str
    """"Bea, 3: back to this call"."""
    icon: str = ""
    """moon, or moons for the double moon, instead of the label."""
    is_word: bool = False
    is_pass: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRow:
    """One person's calls."""

    name: str
    side: SideView
    calls: tuple[CallMade, ...] = ()
    note: str = ""
    """"deals"."""
    is_next: bool = False
    """Whether this one is to speak."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionView:
    """Who said what, from the dealer's left, and what can be said next."""

    question: str
    """"Cal is to speak"."""
    rows: tuple[CallRow, ...] = ()
    """Empty as long as it is not known who deals."""
    calls: tuple[Choice, ...] = ()
    """Everything that can be said in this game; quiet where it cannot be said now."""
    field: str = "say"
    hint: str = ""
    """Why whoever is to speak may not pass."""
    dealer: QuestionView | None = None
    """Who deals, where nobody knows."""
    folded: str = ""
    """"Dan bid 3": the whole bidding folded into one line, with a way to open it."""
    folded_side: SideView | None = None
    takes_focus: bool = False
    """Whether the folded line came by the last tap."""
    fault: str = ""

    @property
    def columns(self) -> str:
        """Name the classes that lay out the calls."""
        return strip_columns(self.calls)
