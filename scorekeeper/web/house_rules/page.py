"""The list of house rules, and the page that shares one of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scorekeeper.ledger.house_versions import StoredHouse
from scorekeeper.narration.endings import goal_words
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.house_rules import HouseRules, Variants, resolve
from scorekeeper.web.shared.widgets import FaultsView, FaultView

_MOST_FAULTS, _LONGEST_PLACE = 20, 80


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRulesLine:
    """House rules in a list."""

    code: str
    name: str
    summary: str
    """"from Partnership Pitch, to 15"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastChange:
    """What was just done to house rules."""

    what: str
    """saved, retired or back."""
    code: str
    name: str
    undo_to: int
    """The version before; 0 where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRulesPage:
    """Template house_rules/index.html."""

    rules: tuple[HouseRulesLine, ...]
    retired: tuple[HouseRulesLine, ...]
    last_change: LastChange | None
    faults: FaultsView | None
    """Why nothing was imported."""


def house_rules_page(
    houses: Iterable[StoredHouse],
    variants: Variants,
    *,
    last_change: LastChange | None = None,
    faults: FaultsView | None = None,
) -> HouseRulesPage:
    """Return the page that lists house rules."""
    lines: dict[bool, list[HouseRulesLine]] = {False: [], True: []}
    for house in houses:
        rules = house.last.rules
        line = HouseRulesLine(code=house.code, name=rules.name, summary=summary_of(rules, variants))
        lines[house.last.is_retired].append(line)
    return HouseRulesPage(
        rules=tuple(lines[False]),
        retired=tuple(lines[True]),
        last_change=last_change,
        faults=faults,
    )


def faults_of_file(heading: str, faults: Sequence[Fault]) -> FaultsView:
    """Return why nothing was imported, each fault with its place in the file."""
    items = (FaultView(text=fault.message, where=fault.field[:_LONGEST_PLACE]) for fault in faults[:_MOST_FAULTS])
    return FaultsView(heading=heading, items=tuple(items))


def last_change(houses: Iterable[StoredHouse], code: str, what: str) -> LastChange | None:
    """Return the change that an address names, if it is one of these houses'."""
    house = next((house for house in houses if house.code == code), None)
    if house is None or what not in ("saved", "retired", "back"):
        return None
    return LastChange(what=what, code=code, name=house.last.rules.name, undo_to=house.last.seq - 1)


def summary_of(rules: HouseRules, variants: Variants) -> str:
    """Return house rules in a line: "from Partnership Pitch, to 15"."""
    ruleset, _ = resolve(rules, variants)
    if ruleset is None:
        return "this version of Scorekeeper can’t play these rules"
    return f"{ruleset.summary}, {goal_words(ruleset)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharePage:
    """Template house_rules/share.html."""

    code: str
    name: str
    share_code: str
