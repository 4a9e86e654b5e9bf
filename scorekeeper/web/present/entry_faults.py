"""What has to be put right in a hand, and where it stands on the page."""

from collections.abc import Sequence

from scorekeeper.rules.faults import Fault
from scorekeeper.web.contexts.parts import FaultsView, FaultView
from scorekeeper.web.forms.hand import COUNT_FIELD
from scorekeeper.web.present.entry import Entry
from scorekeeper.web.present.entry_bid import asks_pair
from scorekeeper.web.present.wording import counted


def by_field(faults: Sequence[Fault]) -> dict[str, str]:
    """Give the first sentence said about each place of the hand."""
    said: dict[str, str] = {}
    for fault in faults:
        said.setdefault(fault.field, fault.message)
    return said


def faults_view(entry: Entry, faults: Sequence[Fault]) -> FaultsView | None:
    """Say what is to be put right, each with the way to it."""
    if not faults:
        return None
    # One thing may be wrong in two places; it is said once, and leads to the first.
    places: dict[str, str] = {}
    for fault in faults:
        places.setdefault(fault.message, _target(entry, fault.field))
    items = tuple(FaultView(text=text, target=target) for text, target in places.items())
    return FaultsView(heading=f"Not saved yet: {counted(len(items), 'thing')} to put right", items=items)


def _target(entry: Entry, field: str) -> str:
    """Name the element that a fault is about."""
    head, _, rest = field.partition(".")
    match head:
        case "taken" if rest in entry.ruleset.in_play:
            return f"row-{rest}"
        case "card_points":
            return "card-points"
        case "points":
            return f"{COUNT_FIELD}{entry.columns[0][0]}"
        case "bid" | "bidder" | "auction":
            return "q-bid" if entry.ruleset.ladder else ""
        case "partner" if asks_pair(entry):
            return "q-bid"
        case "trump" | "partner" | "called" | "dealer":
            return head
        case "all_tricks":
            return "all_tricks" if entry.needs_tricks else ""
        case _:
            return ""
