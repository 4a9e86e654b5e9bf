"""The other readings of a hand, as the table tells it: what if, what comes of it, who wins, who agreed on what."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from scorekeeper.pitch.compare.alternatives import Effect, OtherReading, Ruling, rule_on
from scorekeeper.pitch.compare.sentences import (
    agreement_sentence,
    bid_sentence,
    came_out_words,
    condition_words,
    ending_rule,
    ending_words,
    money_words,
    readings_in_short,
    reason_words,
    same_in_all_sentence,
    undecided_lines,
    undecided_sentence,
    winner_words,
)
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.questions import DISPUTED, possible_answers
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.budget import Budget
from scorekeeper.pitch.scoring.hand import Hand
from scorekeeper.pitch.scoring.match import MatchState, Start, open_match, play, replay
from scorekeeper.pitch.scoring.seats import Seats, seat
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES
from tests.common.library import LIBRARY, every_ruleset
from tests.common.notation import hand
from tests.common.pace import counted_calls
from tests.pitch.scoring.strategies import matches

US = ("Us", "Them")


def ruled(
    variant: str,
    told: str,
    names: Sequence[str] = US,
    *,
    scores: Sequence[int] = (),
    played: int = 0,
    earlier: Sequence[str] = (),
    **house: Any,
) -> Ruling:
    """Settle one hand at these scores, after `earlier` ones."""
    base = LIBRARY[variant]
    ruleset, faults = with_house(base, house)
    assert not faults
    are_sides = names == US
    seats, problems = seat(ruleset, None if are_sides else names, [(name, ()) for name in names] if are_sides else None)
    assert seats, problems
    before = open_match(ruleset, seats, Start(dict(zip(seats.ids, scores, strict=False)), played))
    ids = [*seats.players, *seats.ids]
    before = replay(before, [hand(it, ruleset, ids) for it in earlier])
    return rule_on(before, hand(told, ruleset, ids), base, house)


def readings(ruling: Ruling) -> list[str]:
    """Return each reading in a line."""
    names = IDS_AS_NAMES
    return [
        f"{condition_words(it)}: {came_out_words(ruling, it, names)}; {winner_words(ruling, it, names)}"
        for it in ruling.others
    ]


COLORADO, PARTNERS = "colorado-ten-point", "partnership-pitch"
MADE = "Us bid 6 | Us ace trey ten off-jack | Them the rest"


def test_a_match_that_was_over_by_its_hands_names_who_had_won() -> None:
    told = "Us bid 2 | Us high low | Them jack game"
    ruling = ruled(PARTNERS, told, scores=(20, 20), played=1, length="hands", hands=1, tie_rule="another_hand")

    before = "If a tie were shared: Us had 20 and Them had 20 before this hand; Us and Them win"
    assert before in readings(ruling)


UNCHANGED = "Other tables play these. None of these was changed at your table."


def test_what_would_change_the_winner_comes_first() -> None:
    ruling = ruled(COLORADO, MADE, scores=(37, 40))

    assert readings(ruling) == [
        "If the higher score won: 44 beats 43; Them win",
        "If both at 42 meant one more hand: 43 and 44, play another hand; nobody yet",
        "If the points counted in Ace, Jack … Deuce order: first to 42; Them win",
        "If the Off Jack did not count: Us took 5 of 6: set, 31 to 44; Them win",
        "If the Ten did not count: Us took 5 of 6: set, 31 to 44; Them win",
        "If the Trey did not count: Us took 3 of 6: set, 31 to 44; Them win",
    ]
    assert agreement_sentence(ruling) == UNCHANGED


def test_what_might_change_the_winner_comes_next_and_then_the_score() -> None:
    ruling = ruled(COLORADO, "Us bid 6 | Us ace trey ten | Them the rest", scores=(37, 35))

    assert readings(ruling) == [
        "If the Deuce went to whoever won the trick: needs to know who won the trick with the Deuce; not known",
        "If the Off Jack did not count: 31 to 39; nobody yet",
        "If the jokers did not count: 31 to 38; nobody yet",
    ]


def test_where_only_points_were_entered_a_reading_needs_the_cards() -> None:
    ruling = ruled(COLORADO, "Us bid 6 | Us 6 points | Them 4 points", scores=(37, 40))

    assert readings(ruling) == [
        "If the higher score won: 44 beats 43; Them win",
        "If both at 42 meant one more hand: 43 and 44, play another hand; nobody yet",
        "If the points counted in Ace, Jack … Deuce order: needs the cards; not known",
        "If the Deuce went to whoever won the trick: needs the cards; not known",
        "If the Off Jack did not count: needs the cards; not known",
        "If the jokers did not count: needs the cards; not known",
    ]


def test_where_the_cards_cannot_change_the_winner_that_is_said() -> None:
    ruling = ruled(COLORADO, "Us bid 5 | Us 9 points | Them 1 points", scores=(41, 0))

    assert "If the Off Jack did not count: needs the cards; Us win either way" in readings(ruling)
    assert [it for it in ruling.others if it.effect is Effect.PERHAPS_WINNER] == []


def test_a_reading_that_changes_nothing_is_there_only_where_it_might_have_decided() -> None:
    assert readings(ruled("nine-card-pitch", "Us bid 3 | Us high jack low | Them the rest", scores=(2, 3))) == [
        "If Low went to whoever held it: needs to know who held Low; not known",
        "If the defenders did not stop at 1: −1 to 0; Us win",
        "If only a made bid won: no change; Us win",
    ]
    assert readings(ruled(PARTNERS, "Us bid 2 | Us 2 points | Them 2 points", low="held")) == [
        "If Low went to whoever won the trick: needs the cards; nobody yet"
    ]


def test_a_match_that_would_have_been_over_before_says_who_had_won() -> None:
    ruling = ruled(PARTNERS, "Us bid 3 | Us high jack game | Them low", scores=(18, 24))

    assert readings(ruling) == [
        "If whoever reached 21 first won: Them had 24 before this hand; Them win",
        "If Low went to whoever held it: needs to know who held Low; Us win either way",
    ]


def test_who_had_won_is_looked_for_from_the_first_hand_on() -> None:
    earlier = ["Them bid 2 | Them high low | Us jack game", "Us bid 2 | Us high | Them low | nobody jack game"]
    told = "Them bid 2 | Them high game | Us low jack"

    ruling = ruled("auction-pitch", told, scores=(9, 8), earlier=earlier, target=11)

    # Us are at 9 again before the last hand, and Them at 11.
    assert "If whoever reached 11 first won: Us had 11 after hand 1; Us win" in readings(ruling)
    assert readings_in_short(ruling).startswith("1 changes who has won")


def test_who_had_won_on_paper_is_told_whatever_the_hands_since_brought() -> None:
    earlier = ["A bid 3 | A high | C low | B jack game"]
    told = "B bid 2 | C high | B low game | nobody jack"

    ruling = ruled("cutthroat-pitch", told, ("A", "B", "C"), scores=(18, 20, 21), earlier=earlier)

    assert "If whoever reached 21 first won: C had 21 before hand 1; C wins" in readings(ruling)


def test_who_had_won_with_an_earlier_hand_is_told_by_its_bid_its_order_and_its_score() -> None:
    names = ("A", "B", "C", "D", "E")
    earlier = ["A bid 7 with B | bidders high jack ten low-joker | defenders the rest"]
    told = "D bid 5 with E | bidders high high-joker trey | defenders the rest"

    lines = readings(
        ruled("pawnee-call-your-partner", told, names, scores=(30, 12, 40, 39, 10), played=9, earlier=earlier)
    )

    assert "If the bidder won with several at 42: C had 46 after hand 1; C wins" in lines
    assert "If the points counted in High, Low … Trey order: C had 46 after hand 1; C wins" in lines


def test_every_point_in_an_earlier_hand_would_have_won() -> None:
    told = "Them bid 2 | Them high low game | Us jack"

    ruling = ruled("smudge", told, earlier=["Us bid 2 | Us high low jack game"], four_points_win_game=False)

    assert "If every point in one hand won the match: Us took every point of hand 1; Us wins" in readings(ruling)


def test_rules_of_winning_that_a_table_had_before_are_not_read_otherwise() -> None:
    earlier = ["Them bid 2 | Them high low jack | Us game"]
    base = LIBRARY[PARTNERS]
    ruling = ruled(PARTNERS, "Us bid 2 | Us high low | Them jack game", scores=(5, 18), earlier=earlier, target=42)
    lowered = play(ruling.before, replace(ruling.result.hand, house={"target": 21}))
    again = rule_on(lowered, hand("Us bid 2 | Us high low | Them jack game", lowered.ruleset, US), base)

    # With hand 1 they reached 21 of 42.
    assert "If whoever reached 21 first won: Them had 21 before hand 2; Them win" in readings(again)


def test_a_match_that_went_on_under_the_rules_does_not_say_so() -> None:
    told = "Us bid 2 | Us high low jack | Them game"
    ruling = ruled(PARTNERS, told, scores=(20, 25), win_rule="first_to_target", tie_rule="another_hand")

    assert readings(ruling)[0].startswith("If both at 21") is False
    assert ruling.others[0].won_before is None


def test_several_who_had_won_before_are_named_and_nobody_is_called_the_winner() -> None:
    told = "A bid 2 | A high low jack | B game"
    ruling = ruled(
        "cutthroat-pitch", told, ("A", "B", "C"), scores=(22, 23), win_rule="first_to_target", tie_rule="another_hand"
    )

    lines = readings(ruling)
    assert "If the bidder won with several at 21: A had 22 and B had 23 before this hand; not known" in lines
    assert "If the higher score won: B had 23 before this hand; B wins" in lines


@pytest.mark.parametrize(
    ("told", "house", "said"),
    [
        ("calls A 2, B pass, C pass, D 2 | D high low | A jack game", {}, "If the dealer could not steal the bid: A would have had the bid; not known"),  # noqa: E501
        ("calls A pass, B pass, C pass, D 2 | D high low | A jack game", {}, None),
        ("calls A 2, B pass, C pass, D 3 | D high low jack | A game", {}, None),
        ("all passed", {"all_pass": "redeal"}, "If the dealer was stuck when everyone passed: When everyone else passes, the dealer has to bid.; not known"),  # noqa: E501
    ],
)  # fmt: skip
def test_the_bidding_is_read_otherwise_only_where_that_forbids_it(
    told: str, house: dict[str, Any], said: str | None
) -> None:
    ruling = ruled(PARTNERS, f"D deals | {told}", ("A", "B", "C", "D"), **house)

    found = [line for line in readings(ruling) if "dealer" in line]
    assert found[:1] == ([said] if said else [])


@pytest.mark.parametrize(
    ("told", "house", "said"),
    [
        ("Us bid 3 | Us high jack low | nobody game", {}, ["If everyone tied scored Game: 4 to 1; nobody yet"]),
        ("Us bid 2 | Us high jack | Them low | Us 20 card points | Them 20 card points", {"game_tie": "all_tied_score"}, ["If nobody scored a tied Game: 2 to 1; nobody yet"]),  # noqa: E501
        ("Us bid 3 | Us high jack low | Them game", {}, []),
        ("Us bid 2 | Us high jack | Them low | Us 20 card points | Them 19 card points", {}, []),
        ("Us bid 3 | Us high jack low | nobody game", {"jokers": 1, "joker": False}, ["If everyone tied scored Game: 4 to 1; nobody yet", "If the joker won a tied Game: needs to know who won the joker; nobody yet"]),  # noqa: E501
    ],
)  # fmt: skip
def test_a_tied_game_is_read_otherwise_only_where_it_is_tied(told: str, house: dict[str, Any], said: list[str]) -> None:
    assert [line for line in readings(ruled(PARTNERS, told, **house)) if "Game" in line] == said


def test_a_moon_is_read_otherwise_where_a_point_was_burned() -> None:
    burned = ruled(COLORADO, "Us bid moon | nobody deuce | Us the rest", scores=(37, 35))
    whole = ruled(COLORADO, "Us bid moon | Us the rest", scores=(0, 35))

    assert readings(burned) == [
        "If a moon needed only the points in play: Us took 9 on a moon: made, 63 to 35; Us win",
    ]
    assert not [line for line in readings(whole) if "moon" in line]


def test_after_a_number_of_hands_only_a_tie_is_read_otherwise() -> None:
    rules: dict[str, Any] = {"length": "hands", "hands": 8}
    tied = ruled(PARTNERS, "Us bid 2 | Us high low | Them the rest", scores=(5, 5), played=7, **rules)
    won = ruled(PARTNERS, "Us bid 2 | Us high low jack | Them the rest", scores=(5, 5), played=7, **rules)

    assert "If a tie meant one more hand: 7 and 7, play another hand; nobody yet" in readings(tied)
    assert not [line for line in readings(won) if "tie" in line]


def test_what_the_table_changed_is_read_as_published_though_no_other_table_argues_about_it() -> None:
    told = "East bid 2 | East jack game | North high off-jack | West low trey | nobody high-joker low-joker"
    names = ("Ann", "Bob", "Cal", "Dee", "Eva", "Fay")
    base = LIBRARY["oklahoma-ten-point"]
    rules, faults = with_house(base, {"game_rule": "ten_of_trumps"})
    assert not faults
    sides = [("North", ("Ann", "Dee")), ("East", ("Bob", "Eva")), ("West", ("Cal", "Fay"))]
    seats, problems = seat(rules, names, sides)
    assert seats, problems
    before = open_match(rules, seats, Start({"North": 18, "East": 19, "West": 20}))

    ruling = rule_on(before, hand(told, rules, seats.ids), base)

    assert "If Game went to the most card points: needs the card points; not known" in readings(ruling)
    assert "Your table agreed: Game goes to whoever wins the ten of trumps. None of the others" in agreement_sentence(
        ruling
    )


def test_a_deal_that_was_passed_out_is_asked_for_where_it_would_have_been_played() -> None:
    told = "B deals | calls C pass, A pass, B 2 | B high game | A low | nobody jack"
    earlier = ["B deals | calls C pass, A pass, B pass"]

    ruling = ruled("solo-with-bidding", told, ("A", "B", "C"), scores=(10, 9, 4), earlier=earlier, target=11)

    said = "needs the deal before this one, which was not played; not known"
    assert f"If the dealer was stuck when everyone passed: {said}" in readings(ruling)


def test_of_many_sides_the_scores_that_change_are_named() -> None:
    told = "A bid 5 with C | bidders high trey jack | defenders the rest"
    ruling = ruled("pawnee-call-your-partner", told, ("A", "B", "C", "D", "E"))

    assert "If the jokers did not count: B 3, D 3, E 3; nobody yet" in readings(ruling)


@pytest.mark.parametrize(
    ("house", "said"),
    [
        ({}, UNCHANGED),
        ({"tie_rule": "bidder_first"}, "Other tables play these. Your table agreed on the rules as printed: If both reach 42 on the same hand, the bidding side wins, even with less. None of the others was changed."),  # noqa: E501
        ({"off_jack": True}, "Other tables play these. Your table agreed on the rules as printed: The Off Jack scores 1. None of the others was changed."),  # noqa: E501
        ({"tie_rule": "bidder_first", "off_jack": True, "ten": True, "trey": True}, "Other tables play these. Your table agreed on the rules as printed here."),  # noqa: E501
    ],
)  # fmt: skip
def test_it_says_whether_the_table_had_agreed(house: dict[str, Any], said: str) -> None:
    assert agreement_sentence(ruled(COLORADO, MADE, scores=(37, 40), **house)) == said


def test_what_nobody_reads_otherwise_is_the_same_in_all() -> None:
    ruling = ruled(PARTNERS, "Us bid 4 | Us 3 points | Them 0 points", low="held")
    lonely = ruled(PARTNERS, "misdeal")

    assert same_in_all_sentence(ruling) == "The same in all of them: 3 is less than 4."
    assert lonely.is_same_in_all
    assert same_in_all_sentence(lonely) == "The same in all of them."
    assert agreement_sentence(lonely) == ""


OPEN = "This turns on a rule that you have not agreed: "


@pytest.mark.parametrize(
    ("variant", "told", "names", "scores", "house", "said", "lines"),
    [
        ("arizona-29", "Us bid 3 | Them high low | Us the rest", US, (20, 19), {"target": 21}, f"{OPEN}Who may win?",
         ["If whoever reached 21 first won: Us win, 23 to 21", "If only a made bid won: Us win, 23 to 21"]),
        ("arizona-29", "Us bid 3 | Them high low | Us the rest", US, (3, 19), {"target": 21}, f"{OPEN}Who may win?",
         ["If whoever reached 21 first won: Them win, 6 to 21", "If only a made bid won: nobody yet, 6 to 21"]),
        ("solo-without-bidding", "A high jack | B low | C game", ("A", "B", "C"), (9, 8, 8), {},
         f"{OPEN}What score do you play to?", ["If you played to 11: A wins", "If you played to 15 or 21: nobody yet"]),
        ("catch-five", "Us bid 3 | Them high five | Us the rest", US, (3, 15), {},
         "This turns on 2 rules that you have not agreed: What score do you play to? Who may win?",
         ["If you played to 21 and whoever reached 21 first won: Them win, 6 to 21",
          "If you played to 21 and only a made bid won: nobody yet, 6 to 21",
          "If you played to 42, 52 or 62: nobody yet, 6 to 21"]),
        ("nine-card-pitch", "all passed", US, (), {}, f"{OPEN}What if everyone passes?",
         ["If the dealer was stuck when everyone passed: When everyone else passes, the dealer has to bid.",
          "If everyone could pass, and the dealer dealt again: nobody yet, 21 to 21",
          "If the dealer had to bid or go set: When everyone else passes, the dealer has to bid or go set.",
          "If everyone could pass, and the next player dealt: nobody yet, 21 to 21"]),
        ("arizona-29", "Us bid 3 | Them high low | Us the rest", US, (3, 3), {"target": 21}, "", []),
    ],
)  # fmt: skip
def test_a_ruling_that_turns_on_what_is_not_agreed_shows_every_answer(
    variant: str,
    told: str,
    names: tuple[str, ...],
    scores: tuple[int, ...],
    house: dict[str, Any],
    said: str,
    lines: list[str],
) -> None:
    ruling = ruled(variant, told, names, scores=scores, **house)

    assert undecided_sentence(ruling) == said
    assert [": ".join(line) for line in undecided_lines(ruling, IDS_AS_NAMES)] == lines
    assert not {reading.option for reading in ruling.others} & {"win_rule", "target", "all_pass"}


@pytest.mark.parametrize(
    ("variant", "told", "names", "said"),
    [
        (PARTNERS, "Us bid 3 | Us high jack game | Them low", US, "Us bid 3 and took 3: made."),
        (PARTNERS, "Us bid 4 | Us high jack game | Them low", US, "Us bid 4 and took 3: set."),
        (PARTNERS, "Us bid smudge, not every trick | Us the rest", US, "Us bid smudge, which needs all 4 points and all 6 tricks, and took 4, but not every trick: set."),  # noqa: E501
        (PARTNERS, "Us bid smudge, every trick | Us the rest", US, "Us bid smudge, which needs all 4 points and all 6 tricks, and took 4 and every trick: made."),  # noqa: E501
        (COLORADO, "Us bid moon | Us the rest", US, "Us bid moon, which needs all 10 points, and took 10: made."),
        (PARTNERS, "misdeal", US, "Misdeal: the dealer deals again."),
        ("solo-without-bidding", "A high jack | B low | C game", ("A", "B", "C"), ""),
        ("pawnee-call-your-partner", "A bid 5 with C | bidders high trey jack | defenders the rest", ("A", "B", "C", "D", "E"), "A bid 5 with C and took 5: made."),  # noqa: E501
        ("pawnee-call-your-partner", "A bid 6 alone | bidders high trey jack | defenders the rest", ("A", "B", "C", "D", "E"), "A bid 6 alone and took 5: set."),  # noqa: E501
    ],
)  # fmt: skip
def test_a_bid_says_what_it_needed_and_took(variant: str, told: str, names: tuple[str, ...], said: str) -> None:
    assert bid_sentence(ruled(variant, told, names), IDS_AS_NAMES) == said


def test_an_ending_says_who_won_or_why_nobody_has_and_the_rule() -> None:
    won, held_back, early = (
        ruled(PARTNERS, told, scores=scores)
        for told, scores in (
            ("Us bid 3 | Us high jack game | Them low", (18, 24)),
            ("Them bid 2 | Us high low | Them the rest", (20, 3)),
            ("Them bid 2 | Us high low | Them the rest", (2, 3)),
        )
    )

    assert ending_words(won.state, IDS_AS_NAMES) == "Us win, 21 to 25"
    assert ending_rule(won.state).startswith("A side wins only at the end of a hand in which its own bid was made")
    assert ending_words(held_back.state, IDS_AS_NAMES) == "Nobody yet, 22 to 5"
    assert reason_words(held_back.state, IDS_AS_NAMES).startswith(
        "Us are at 22, but did not bid this hand. Only a made"
    )
    assert reason_words(early.state, IDS_AS_NAMES).startswith("Nobody has reached 21 yet.")
    assert ending_rule(early.state).startswith("Play to 21. A side wins only")
    assert ending_words(early.state, IDS_AS_NAMES, stopped=True) == "Stopped, 4 to 5"


def test_of_many_sides_an_ending_has_the_score_of_the_winner() -> None:
    told, names = "A bid 2 | A high low | B jack | C game", ("A", "B", "C")

    assert (
        ending_words(ruled("cutthroat-pitch", told, names, scores=(19, 3, 4)).state, IDS_AS_NAMES) == "A wins with 21"
    )
    assert ending_words(ruled("cutthroat-pitch", told, names).state, IDS_AS_NAMES) == "Nobody yet"


def test_in_a_game_for_money_it_says_who_pays() -> None:
    ruling = ruled("racehorse", "A bid 3 | A high jack game | B low", ("A", "B", "C"), cents_per_point=10)

    assert money_words(ruling, IDS_AS_NAMES) == "For this hand A gets 60 cents, B pays 30 cents, C pays 30 cents."


@given(matches())
def test_every_hand_of_every_table_is_settled_in_words(match: tuple[MatchState, tuple[Hand, ...]]) -> None:
    state, names = match[0], IDS_AS_NAMES
    for played in match[1]:
        ruling = rule_on(state, played, LIBRARY[state.ruleset.id])
        state = play(state, played)

        assert ruling.state == state
        assert all(": ;" not in line and "; ;" not in line and line[-1] != " " for line in readings(ruling))
        assert all(all(line) for line in undecided_lines(ruling, names))
        assert ending_words(state, names)
        assert reason_words(state, names)
        assert bid_sentence(ruling, names) or not state.ruleset.bidding.auction


PLAYED = frozenset(name for name, option in options().items() if option.group in ("play", "money"))


@every_ruleset
def test_every_option_that_tables_argue_about_has_words_of_its_own(ruleset: Ruleset) -> None:
    before = open_match(ruleset, some_seats(ruleset))
    for name in {*ruleset.sheet.argued, *DISPUTED} - PLAYED:
        is_award = name in ruleset.awards
        for answer in ("2",) if is_award else possible_answers(ruleset, name):
            house = {name: 2 if is_award else options()[name].read(answer)}
            changed = with_house(ruleset, house)[0]
            reading = OtherReading(house=house, ruleset=changed, effect=Effect.NOTHING, possible=(before,))
            said = condition_words(reading)

            assert said.startswith("If ")
            assert not set(said) & set("“{}")


def some_seats(ruleset: Ruleset) -> Seats:
    seats, faults = seat(ruleset, "ABCDEFGH"[: ruleset.table.player_counts[0]], None)
    assert seats, faults
    return seats


@pytest.mark.parametrize("told", [MADE, "Us bid 6 | Us 6 points | Them 4 points"])
def test_readings_cost_little(told: str) -> None:
    ruling = ruled(COLORADO, told, scores=(37, 40))

    with counted_calls() as count:
        rule_on(ruling.before, ruling.result.hand, LIBRARY[COLORADO])

    assert count.calls < 30_000


EIGHT = ("Ann", "Bob", "Cal", "Dot", "Eve", "Fay", "Gus", "Hal")


@pytest.mark.parametrize(
    ("variant", "told", "names", "scores", "house"),
    [
        # Game is tied among any of eight, of whom nobody wins by it, or one does.
        (
            "solo-with-bidding",
            "Dot bid 2 | Eve high | Hal low | Cal jack | nobody game",
            EIGHT,
            (41, 41, 41, 41, 41, 40, 40, 41),
            {"target": 42},
        ),
        (
            "cutthroat-pitch",
            "Cal bid 2 | Bob high | Eve low | Cal jack | nobody game",
            EIGHT,
            (17, 19, 20, 25, 20, 20, 22, 25),
            {},
        ),
        # Another deuce is in many sums of points.
        (
            "smear-five-point",
            "Gus bid 3 | Gus 3 points | Ann 0 points | Bob 0 points | Cal 1 points | Dot 0 points | Eve 2 points"
            " | Fay 1 points",
            EIGHT[:7],
            (0, 0, 10, 14, 10, 10, 0),
            {"deuce": 2},
        ),
        # Who was first there has to be told, whatever the reading.
        (
            "tunkhannock-fourteen-point",
            "Ann bid 6 | Ann 2 points | Bob 1 points | Cal 5 points | Dot 5 points",
            EIGHT[:4],
            (4, 4, 4, 4),
            {"target": 5, "tie_rule": "bidder_then_point_order"},
        ),
    ],
)
def test_a_hand_that_may_have_been_many_is_played_only_while_that_tells_more(
    variant: str,
    told: str,
    names: Sequence[str],
    scores: Sequence[int],
    house: dict[str, Any],
) -> None:
    ruling, budget = ruled(variant, told, names, scores=scores, **house), Budget()

    with counted_calls() as count:
        rule_on(ruling.before, ruling.result.hand, LIBRARY[variant], house, budget=budget)

    assert budget.spent < 6000
    assert count.calls < 90_000


@pytest.mark.parametrize(
    ("variant", "told", "scores", "said"),
    [
        (
            PARTNERS,
            "Us bid 2 | Us high low | Them jack game",
            (19, 19),
            "1 does not change who has won, 1 needs who held Low",
        ),
        (PARTNERS, "Us bid 2 | Us high low | Them jack game", (17, 19), "1 ends the match, 1 does not"),
        (
            PARTNERS,
            "Us bid 2 | Us 2 points | Them 2 points",
            (19, 19),
            "1 does not change who has won, 1 needs the cards",
        ),
        (COLORADO, MADE, (37, 40), "5 change who has won, 1 plays on"),
        (PARTNERS, "Us bid 4 | Us high low jack | Them game", (20, 20), "1 ends the match, 1 does not"),
    ],
)
def test_other_readings_are_counted_in_one_line(variant: str, told: str, scores: tuple[int, int], said: str) -> None:
    assert readings_in_short(ruled(variant, told, scores=scores)) == said


def test_a_reading_under_which_the_bid_could_not_be_is_counted_apart() -> None:
    told = "C deals | calls A pass, B 2, C 2 | C high low | A jack game"
    ruling = ruled("cutthroat-pitch", told, ("A", "B", "C"), scores=(10, 10, 19))

    assert readings_in_short(ruling) == "1 does not change who has won, 1 needs who held Low, 1 does not allow the bid"


def test_what_a_hand_needs_that_was_over_before_it_was_played() -> None:
    ruling = ruled("trinidad-all-fours", "Us turned-ace", scores=(13, 13))

    said = readings(ruling)

    assert "If the Turned Ace did not count: needs the hand, which was not played; not known" in said
    assert not [line for line in said if "defenders" in line]


def test_a_moon_asks_whether_it_needs_only_the_points_in_play() -> None:
    ruling = ruled("colorado-thirteen-point", "Us bid moon | nobody ten | Us the rest", scores=(0, 0))

    assert [it for it in readings(ruling) if it.startswith("If a moon needed only the points in play: Us took ")]
