"""The list of variants."""

from dataclasses import dataclass

from scorekeeper.web.contexts.new_match import RulesGroup
from scorekeeper.web.contexts.parts import BarView, Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesIndexPage:
    """Template rules/index.html."""

    title: str
    bar: BarView
    groups: tuple[RulesGroup, ...]
    intro: str = ""
    notices: tuple[Notice, ...] = ()
