"""Choosing a game: for a new match, or as the one that comes closest to a family's own rules."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from werkzeug.datastructures import MultiDict

from scorekeeper.ledger.house_versions import StoredHouse
from scorekeeper.narration.endings import goal_words
from scorekeeper.rules import phrases
from scorekeeper.rules.library import Library
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.search import find
from scorekeeper.rules.share_code import encode
from scorekeeper.web.house_rules.page import summary_of as summary_of_house

_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What a game is looked for by."""

    name: str = ""
    players: int | None = None
    points: int | None = None
    """Points in a hand."""

    @property
    def is_anything(self) -> bool:
        """Whether anything is looked for."""
        return bool(self.name.strip() or self.players or self.points)


def read_search(query: MultiDict[str, str]) -> Search:
    """Return what an address looks for."""
    return Search(
        name=query.get("q", "")[:_LONGEST_NAME],
        players=query.get("players", type=int),
        points=query.get("points", type=int),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """A game to choose."""

    ruleset_id: str
    name: str
    summary: str
    """"4 players, 4 points a hand, to 21"."""
    share_code: str = ""
    """The rules, where they are a house's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameGroup:
    """Games at which people sit alike."""

    heading: str
    lines: tuple[GameLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseGamePage:
    """Template new_match/choose.html."""

    is_for_house_rules: bool
    """Whether a game is looked for to change its rules, rather than to play."""
    search: Search
    player_counts: Sequence[int]
    points_per_hand: Sequence[int]
    chosen: str
    """The id of the game that was chosen before."""
    house_rules: tuple[GameLine, ...]
    groups: tuple[GameGroup, ...]


def choose_game_page(
    library: Library,
    search: Search,
    houses: Iterable[StoredHouse] = (),
    chosen: str = "",
    *,
    is_for_house_rules: bool = False,
) -> ChooseGamePage:
    """Return the page that asks for a game, the house's own rules before those of the book."""
    found = find(library, name=search.name, players=search.players, points=search.points)
    groups = game_groups(found)
    if found and search.name.strip():  # the best match first
        groups = (GameGroup(heading="Found", lines=tuple(map(_line, found))),)
    return ChooseGamePage(
        is_for_house_rules=is_for_house_rules,
        search=search,
        player_counts=sorted({count for ruleset in library for count in ruleset.table.player_counts}),
        points_per_hand=sorted({ruleset.points_per_hand for ruleset in library}),
        chosen=chosen,
        house_rules=_ours(library, search, houses),
        groups=groups,
    )


def _ours(library: Library, search: Search, houses: Iterable[StoredHouse]) -> tuple[GameLine, ...]:
    rules = [house.last.rules for house in houses if not house.last.is_retired and house.last.rules.variant in library]
    if search.is_anything:
        fitting = find((library[one.variant] for one in rules), players=search.players)
        variants = {ruleset.id for ruleset in fitting}
        rules = [one for one in rules if one.variant in variants and search.name.strip().lower() in one.name.lower()]
    return tuple(
        GameLine(ruleset_id=one.variant, name=one.name, summary=summary_of_house(one, library), share_code=encode(one))
        for one in rules
    )


def game_groups(rulesets: Iterable[Ruleset]) -> tuple[GameGroup, ...]:
    """Return rulesets under headings by how people sit."""
    groups: dict[str, list[GameLine]] = {"With partners": [], "A partner for each hand": [], "Everyone alone": []}
    for ruleset in rulesets:
        alone = "A partner for each hand" if ruleset.table.called else "Everyone alone"
        is_together = ruleset.table.partners and not ruleset.table.called
        groups["With partners" if is_together else alone].append(_line(ruleset))
    return tuple(GameGroup(heading=heading, lines=tuple(lines)) for heading, lines in groups.items() if lines)


def _line(ruleset: Ruleset) -> GameLine:
    return GameLine(ruleset_id=ruleset.id, name=ruleset.name, summary=summary_of(ruleset))


def summary_of(ruleset: Ruleset) -> str:
    """Return a ruleset in a line: "4 players, 4 points a hand, to 21"."""
    counts = ruleset.table.player_counts
    people = f"{counts[0]} to {counts[-1]}" if len(counts) > 2 else phrases.listed(map(str, counts), "or")
    return f"{people} players, {ruleset.points_per_hand} points a hand, {goal_words(ruleset)}"
