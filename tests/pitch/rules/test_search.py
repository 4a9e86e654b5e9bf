"""A family finds its game by the name it knows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.pitch.rules.finder import Candidate, Found, read_search, scoring_cards, search
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.library import LIBRARY, every_ruleset
from tests.pitch.rules.random_house_rules import RULESETS

GAMES = [Candidate(ruleset=ruleset, listing=LIBRARY.listings[ruleset.id]) for ruleset in LIBRARY]
CARDS = scoring_cards(GAMES)


def searched(text: str) -> Found:
    return search(GAMES, read_search(text, LIBRARY.phrasebook, GAMES), CARDS, usual_players=4)


def ids(name: str) -> list[str]:
    found = search(GAMES, read_search(name, LIBRARY.phrasebook, GAMES), CARDS)
    return [fit.game.ruleset.id for fit in found.fits]


@every_ruleset
def test_a_game_is_found_by_any_of_its_names(ruleset: Ruleset) -> None:
    assert [name for name in ruleset.also if ruleset.id not in ids(name)] == []


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Set Back", {"partnership-pitch", "five-point-set-back"}),
        ("high-low-jack", {"partnership-pitch"}),
        ("smear-like", {"minnesota-smear"}),
        ("63", {"sixty-three"}),
        ("piedro", {"pedro-seventeen"}),
        ("new brunswick", {"sixty-three"}),
        ("ten-point smear", {"minnesota-smear"}),
        ("five handed schmier", {"schmier-for-five"}),
        ("auction pitch with joker", {"pitch-with-joker"}),
        ("callie jacks", {"california-jack"}),
        ("all foes", {"trinidad-all-fours"}),
        ("minisota", {"minnesota-smear"}),
        ("the canadian one with 2 jokers", {"canadian-smear"}),
        ("10 point pitch", {"colorado-ten-point", "oklahoma-ten-point", "charbonneau-ten-point"}),
    ],
)
def test_a_name_is_found_however_it_is_spelled_and_whatever_stands_beside_it(name: str, found: set[str]) -> None:
    assert found <= set(ids(name))
    assert len(ids(name)) < len(RULESETS) / 2


@every_ruleset
def test_every_game_is_found_first_by_its_own_name(ruleset: Ruleset) -> None:
    assert ruleset.id in ids(ruleset.name)[:3]


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


@pytest.mark.parametrize("slang", ["joker", "shoot the moon"])
def test_slang_finds_no_game_without_what_it_names(slang: str) -> None:
    assert "partnership-pitch" not in ids(slang)


def test_a_card_finds_the_games_that_have_it_before_those_that_can_be_set_to() -> None:
    found = ids("jick")

    assert found.index("smear-five-point") < found.index("partnership-pitch")


def test_a_name_comes_before_other_names_and_those_before_slang() -> None:
    found = ids("set back")

    assert found[:3] == ["five-point-set-back", "setback-bernsrite", "setback-for-two"]
    assert found[3] == "partnership-pitch"


def test_words_of_play_never_empty_the_list_of_a_name() -> None:
    assert "hoyle-auction-pitch" in ids("setback 3 people to 7, the dealer can steal")


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("smear, 3 against 3", "st-paul-schmier"),
        ("10 point pitch, 4, 52", "charbonneau-ten-point"),
        ("our family plays pitch, two cousins of mine", "partnership-pitch"),
    ],
)
def test_numbers_are_of_what_stands_beside_them(text: str, game: str) -> None:
    assert ids(text)[0] == game


def test_words_that_mean_nothing_leave_the_games_of_the_others() -> None:
    plain, wordy = searched("setback to 15"), searched("our friday setback with aunt zelda to 15 yes")

    assert [fit.game.ruleset.id for fit in wordy.fits] == [fit.game.ruleset.id for fit in plain.fits]
    assert wordy.described == plain.described


@pytest.mark.parametrize(
    ("text", "house"),
    [
        ("eight point colorado", {"jokers": 0}),
        ("colorado ten point, no jokers", {"jokers": 0}),
        ("colorado ten point without the off jack", {"off_jack": False}),
        ("colorado ten point without the trey to 21", {"trey": False, "target": 21}),
        ("colorado ten point, only a made bid wins", {"win_rule": "made_bid"}),
    ],
)
def test_a_game_less_a_card_or_won_otherwise_is_that_game_with_the_house_rule_set(
    text: str, house: dict[str, object]
) -> None:
    best = searched(text).fits[0]

    assert (best.game.ruleset.id, dict(best.house)) == ("colorado-ten-point", house)


@pytest.mark.parametrize(
    ("text", "players", "target", "options"),
    [
        ("10 point pitch 52 partners must bid out", None, 52, {"win_rule": "made_bid"}),
        ("pitch, 4 of us, bidder has to make it to win, 15 is enough", 4, 15, {"win_rule": "made_bid"}),
        ("cutthroat 3", 3, None, {}),
        ("pedro 500", None, 500, {}),
    ],
)
def test_a_number_alone_is_what_wins_and_a_small_one_who_plays(
    text: str, players: int | None, target: int | None, options: dict[str, str]
) -> None:
    found = searched(text)

    assert (found.described.players, found.described.target, found.described.options) == (players, target, options)
    assert found.fits


@pytest.mark.parametrize(
    ("text", "players", "seating"),
    [
        ("me and two buddies, pitch", 3, ""),
        ("setback, me & the wife", 2, ""),
        ("just the two of us", 2, ""),
        ("my wife and I and another couple", 4, ""),
        ("us and the neighbors", 4, ""),
        ("six of us, boys against girls", 6, "teams"),
        ("3 against 3", 6, "teams"),
        ("2v2v2", 6, "pairs"),
        ("two teams of three", 6, "teams"),
        ("four ppl, nobody has a partner", 4, "alone"),
        ("we are three couples", 6, "pairs"),
        ("ten point, six players, 3 teams", 6, "pairs"),
        ("five handed, call ur partner", 5, "called"),
    ],
)
def test_people_and_sides_are_counted_as_a_table_names_them(text: str, players: int, seating: str) -> None:
    described = searched(text).described

    assert (described.players, described.seating or "") == (players, seating)


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("the five of trumps is worth 5", {"Five": 5}),
        ("with the trey counting three points", {"Three": 3}),
        ("two kings 25 each", {"King": 25}),
        ("pedro to 62", {}),
    ],
)
def test_a_number_after_a_card_is_what_that_card_counts(text: str, worth: dict[str, int]) -> None:
    described = searched(text).described

    assert (described.worth, described.points, described.players) == (worth, None, None)


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("oklahoma, five of us, call your partner", {"pawnee-call-your-partner", "razzle-dazzle"}),
        ("ten point pitch with both jokers, 43 cards", {"colorado-ten-point", "oklahoma-ten-point"}),
        ("pidro, the trey is 59", {"pidro"}),
    ],
)
def test_a_word_that_may_mean_something_else_is_left_out_where_it_would_leave_no_game(
    text: str, games: set[str]
) -> None:
    assert games <= set(ids(text))


@pytest.mark.parametrize(
    ("text", "game", "target"),
    [("setback 21 pts", "setback-bernsrite", 21), ("pitch, 25 points", "partnership-pitch", 25)],
)
def test_points_that_no_game_of_that_name_has_are_those_that_win(text: str, game: str, target: int) -> None:
    best = searched(text).fits[0]

    assert (best.game.ruleset.id, best.house["target"]) == (game, target)


def test_a_limit_of_bids_is_not_that_nobody_bids() -> None:
    assert not searched("setback, no bids over 4").described.without_bids


def test_a_card_is_left_out_only_for_points_that_no_game_has() -> None:
    assert all("without" not in fit.differences for fit in searched("nine point pitch").fits)


@pytest.mark.parametrize(
    ("text", "nearest", "differences"),
    [
        ("king pedro for three", "king-pedro", "4 players"),
        ("eighteen point pitch to 62", "pedro-seventeen", "seventeen points a hand"),
        ("five point setback, 3 handed", "five-point-set-back", "4 players"),
    ],
)
def test_where_no_game_fits_the_nearest_says_how_it_contradicts(text: str, nearest: str, differences: str) -> None:
    found = searched(text)

    assert found.fits == ()
    assert (found.nearest[0].game.ruleset.id, found.nearest[0].differences) == (nearest, differences)


def test_slang_names_awards_and_options_that_there_are() -> None:
    for game in GAMES:
        assert set(game.listing.slang) <= {*game.ruleset.awards, *options(), "ranks"}


@given(st.text())
def test_any_search_returns_rulesets(name: str) -> None:
    assert set(ids(name)) <= set(LIBRARY.rulesets)


def test_what_tables_type_is_about_something_that_there_is() -> None:
    parts = {
        "players",
        "sides",
        "couples",
        "against",
        "each",
        "points",
        "target",
        "partners",
        "pairs",
        "alone",
        "called",
        "with",
        "without",
        "without_bids",
        "ignored",
        "worth",
        "cards",
    }
    for kind in LIBRARY.shared.query.keys() - parts:
        name, _, answer = kind.partition(".")
        option = options()[name]
        assert answer in option.choices if answer else option.lowest is not None
