"""A family finds its game by the name it knows."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.pages.find_game.finder import SearchResult, read_search, search
from scorekeeper.pages.find_game.query import phrasebook_of
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.library import LIBRARY, every_ruleset
from tests.common.tables import table
from tests.pages.test_game_finder import GAMES


def searched(text: str) -> SearchResult:
    return search(GAMES, read_search(text, phrasebook_of(LIBRARY), GAMES), usual_players=4)


def ids(name: str) -> list[str]:
    found = search(GAMES, read_search(name, phrasebook_of(LIBRARY), GAMES))
    return [fit.game.ruleset.id for fit in found.fits]


UNDERSTOOD: dict[str, Callable[[SearchResult], Any]] = {
    "first": lambda found: found.fits[0].game.ruleset.id,
    "house": lambda found: dict(found.fits[0].answers),
    "few": lambda found: len(found.fits) < len(GAMES) / 2,
    "nearest": lambda found: "" if found.fits else found.nearest[0].game.ruleset.id,
    "differs": lambda found: ", ".join((*found.nearest[0].misfits, *found.nearest[0].changes)),
    "players": lambda found: found.description.players or 0,
    "seating": lambda found: found.description.seating or "",
    "target": lambda found: found.description.target or found.fits[0].answers.get("target", 0),
    "points": lambda found: found.description.points or 0,
    "options": lambda found: found.description.options,
    "worth": lambda found: found.description.worth,
    "without_bids": lambda found: found.description.without_bids,
}
SEARCHES = table(__file__, "searches.toml")["search"]


@pytest.mark.parametrize("row", SEARCHES, ids=lambda row: row["typed"])
def test_what_is_typed_is_understood(row: dict[str, Any]) -> None:
    found, games = searched(row["typed"]), {*ids(row["typed"])}

    assert games >= {*row.get("has", ())}
    assert games.isdisjoint(row.get("lacks", ()))
    named = [name for name in row if name in UNDERSTOOD]
    assert {name: UNDERSTOOD[name](found) for name in named} == {name: row[name] for name in named}


@every_ruleset
def test_a_game_is_found_by_any_of_its_names(ruleset: Ruleset) -> None:
    assert [name for name in ruleset.also if ruleset.id not in ids(name)] == []


@every_ruleset
def test_every_game_is_found_first_by_its_own_name(ruleset: Ruleset) -> None:
    assert ruleset.id in ids(ruleset.name)[:3]


def test_a_card_finds_the_games_that_have_it_before_those_that_can_be_set_to() -> None:
    found = ids("jick")

    assert found.index("smear-five-point") < found.index("partnership-pitch")


def test_a_name_comes_before_other_names_and_those_before_slang() -> None:
    found = ids("set back")

    assert found[:3] == ["five-point-set-back", "setback-bernsrite", "setback-for-two"]
    assert found[3] == "partnership-pitch"


def test_words_that_mean_nothing_leave_the_games_of_the_others() -> None:
    plain, wordy = searched("setback to 15"), searched("our friday setback with aunt zelda to 15 yes")

    assert [fit.game.ruleset.id for fit in wordy.fits] == [fit.game.ruleset.id for fit in plain.fits]
    assert wordy.description == plain.description


def test_a_card_is_left_out_only_for_points_that_no_game_has() -> None:
    assert all("without" not in " ".join(fit.changes) for fit in searched("nine point pitch").fits)


def test_slang_names_awards_and_options_that_there_are() -> None:
    for game in GAMES:
        assert set(game.listing.slang) <= {*game.ruleset.awards, *options(), "ranks"}


@given(st.text())
def test_any_search_returns_rulesets(name: str) -> None:
    assert set(ids(name)) <= set(LIBRARY.rulesets)


def test_what_tables_type_is_about_something_that_there_is() -> None:
    parts = (
        "players sides couples against each points target partners pairs alone called with without without_bids "
        "ignored worth cards"
    ).split()
    for kind in LIBRARY.shared_listing.query.keys() - {*parts}:
        name, _, answer = kind.partition(".")
        option = options()[name]
        assert answer in option.choices if answer else option.lowest is not None
