"""Take it away, bring it back."""

from dataclasses import dataclass

from scorekeeper.web.contexts.parts import Action, BarView, Hidden, Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFault:
    """One fault of an uploaded file."""

    where: str
    """"hand 3, taken.low"."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferPage:
    """Template transfer.html."""

    title: str
    bar: BarView
    upload_url: str
    hidden: Hidden
    upload_field: str = "record"
    downloads: tuple[Action, ...] = ()
    faults_heading: str = ""
    """"Thursday.json was not taken in: two faults"."""
    faults: tuple[FileFault, ...] = ()
    notices: tuple[Notice, ...] = ()
