"""A family that cannot name its game finds it by what it knows of it."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.pages.find_game.finder import (
    SEATINGS,
    Candidate,
    Fit,
    GameDescription,
    find_fits,
    read_description,
    read_search,
    search,
    usual_points_by_name,
)
from scorekeeper.pages.find_game.query import phrasebook_of
from scorekeeper.pitch.rules.awards import plain_name
from scorekeeper.pitch.rules.house_rules import HouseRules, resolve_house_rules, with_house
from tests.common.library import LIBRARY, every_ruleset
from tests.common.tables import table
from tests.pitch.rules.random_house_rules import RULESETS

FAMILIES = table(__file__, "families.toml")["family"]
NAMING_FAMILIES = table(__file__, "door_families.toml")["family"]
USUAL_PLAYERS = 4
GAMES = [Candidate(ruleset=ruleset, listing=LIBRARY.listing_by_id[ruleset.id]) for ruleset in LIBRARY]
CARDS = usual_points_by_name(GAMES)
FOUR_POINTS = frozenset({"High", "Low", "Jack", "Game"})
TEN_POINTS = frozenset({"High", "Low", "Jack", "Off Jack", "Jokers", "Ten", "Three"})


def described(**answers: Any) -> GameDescription:
    """Return a description of a game: how many play, for which cards and points, and answers to options."""
    chosen: dict[str, Any] = {
        name: answers.pop(name) for name in ("score_on_made", "moon", "win_rule") if name in answers
    }
    return GameDescription(**{**answers, "cards": frozenset(answers.get("cards", ()))}, options=chosen)


def fits(what: GameDescription, games: list[Candidate] = GAMES) -> tuple[Fit, ...]:
    return find_fits(games, what)


def best(**answers: Any) -> Fit:
    return fits(described(**answers))[0]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family["name"])
def test_a_family_finds_its_game_among_the_first(family: dict[str, Any]) -> None:
    first = {fit.game.ruleset.id: dict(fit.answers) for fit in fits(described(**family["said"]))[:8]}

    assert first[family["variant"]] == family["house"]


def found_first(family: dict[str, Any]) -> str:
    """Return the id of the first game found for the family's description or name of its game."""
    what = dict(family["said"])
    if name := what.pop("name", ""):
        name += f" {what['players']} players" if "players" in what else ""
        found = search(GAMES, read_search(name, phrasebook_of(LIBRARY), GAMES), USUAL_PLAYERS).fits
    else:
        found = fits(read_description(**{"players": USUAL_PLAYERS, **what}))
    return found[0].game.ruleset.id


def test_twenty_four_of_thirty_families_find_their_game_first() -> None:
    right = [family["name"] for family in NAMING_FAMILIES if found_first(family) == family["game"]]

    assert len(NAMING_FAMILIES) == 30
    assert len(right) >= 24


def test_a_game_with_changed_options_fits() -> None:
    fit = best(players=4, seating="partners", cards=FOUR_POINTS | {"King"}, target=21)

    assert fit.is_fit
    assert fit.misfits or fit.changes
    assert fit.changes == ("with the King",)


def test_what_was_changed_is_named_and_nothing_is_taken_out() -> None:
    colorado = next(
        fit
        for fit in fits(described(players=4, cards=TEN_POINTS - {"Ten"} | {"Game"}, target=52))
        if fit.game.ruleset.id == "colorado-ten-point"
    )

    assert colorado.changes == ("with the Game", "to 52 instead of 42")
    assert colorado.answers == {"game": True, "target": 52}


def test_the_number_of_players_is_no_house_option() -> None:
    razzle = next(fit for fit in fits(described(players=4)) if fit.game.ruleset.id == "razzle-dazzle")

    assert not razzle.is_fit
    assert razzle.misfits == ("5 players",)


def test_the_ten_of_trumps_may_be_called_game() -> None:
    names = [
        best(players=4, seating="partners", cards=TEN_POINTS - {"Ten"} | {name}, target=52) for name in ("Ten", "Game")
    ]

    assert [(fit.game.ruleset.id, fit.misfits, fit.changes) for fit in names] == [("charbonneau-ten-point", (), ())] * 2


