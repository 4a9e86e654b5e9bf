"""A family finds its game by the name it knows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules.finder import Candidate, find
from scorekeeper.rules.options import options
from tests.library import LIBRARY, every_ruleset
from tests.rules.random_house_rules import RULESETS

GAMES = [Candidate(ruleset=ruleset, listing=LIBRARY.listings[ruleset.id]) for ruleset in LIBRARY]


def ids(name: str) -> list[str]:
    return [game.ruleset.id for game in find(GAMES, name)]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("setback", {"partnership-pitch", "five-point-set-back"}),
        ("Set Back", {"partnership-pitch", "five-point-set-back"}),
        ("high-low-jack", {"partnership-pitch"}),
        ("high low jack", {"partnership-pitch"}),
        ("smear-like", {"minnesota-smear"}),
        ("minnesota", {"minnesota-smear"}),
        ("schmier", {"minnesota-smear", "st-paul-schmier", "schmier-for-five", "smear-five-point"}),
        ("63", {"sixty-three"}),
        ("pidro", {"pidro"}),
        ("piedro", {"pedro-seventeen"}),
        ("louisiana", {"pedro"}),
        ("petro", {"pedro"}),
        ("azores", {"pedro"}),
        ("finland", {"pidro"}),
        ("ukrainian", {"king-pedro-sixty-two"}),
        ("king pedro", {"king-pedro", "king-pedro-sixty-two", "double-king-pede"}),
        ("new brunswick", {"sixty-three"}),
        ("cape breton", {"sixty-three"}),
        ("pede", {"double-king-pede"}),
        ("snoozer", {"double-king-pede"}),
        ("ten-point smear", {"minnesota-smear"}),
        ("saint paul", {"st-paul-schmier"}),
        ("five handed schmier", {"schmier-for-five"}),
        ("upper midwest", {"smear-five-point"}),
        ("prairie smear", {"canadian-smear"}),
        ("hoyle", {"hoyle-auction-pitch"}),
        ("auction pitch with joker", {"pitch-with-joker"}),
        ("smudge", {"smudge"}),
        ("new england", {"setback-bernsrite"}),
        ("pub all fours", {"yorkshire-all-fours"}),
        ("blind all fours", {"blind-all-fours"}),
        ("tobago", {"trinidad-all-fours"}),
        ("the kick", {"trinidad-all-fours"}),
        ("callie jacks", {"california-jack"}),
        ("shasta", {"shasta-sam"}),
        ("trickster", {"nine-point-pitch", "eleven-point-pitch"}),
        ("high five", {"pedro"}),
        ("old sledge", {"seven-up"}),
        ("all foes", {"trinidad-all-fours"}),
        ("trinidad", {"trinidad-all-fours"}),
        ("blackburn", {"lancashire-all-fours"}),
        ("maine", {"sixty-three"}),
        ("vermont", {"double-king-pede"}),
        ("connecticut setback", {"setback-bernsrite"}),
        ("Smear", {"minnesota-smear", "smear-five-point", "canadian-smear"}),
        ("call your partner", {"pawnee-call-your-partner"}),
        ("cinch", {"double-pedro"}),
        ("10 point pitch", {"colorado-ten-point", "oklahoma-ten-point", "charbonneau-ten-point"}),
    ],
)
def test_a_game_is_found_by_any_of_its_names(name: str, found: set[str]) -> None:
    assert found <= set(ids(name))
    assert len(ids(name)) < len(RULESETS) / 2


@every_ruleset
def test_every_game_is_found_first_by_its_own_name(ruleset: object) -> None:
    assert ruleset.id in ids(ruleset.name)[:3]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("slang", "found"),
    [
        ("52", {"charbonneau-ten-point", "razzle-dazzle"}),
        ("10 point", {"colorado-ten-point", "oklahoma-ten-point"}),
        ("jick", {"colorado-ten-point", "oklahoma-ten-point", "five-point-set-back"}),
        ("shoot the moon", {"colorado-ten-point", "money-pitch"}),
        ("joker", {"colorado-ten-point", "arizona-29"}),
        ("setback", {"partnership-pitch", "five-point-set-back"}),
        ("call your partner", {"pawnee-call-your-partner", "razzle-dazzle"}),
        ("widow", {"colorado-ten-point"}),
    ],
)
def test_a_game_is_found_by_what_tables_call_what_is_in_it(slang: str, found: set[str]) -> None:
    assert found <= set(ids(slang))


@pytest.mark.parametrize("slang", ["jick", "joker", "shoot the moon"])
def test_slang_finds_no_game_without_what_it_names(slang: str) -> None:
    assert "partnership-pitch" not in ids(slang)


def test_a_name_comes_before_other_names_and_those_before_slang() -> None:
    found = ids("set back")

    assert found[:3] == ["five-point-set-back", "setback-bernsrite", "setback-for-two"]
    assert found[3] == "partnership-pitch"


def test_slang_names_awards_and_options_that_there_are() -> None:
    for game in GAMES:
        assert set(game.listing.slang) <= {*game.ruleset.awards, *options(), "ranks"}


@given(st.text())
def test_any_search_returns_rulesets(name: str) -> None:
    assert set(ids(name)) <= set(LIBRARY.rulesets)


def test_a_variant_has_its_player_counts() -> None:
    assert LIBRARY["fish-pitch"].table.player_counts == (4,)
