"""What the page for backing up and restoring shows."""

from dataclasses import dataclass

from scorekeeper.services.import_export import RecordsRefused
from scorekeeper.services.import_run import ImportNotNow
from scorekeeper.web.shared.widgets import FaultsView, FaultView, counted

MOST_FAULTS = 20
"""Shown at once; a file with more is mended step by step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferPage:
    """Template transfer/show.html."""

    imported: int = 0
    """How many matches were imported just now."""
    faults: FaultsView | None = None
    """Why nothing was imported."""
    client_key: str = ""
    """Of the form that may be sent again as it was: if it was imported meanwhile, that is what it leads to."""


def refused_page(file_name: str, refused: RecordsRefused) -> TransferPage:
    """Return the page that says why nothing of a file was imported."""
    faults = tuple(
        FaultView(where=_where(number, item.hand, item.fault.field), text=item.fault.message)
        for number, item in refused.faults
    )
    heading = f"{file_name} was not imported: {counted(len(faults), 'error')}"
    return TransferPage(faults=FaultsView(heading=heading, items=faults[:MOST_FAULTS]))


def not_now_page(file_name: str, not_now: ImportNotNow, client_key: str) -> TransferPage:
    """Return the page that says when a file can be imported."""
    fault = FaultView(text=str(not_now))
    heading = f"{file_name} was not imported yet"
    return TransferPage(faults=FaultsView(heading=heading, items=(fault,)), client_key=client_key)


def no_file_page() -> TransferPage:
    """Return the page that asks for a file where none was chosen."""
    fault = FaultView(text="Choose a file that Scorekeeper made.")
    return TransferPage(faults=FaultsView(heading="Nothing was imported", items=(fault,)))


def book_refused_page(why: str) -> TransferPage:
    """Return the page that says why nothing of a book's file was imported."""
    return TransferPage(faults=FaultsView(heading="Nothing was imported", items=(FaultView(text=why),)))


def _where(number: int, hand: int | None, field: str) -> str:
    parts = (f"match {number}" if number > 1 else "", f"hand {hand}" if hand else "", field)
    return ", ".join(part for part in parts if part)