def test_a_target_that_the_book_leaves_open_is_no_change() -> None:
    auction = next(fit for fit in fits(described(players=4, target=11)) if fit.game.ruleset.id == "auction-pitch")

    assert (*auction.misfits, *auction.changes) == ()
    assert dict(auction.answers) == {"target": 11}


def test_a_match_that_counts_down_starts_from_the_points_that_win() -> None:
    nine = next(fit for fit in fits(described(players=4, target=15)) if fit.game.ruleset.id == "nine-card-pitch")

    assert dict(nine.answers) == {"count_down_from": 15}


def test_games_come_as_they_are_commonly_played() -> None:
    ranks = [fit.game.listing.common for fit in fits(GameDescription())]

    assert ranks == sorted(ranks) == [*range(1, len(RULESETS) + 1)]


def test_what_a_phone_played_comes_before_what_is_common() -> None:
    played = {"fish-pitch": 2, "nine-card-pitch": 5}
    games = [replace(game, match_count=played.get(game.ruleset.id, 0)) for game in GAMES]

    assert [fit.game.ruleset.id for fit in fits(GameDescription(players=4), games)][:3] == [
        "nine-card-pitch",
        "fish-pitch",
        "partnership-pitch",
    ]


def test_own_house_rules_that_fit_come_first() -> None:
    rules = HouseRules("Grandma's", "partnership-pitch", {"target": 15})
    ruleset, _ = resolve_house_rules(rules, LIBRARY)
    assert ruleset
    games = [*GAMES, Candidate(ruleset=ruleset, listing=LIBRARY.listing_by_id[ruleset.id], house_rules=rules)]

    assert fits(described(players=4, target=15), games)[0].game.house_rules is rules
    assert fits(described(players=4, target=21), games)[0].game.house_rules is None


@every_ruleset
def test_every_game_fits_exactly_what_it_is(ruleset: Any) -> None:
    table, winning = ruleset.table, ruleset.winning
    seating = "called" if table.called else "partners" if table.partners else "alone"
    players = next(iter(table.partners)) if seating == "partners" else table.fewest
    cards = {plain_name(ruleset.kinds[award_id]) for award_id in ruleset.in_play}
    what = described(players=players, seating=seating, cards=cards, target=winning.target or winning.count_down_from)
    fit = next(fit for fit in fits(what) if fit.game.ruleset.id == ruleset.id)
    odd_points = any(
        ruleset.awards[award_id].points == 1 for award_id in ruleset.in_play if ruleset.awards[award_id].card == "5"
    )

    assert fit.is_fit
    assert not (fit.misfits or fit.changes) or odd_points


descriptions = st.builds(
    read_description,
    players=st.none() | st.integers(-1, 12),
    seating=st.sampled_from([*SEATINGS, "", "nonsense"]),
    cards=st.sets(st.sampled_from([*CARDS, "Queen"])),
    target=st.none() | st.integers(-5, 2000),
    points=st.none() | st.sampled_from([4, 5, 6, 10, 14]),
)


@given(descriptions)
def test_a_game_that_fits_is_playable_as_described(what: GameDescription) -> None:
    found = fits(what)

    assert len(found) == len(GAMES)
    for fit in found:
        ruleset, faults = with_house(fit.game.ruleset, fit.answers)
        assert not faults
        assert set(fit.game.ruleset.in_play) <= set(ruleset.in_play)
        if fit.is_fit:
            scored = {plain_name(ruleset.kinds[award_id]) for award_id in ruleset.in_play}
            ten = {"Ten"} if ruleset.points.game_rule == "ten_of_trumps" else set()
            assert what.cards - {"Queen"} <= scored | ten
            assert what.target in (None, ruleset.winning.target, ruleset.winning.count_down_from)
            assert all(ruleset.answer(name) == value for name, value in what.options.items())
