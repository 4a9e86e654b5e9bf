"""Which game: the house's own rules first, then the book's, found by what a family knows of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from flask import url_for

from scorekeeper.rules.finding import find, seats
from scorekeeper.rules.house import Variants
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.house_rules import StoredHouse
from scorekeeper.web.contexts.new_match import ChooseRulesPage, FindView, RulesGroup, RulesLine
from scorekeeper.web.contexts.parts import Action, BarView, Choice, Hidden
from scorekeeper.web.present.houses import in_short as house_in_short
from scorekeeper.web.present.houses import play_url
from scorekeeper.web.present.new_match import in_short


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked for, as the form sent it."""

    name: str = ""
    players: int | None = None
    points: int | None = None

    @property
    def is_anything(self) -> bool:
        """Whether anything was asked for."""
        return bool(self.name.strip() or self.players or self.points)


def choose_page(
    rulesets: Iterable[Ruleset], variants: Variants, asked: Asked, houses: Sequence[StoredHouse], *, chosen: str = ""
) -> ChooseRulesPage:
    """Ask what is played: the family's own rules, then every game that fits."""
    return _page(
        "New match",
        BarView(title="New match", sub="What are you playing?", back_url=url_for("home.index")),
        list(rulesets),
        asked,
        "new.table",
        url=url_for("new.choose"),
        first=_ours(houses, variants, asked),
        chosen=chosen,
        ours=Action(label="Our own rules", url=url_for("house.index"), icon="pencil"),
    )


def closest_page(rulesets: Iterable[Ruleset], asked: Asked) -> ChooseRulesPage:
    """Ask which game comes closest to what a family plays."""
    bar = BarView(
        title="Our own rules", sub="Which game comes closest?", back_url=url_for("house.index"), back_label="Our rules"
    )
    return _page("Our own rules", bar, list(rulesets), asked, "house.new", url=url_for("house.new"))


def _page(
    title: str,
    bar: BarView,
    rulesets: list[Ruleset],
    asked: Asked,
    endpoint: str,
    *,
    url: str,
    first: tuple[RulesGroup, ...] = (),
    chosen: str = "",
    ours: Action | None = None,
) -> ChooseRulesPage:
    found = find(rulesets, name=asked.name, players=asked.players, points=asked.points)
    groups = rules_groups(found, endpoint, chosen=chosen, is_ranked=bool(asked.name.strip()))
    return ChooseRulesPage(
        title=title,
        bar=bar,
        groups=(*first, *groups),
        find=_find(rulesets, asked, url, (("chosen", chosen),) if chosen else ()),
        nothing="" if found else "No game of the book is called that, with so many players and points. Ask for less.",
        ours=ours,
    )


def _find(rulesets: Iterable[Ruleset], asked: Asked, url: str, carried: Hidden) -> FindView:
    known = list(rulesets)
    players = sorted({count for ruleset in known for count in seats(ruleset.table)})
    points = sorted({ruleset.on_offer for ruleset in known})
    return FindView(
        url=url,
        name=asked.name,
        players=_counted(players, asked.players, "any number"),
        points=_counted(points, asked.points, "any number"),
        carried=carried,
        is_open=asked.is_anything,
    )


def _counted(numbers: Sequence[int], chosen: int | None, none: str) -> tuple[Choice, ...]:
    every = Choice(value="", label=none, is_chosen=chosen is None)
    return (every, *(Choice(value=str(n), label=str(n), is_chosen=n == chosen) for n in numbers))


def _ours(houses: Sequence[StoredHouse], variants: Variants, asked: Asked) -> tuple[RulesGroup, ...]:
    rules = [house.last.rules for house in houses if not house.last.is_retired and house.last.rules.variant in variants]
    if asked.is_anything:
        fits = find([variants[one.variant] for one in rules], players=asked.players)
        wanted = {ruleset.id for ruleset in fits}
        rules = [one for one in rules if one.variant in wanted and asked.name.strip().lower() in one.name.lower()]
    lines = tuple(RulesLine(url=play_url(one), name=one.name, small=house_in_short(one, variants)) for one in rules)
    return (RulesGroup(heading="Our own rules", lines=lines),) if lines else ()


def rules_groups(
    rulesets: Iterable[Ruleset], endpoint: str, *, chosen: str = "", is_ranked: bool = False
) -> tuple[RulesGroup, ...]:
    """Put rulesets under headings by how people sit; what was found by name stays in its order."""
    groups: dict[str, list[RulesLine]] = {}
    if not is_ranked:
        groups = {"With partners": [], "A partner for each hand": [], "Everyone alone": []}
    for ruleset in rulesets:
        values: dict[str, Any] = {"base" if endpoint == "house.new" else "ruleset_id": ruleset.id}
        url = url_for(endpoint, **values)
        line = RulesLine(url=url, name=ruleset.name, small=in_short(ruleset), is_chosen=ruleset.id == chosen)
        groups.setdefault("Found" if is_ranked else _heading(ruleset), []).append(line)
    return tuple(RulesGroup(heading=heading, lines=tuple(lines)) for heading, lines in groups.items() if lines)


def _heading(ruleset: Ruleset) -> str:
    if ruleset.table.called:
        return "A partner for each hand"
    return "With partners" if ruleset.table.partners else "Everyone alone"
