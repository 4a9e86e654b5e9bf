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
    _answers,
    always_scored,
    equal_fits,
    find_fits,
    read_description,
    scoring_cards,
    telling_questions,
)
from scorekeeper.rules.house_rules import HouseRules, resolve, with_house
from tests.library import LIBRARY, every_ruleset, repeated
from tests.rules.random_house_rules import RULESETS

FAMILIES = tomllib.loads((Path(__file__).parent / "families.toml").read_text())["family"]
GAMES = [Candidate(ruleset=ruleset, listing=LIBRARY.listings[ruleset.id]) for ruleset in LIBRARY]
SOUGHT = {ruleset.id for ruleset in repeated(LIBRARY, 15)}
CARDS = scoring_cards(GAMES)
FOUR_POINTS = frozenset({"High", "Low", "Jack", "Game"})
TEN_POINTS = frozenset({"High", "Low", "Jack", "Off Jack", "Jokers", "Ten", "Three"})


def said(**answers: Any) -> GameDescription:
    """Return what a family says: the questions of the page, and those that tell games apart."""
    told: dict[str, Any] = {name: answers.pop(name) for name in TELLING_OPTIONS if name in answers}
    return GameDescription(**{**answers, "cards": frozenset(answers.get("cards", ()))}, options=told)


def fits(what: GameDescription, games: list[Candidate] = GAMES) -> tuple[Fit, ...]:
    return find_fits(games, what, CARDS)


def best(**answers: Any) -> Fit:
    return fits(said(**answers))[0]


def asked(**answers: Any) -> list[str]:
    return [question.about for question in telling_questions(GAMES, said(**answers), CARDS)]


def answering(what: GameDescription, game: Candidate, options: dict[str, Any]) -> tuple[GameDescription, int]:
    """Answer all that is asked as a game has it, or as a family says; return what it has said, and how often."""
    always, count = always_scored(GAMES), 0
    while question := next((it for it in telling_questions(GAMES, what, CARDS) if it.answer_in(what) is None), None):
        own = _answers(game.ruleset, question.about, what, always)
        answer = options.get(question.about, own[0] if own else question.answers[0])
        what, count = question.answered(what, answer), count + 1
    return what, count


def end_of(game: Candidate) -> int | None:
    """Return the score that a game goes to; `None` where that is up to the table."""
    return game.ruleset.winning.target or game.ruleset.winning.count_down_from


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family["name"])
def test_a_family_finds_its_game_with_three_more_answers(family: dict[str, Any]) -> None:
    options = {name: answer for name, answer in family["said"].items() if name in TELLING_OPTIONS}
    first = said(**{name: answer for name, answer in family["said"].items() if name not in options})
    game = next(game for game in GAMES if game.ruleset.id == family["variant"])

    what, count = answering(first, game, options)

    assert count <= 3
    fit = fits(what)[0]
    assert (fit.game.ruleset.id, dict(fit.house)) == (family["variant"], family["house"])


@pytest.mark.parametrize(
    "game", [it for it in GAMES if end_of(it) and it.ruleset.id in SOUGHT], ids=lambda game: game.ruleset.id
)
def test_a_game_that_goes_to_a_score_is_among_the_first_for_who_says_all_of_it(game: Candidate) -> None:
    ruleset = game.ruleset
    cards = {plain_name(ruleset.kinds[award_id]) for award_id in ruleset.in_play}
    for players in ruleset.table.player_counts:
        what, count = answering(said(players=players, cards=cards, target=end_of(game)), game, {})

        first = equal_fits(fits(what), what) or fits(what)[:3]
        assert game in [fit.game for fit in first]
        assert len(first) <= 9
        assert count <= 4


def test_ten_points_to_52_asks_what_else_scores_and_then_what_a_made_bid_does() -> None:
    what = said(players=4, cards=TEN_POINTS, target=52)
    questions = [*telling_questions(GAMES, what, CARDS)]
    assert [question.about for question in questions] == ["also"]

    nothing = questions[0].answered(what, frozenset())

    assert [it.about for it in telling_questions(GAMES, nothing, CARDS)] == ["also", "score_on_made"]


def test_what_is_found_out_too_late_is_asked_where_only_one_game_fits() -> None:
    what = {"players": 4, "cards": {"Off Ace", "Jokers"}, "target": 52}

    assert best(**what).is_exact
    assert asked(**what) == ["score_on_made"]


def test_nothing_is_asked_where_the_games_agree() -> None:
    assert asked(players=4, cards={"King", "Three"}, target=152) == []


def test_nothing_more_is_asked_before_cards_or_points_are_said() -> None:
    assert asked(players=4) == []


def test_a_game_with_changed_options_fits() -> None:
    fit = best(players=4, seating="partners", cards=FOUR_POINTS | {"King"}, target=21)

    assert fit.is_fit
    assert not fit.is_exact
    assert fit.changes == ("with the King",)


def test_what_was_changed_is_named_and_nothing_is_taken_out() -> None:
    colorado = next(
        fit
        for fit in fits(said(players=4, cards=TEN_POINTS - {"Ten"} | {"Game"}, target=52))
        if fit.game.ruleset.id == "colorado-ten-point"
    )

    assert colorado.changes == ("with the Game", "to 52 instead of 42")
    assert colorado.house == {"game": True, "target": 52}


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


@every_ruleset
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
    [*telling_questions(GAMES, what, CARDS)]


def test_what_else_scores_in_a_game_is_named_in_the_usual_order_of_cards() -> None:
    more = {fit.game.ruleset.id: fit.misfits for fit in fits(said(cards=["Five"], also=frozenset()))}

    assert more["king-pedro-sixty-two"] == ("also Ten, Off Five, King and Nine",)
