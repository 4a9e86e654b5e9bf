"""The door: the first game of the list is the family's own, and no tap takes a card out."""

import tomllib
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.pitch.rules.awards import plain_name
from scorekeeper.pitch.rules.finder import (
    Fit,
    GameDescription,
    find_fits,
    read_description,
    read_search,
    search,
)
from scorekeeper.pitch.rules.house_rules import with_house
from tests.common.library import LIBRARY
from tests.pitch.rules.test_finder import CARDS, GAMES

FAMILIES = tomllib.loads((Path(__file__).parent / "door_families.toml").read_text())["family"]
USUAL_PLAYERS = 4


def found(family: dict[str, Any]) -> tuple[Fit, ...]:
    """Return the games as the door lists them for what a family says."""
    what = dict(family["said"])
    if name := what.pop("name", ""):
        name += f" {what['players']} players" if "players" in what else ""
        return search(GAMES, read_search(name, LIBRARY.phrasebook, GAMES), CARDS, USUAL_PLAYERS).fits
    return find_fits(GAMES, described(**what), CARDS)


def described(**what: Any) -> GameDescription:
    return read_description(**{"players": USUAL_PLAYERS, **what})


def id_of(fit: Fit) -> str:
    return fit.game.ruleset.id


def test_twenty_four_of_thirty_families_find_their_game_first() -> None:
    right = [family["name"] for family in FAMILIES if id_of(found(family)[0]) == family["game"]]

    assert len(FAMILIES) == 30
    assert len(right) >= 24


taps = st.builds(
    described,
    players=st.integers(2, 8),
    seating=st.sampled_from(["", "", "partners", "teams", "pairs", "alone", "called"]),
    cards=st.sets(st.sampled_from([card.name for card in CARDS]), max_size=5),
    target=st.none() | st.sampled_from([7, 11, 15, 21, 42, 52, 62, 100]),
    points=st.none() | st.sampled_from([4, 5, 6, 10, 14]),
)


@given(taps)
def test_no_tap_takes_a_card_out_of_a_game(what: GameDescription) -> None:
    for fit in find_fits(GAMES, what, CARDS):
        changed, faults = with_house(fit.game.ruleset, fit.house)

        assert not faults
        assert set(fit.game.ruleset.in_play) <= set(changed.in_play)
        if fit.is_fit:
            scored = {plain_name(changed.kinds[award]) for award in changed.in_play}
            ten = {"Ten"} if changed.points.game_rule == "ten_of_trumps" else set()
            assert what.cards <= scored | ten
