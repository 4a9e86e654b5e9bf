"""A family finds its game by the name it knows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules.search import find
from tests.rules.random_house_rules import LIBRARY, RULESETS


def ids(**asked: object) -> list[str]:
    return [ruleset.id for ruleset in find(LIBRARY, **asked)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("setback", {"partnership-pitch", "five-point-set-back"}),
        ("Set Back", {"partnership-pitch", "five-point-set-back"}),
        ("high-low-jack", {"partnership-pitch"}),
        ("high low jack", {"partnership-pitch"}),
        ("smear-like", {"oklahoma-ten-point"}),
        ("Smear", {"oklahoma-ten-point"}),
        ("call your partner", {"pawnee-call-your-partner"}),
        ("cinch", {"double-pedro"}),
        ("10 point pitch", {"colorado-ten-point", "oklahoma-ten-point", "charbonneau-ten-point"}),
        ("seven up", {"partners-without-bidding"}),
    ],
)
def test_a_game_is_found_by_any_of_its_names(name: str, found: set[str]) -> None:
    assert found <= set(ids(name=name))
    assert len(ids(name=name)) < len(RULESETS) / 2


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.id)
def test_every_game_is_found_first_by_its_own_name(ruleset: object) -> None:
    assert ruleset.id in ids(name=ruleset.name)[:3]  # type: ignore[attr-defined]


def test_a_game_is_found_by_its_number_of_players() -> None:
    found = ids(players=6)

    assert {"partnership-pitch-six", "colorado-six-player"} <= set(found)
    assert "fish-pitch" not in found


def test_a_game_is_found_by_its_points() -> None:
    assert set(ids(points=14)) == {"colorado-fourteen-point", "double-pedro", "tunkhannock-fourteen-point"}


def test_every_condition_has_to_match() -> None:
    assert ids(name="colorado", players=4, points=14) == ["colorado-fourteen-point"]
    assert ids(name="colorado", players=4, points=4) == []


@given(st.text(), st.none() | st.integers(), st.none() | st.integers())
def test_any_search_returns_rulesets(name: str, players: int | None, points: int | None) -> None:
    assert set(ids(name=name, players=players, points=points)) <= set(LIBRARY.rulesets)


def test_a_variant_has_its_player_counts() -> None:
    assert LIBRARY["fish-pitch"].table.player_counts == (4,)
