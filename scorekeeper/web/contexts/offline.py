"""The page that a phone shows without a network in place of one that it has never seen."""

from dataclasses import dataclass

from scorekeeper.web.contexts.parts import BarView


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflinePage:
    """Template offline.html."""

    title: str
    bar: BarView
