"""A family that cannot name its game finds it by what it knows of it."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules.awards import plain_name
from scorekeeper.rules.finder import (
    SEATINGS,
    TELLING_OPTIONS,
    Candidate,
    Fit,
    GameDescription,
    find_fits,
    read_description,
    scoring_cards,
    telling_questions,
)
from scorekeeper.rules.house_rules import HouseRules, resolve, with_house
from tests.rules.random_house_rules import LIBRARY, RULESETS

FAMILIES = tomllib.loads((Path(__file__).parent / "families.toml").read_text())["family"]
GAMES = [Candidate(ruleset=ruleset, listing=LIBRARY.listings[ruleset.id]) for ruleset in LIBRARY]
CARDS = scoring_cards(GAMES)
FOUR_POINTS = frozenset({"High", "Low", "Jack", "Game"})
TEN_POINTS = frozenset({"High", "Low", "Jack", "Off Jack", "Jokers", "Ten", "Three"})


def said(**answers: Any) -> GameDescription:
    """Return what a family says: the questions of the page, and those that tell games apart."""
    told = {name: answers.pop(name) for name in TELLING_OPTIONS if name in answers}
    return GameDescription(**{**answers, "cards": frozenset(answers.get("cards", ()))}, options=told)


def fits(what: GameDescription, games: list[Candidate] = GAMES) -> tuple[Fit, ...]:
    return find_fits(games, what, CARDS)


def best(**answers: Any) -> Fit:
    return fits(said(**answers))[0]


def asked(**answers: Any) -> list[str]:
    what = said(**answers)
    return [*telling_questions(fits(what), what)]


def end_of(game: Candidate) -> int | None:
    """Return the score that a game goes to; `None` where that is up to the table."""
    return game.ruleset.winning.target or game.ruleset.winning.count_down_from


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family["name"])
def test_a_family_finds_its_game_in_at_most_five_answers(family: dict[str, Any]) -> None:
    fit = best(**family["said"])

    assert len(family["said"]) <= 5
    assert (fit.game.ruleset.id, dict(fit.house)) == (family["variant"], family["house"])


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family["name"])
def test_a_question_that_a_family_answers_was_asked(family: dict[str, Any]) -> None:
    first_four = {name: answer for name, answer in family["said"].items() if name not in TELLING_OPTIONS}

    assert [name for name in family["said"] if name in TELLING_OPTIONS] in ([], asked(**first_four))


@pytest.mark.parametrize("game", [game for game in GAMES if end_of(game)], ids=lambda game: game.ruleset.id)
def test_a_game_that_goes_to_a_score_is_among_the_first_three_for_who_says_all_of_it(game: Candidate) -> None:
    ruleset = game.ruleset
    cards = {plain_name(ruleset.kinds[award_id]) for award_id in ruleset.in_play}
    for players in ruleset.table.player_counts:
        what = {"players": players, "cards": cards, "target": end_of(game)}
        if questions := asked(**what):
            what[questions[0]] = ruleset.answer(questions[0])

        assert game in [fit.game for fit in fits(said(**what))[:3]]


def test_ten_points_to_52_asks_what_a_made_bid_scores() -> None:
    assert asked(players=4, seating="partners", cards=TEN_POINTS, target=52) == ["score_on_made"]
    assert asked(players=4, seating="partners", cards=TEN_POINTS - {"Ten"} | {"Game"}, target=52) == ["score_on_made"]
    assert asked(players=4, seating="partners", target=52) == ["score_on_made"]


def test_it_is_asked_even_where_one_game_fits_exactly() -> None:
    what = {"players": 4, "seating": "partners", "cards": TEN_POINTS, "target": 42}

    assert best(**what).is_exact
    assert asked(**what) == ["score_on_made"]


def test_nothing_is_asked_where_the_games_agree() -> None:
    assert asked(players=4, seating="partners", cards=FOUR_POINTS, target=21) == []


def test_nothing_more_is_asked_before_cards_or_points_are_said() -> None:
    assert asked(players=4) == asked(players=4, seating="partners") == []


def test_a_game_with_changed_options_fits() -> None:
    fit = best(players=4, seating="partners", cards=FOUR_POINTS | {"Off Jack"}, target=21)

    assert fit.is_fit
    assert not fit.is_exact
    assert fit.changes


def test_what_was_changed_is_named() -> None:
    colorado = next(
        fit
        for fit in fits(said(players=4, cards=TEN_POINTS - {"Ten"} | {"Game"}, target=52))
        if fit.game.ruleset.id == "colorado-ten-point"
    )

    assert colorado.changes == ("with Game", "without Ten", "to 52")


def test_the_number_of_players_is_no_house_option() -> None:
    razzle = next(fit for fit in fits(said(players=4)) if fit.game.ruleset.id == "razzle-dazzle")

    assert not razzle.is_fit
    assert razzle.misfits == ("5 players",)


def test_the_ten_of_trumps_may_be_called_game() -> None:
    names = [
        best(players=4, seating="partners", cards=TEN_POINTS - {"Ten"} | {name}, target=52) for name in ("Ten", "Game")
    ]

    assert [(fit.game.ruleset.id, fit.is_exact) for fit in names] == [("charbonneau-ten-point", True)] * 2


def test_a_target_that_the_book_leaves_open_is_no_change() -> None:
    auction = next(fit for fit in fits(said(players=4, target=11)) if fit.game.ruleset.id == "auction-pitch")

    assert auction.is_exact
    assert dict(auction.house) == {"target": 11}


def test_a_match_that_counts_down_starts_from_the_points_that_win() -> None:
    nine = next(fit for fit in fits(said(players=4, target=15)) if fit.game.ruleset.id == "nine-card-pitch")

    assert dict(nine.house) == {"count_down_from": 15}


def test_games_come_as_they_are_commonly_played() -> None:
    places = [fit.game.listing.common for fit in fits(GameDescription())]

    assert places == sorted(places) == [*range(1, len(RULESETS) + 1)]


def test_what_a_phone_played_comes_before_what_is_common() -> None:
    played = {"fish-pitch": 2, "nine-card-pitch": 5}
    games = [replace(game, matches=played.get(game.ruleset.id, 0)) for game in GAMES]

    assert [fit.game.ruleset.id for fit in fits(GameDescription(players=4), games)][:3] == [
        "nine-card-pitch",
        "fish-pitch",
        "partnership-pitch",
    ]


def test_own_house_rules_that_fit_come_first() -> None:
    rules = HouseRules("Grandma's", "partnership-pitch", {"target": 15})
    ruleset, _ = resolve(rules, LIBRARY)
    assert ruleset
    games = [*GAMES, Candidate(ruleset=ruleset, listing=LIBRARY.listings[ruleset.id], house_rules=rules)]

    assert fits(said(players=4, target=15), games)[0].game.house_rules is rules
    assert fits(said(players=4, target=21), games)[0].game.house_rules is None


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.id)
def test_every_game_fits_exactly_what_it_is(ruleset: Any) -> None:
    table, winning = ruleset.table, ruleset.winning
    seating = "called" if table.called else "partners" if table.partners else "alone"
    players = next(iter(table.partners)) if seating == "partners" else table.fewest
    cards = {plain_name(ruleset.kinds[award_id]) for award_id in ruleset.in_play}
    what = said(players=players, seating=seating, cards=cards, target=winning.target or winning.count_down_from)
    fit = next(fit for fit in fits(what) if fit.game.ruleset.id == ruleset.id)
    odd_points = any(ruleset.awards[it].points == 1 for it in ruleset.in_play if ruleset.awards[it].card == "5")

    assert fit.is_fit
    assert fit.is_exact or odd_points
    assert fits(what).index(fit) < 8


answers = st.builds(
    read_description,
    players=st.none() | st.integers(-1, 12),
    seating=st.sampled_from([*SEATINGS, "", "nonsense"]),
    cards=st.sets(st.sampled_from([*(card.name for card in CARDS), "Queen"])),
    target=st.none() | st.integers(-5, 2000),
    answers=st.dictionaries(
        st.sampled_from([*TELLING_OPTIONS, "nonsense"]), st.sampled_from(["bid", "off", "made_bid", "x"])
    ),
)


@given(answers)
def test_whatever_is_said_a_game_that_fits_is_playable_as_it_was_said(what: GameDescription) -> None:
    found = fits(what)

    assert len(found) == len(GAMES)
    for fit in found:
        ruleset, faults = with_house(fit.game.ruleset, fit.house)
        assert not faults
        if fit.is_fit and what.target:
            assert what.target in (ruleset.winning.target, ruleset.winning.count_down_from)
        if fit.is_fit:
            assert all(ruleset.answer(name) == value for name, value in what.options.items())
    telling_questions(found, what)
