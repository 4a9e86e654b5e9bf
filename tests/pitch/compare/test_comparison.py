"""A match scored again under other rules: who wins then, since which hand it differs, and what decides that."""

from typing import Any

import pytest

from scorekeeper.pitch.compare.alternatives import alternatives, changing_alternatives
from scorekeeper.pitch.compare.comparison import Comparison, KnownAnswers, PlayedMatch, compare
from scorekeeper.pitch.compare.sentences import alternative_sentence, comparison_heading, comparison_sentence
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES
from tests.common.library import LIBRARY
from tests.pitch.compare.matches_again import played
from tests.pitch.scoring.tables import US_AND_THEM, four

TEN = "ace jack off_jack high_joker low_joker ten trey deuce".split()
US_TOOK = ("Us", "Us", "Us", "Them")
HAND = {"bidder": "Us", "bid": 2, "taken": four(*US_TOOK)}


def ten(bidder: str, bid: int | str, us: str, nobody: str = "", **more: Any) -> dict[str, Any]:
    """Return a hand of Colorado Ten Point with what we took; they took the rest."""
    taken = {it: "Us" if it in us.split() else None if it in nobody.split() else "Them" for it in TEN}
    return {"bidder": bidder, "bid": bid, "taken": taken, **more}


def match(variant: str, *hands: dict[str, Any], **record: Any) -> PlayedMatch:
    if not record.keys() & {"players", "sides"}:
        record["sides"] = US_AND_THEM
    needs_second = any(hand.keys() & {"penalties", "sits_in"} for hand in hands)
    return played({"format": f"pitch-record/{1 + needs_second}", "variant": variant, "hands": list(hands), **record})


def house(match: PlayedMatch, **answers: Any) -> Ruleset:
    other, faults = with_house(match.rules, answers)
    assert not faults
    return other


def again(match: PlayedMatch, known: KnownAnswers | None = None, **answers: Any) -> Comparison:
    return compare(match, house(match, **answers), known=known)


def asked(again: Comparison) -> str:
    question = again.question
    return f"{question.key[0]}: {question.ask} {', '.join(it.label for it in question.choices)}" if question else ""


def scores(again: Comparison) -> dict[str, list[int]]:
    """Return every score that each side may have at the end."""
    return {side: sorted({end.scores[side] for end in again.ends}) for side in again.ends[0].scores}


def heading(again: Comparison) -> str:
    return comparison_heading(again, IDS_AS_NAMES)


def why(again: Comparison) -> str:
    return comparison_sentence(again, IDS_AS_NAMES)


@pytest.fixture(scope="module")
def thursday() -> PlayedMatch:
    """Return the match at Grandma's: ten hands, the sixth by points alone."""
    sides = [{"name": "Us", "players": ["Ann", "Cal"]}, {"name": "Them", "players": ["Bea", "Dan"]}]
    nearly_all = "ace jack off_jack high_joker low_joker ten trey"
    return match(
        "colorado-ten-point",
        ten("Ann", 5, "ace jack high_joker low_joker ten", nobody="off_jack"),
        ten("Bea", 6, "ace jack", nobody="off_jack"),
        ten("Ann", 7, "ace jack off_jack high_joker trey"),
        ten("Bea", 6, "ace jack deuce"),
        ten("Cal", 6, "ace jack off_jack high_joker ten"),
        {"bidder": "Dan", "bid": 5, "points": {"Us": 2, "Them": 8}},
        ten("Ann", 8, nearly_all),
        ten("Cal", 5, "ace jack off_jack trey"),
        ten("Ann", 8, nearly_all),
        ten("Cal", 6, "ace jack off_jack trey"),
        sides=sides,
    )


def test_who_wins_either_way_is_known_though_the_scores_are_not(thursday: PlayedMatch) -> None:
    without = again(thursday, off_jack=False)

    assert without.changes == ("Nobody scores the Off Jack.",)
    assert (without.winners, without.changes_winner, without.question) == (("Them",), True, None)
    assert (heading(without), why(without)) == ("Them would win", "Them would win, whatever was not written down.")
    assert scores(without) == {"Us": [13, 14], "Them": [42, 43]}
    assert (without.since, without.first_difference) == (3, "Ann took 7, and one was the Off Jack: 6 of 7, set.")


def test_only_what_decides_the_winner_is_asked(thursday: PlayedMatch) -> None:
    open_match = again(thursday, off_jack=False, target=43)

    assert (open_match.winners, heading(open_match)) == (None, "It depends")
    assert open_match.question
    assert (open_match.question.key, open_match.question.lead) == ((6, "off_jack"), "Hand 6 has points only.")
    # All ten points were counted, so somebody took it.
    assert asked(open_match) == "6: Who took the Off Jack? Us, Them"

    ours = again(thursday, {open_match.question.key: ("Us",)}, off_jack=False, target=43)
    theirs = again(thursday, {open_match.question.key: ("Them",)}, off_jack=False, target=43)

    assert (ours.question, ours.winners, scores(ours)) == (None, ("Them",), {"Us": [13], "Them": [43]})
    assert (theirs.question, theirs.winners, heading(theirs)) == (None, (), "Nobody would have won yet")


@pytest.mark.parametrize("answer", [("Zoe",), ("Us", "Them"), "Us"])
def test_an_answer_that_cannot_be_changes_nothing(thursday: PlayedMatch, answer: Any) -> None:
    known = {(6, "off_jack"): answer, (99, "moon"): ("Us",)}

    assert scores(again(thursday, known, off_jack=False)) == scores(again(thursday, off_jack=False))


def test_a_bid_that_nobody_can_make_is_as_far_as_it_goes(thursday: PlayedMatch) -> None:
    lower = again(thursday, max_bid=7)

    assert (lower.winners, lower.state, lower.changes_winner, heading(lower)) == (None, None, None, "Not known")
    assert why(lower) == "Can’t go on past hand 7: 8 is too high: the highest number is 7."


def test_there_is_no_moon() -> None:
    moon = ten("Us", "moon", "ace jack off_jack high_joker low_joker ten trey deuce")

    assert why(again(match("colorado-ten-point", moon), moon="off")) == ("Can’t go on past hand 1: there is no moon.")


def test_the_other_match_is_over_sooner(thursday: PlayedMatch) -> None:
    sooner = again(thursday, target=30)

    assert sooner.state
    assert (sooner.since, len(sooner.state.results), sooner.winners) == (6, 6, ("Them",))
    assert why(sooner) == "Them bid 5, made it and have 34."


def test_the_other_match_goes_on_past_the_end() -> None:
    longer = again(match("partnership-pitch", *[HAND] * 5, house={"target": 7}), target=12)

    assert longer.state
    assert (longer.since, len(longer.state.results), longer.state.scores) == (3, 4, {"Us": 12, "Them": 4})


def test_a_made_bid_that_scores_otherwise_says_so() -> None:
    only_the_bid = again(match("partnership-pitch", HAND), score_on_made="bid")

    assert only_the_bid.first_difference == "Us bid 2, took 3, made: Us +2, not +3."


def test_a_point_for_something_that_nobody_wrote_down_is_asked_where_it_decides() -> None:
    hand = {"bidder": "Us", "bid": 3, "taken": four(*US_TOOK)}

    early, late = (match("partnership-pitch", hand, start={"scores": {"Us": at, "Them": 0}}) for at in (0, 17))

    assert scores(again(early, joker=1)) == {"Us": [3, 4], "Them": [1, 2]}
    assert asked(again(early, joker=1)) == ""
    assert asked(again(late, joker=1)) == "1: Who took the Joker? Us, Them, nobody"
    assert again(late, {(1, "joker"): ("Us",)}, joker=1).winners == ("Us",)


def test_who_held_a_card_is_not_who_won_it() -> None:
    close = match("partnership-pitch", HAND, start={"scores": {"Us": 18, "Them": 0}}, house={"low": "captured"})

    assert asked(again(close, low="held")) == "1: Who held Low? Us, Them"


@pytest.mark.parametrize(
    ("own", "other", "game", "question"),
    [
        ("nobody", "all_tied_score", None, ""),
        ("nobody", "joker_breaks", None, "1: Who scores Game? Us, Them, nobody"),
        ("nobody", "joker_breaks", "Us", ""),
        ("joker_breaks", "nobody", "Us", "1: Who had the most card points? Us, tied"),
        ("joker_breaks", "nobody", None, ""),
        ("joker_breaks", "all_tied_score", "Them", "1: Who had the most card points? Them, tied"),
    ],
)
def test_a_tie_is_asked_for_where_the_rules_of_ties_differ(
    own: str, other: str, game: str | None, question: str
) -> None:
    hand = {"bidder": "Us", "bid": 2, "taken": four("Us", "Us", "Them", game)}
    record: dict[str, Any] = {"house": {"jokers": 1, "joker": False, "game_tie": own}}
    joker = match("partnership-pitch", hand, start={"scores": {"Us": 18, "Them": 0}}, **record)

    assert asked(again(joker, game_tie=other)) == question


def test_where_the_card_points_are_tied_only_the_joker_is_asked_for() -> None:
    hand = {"bidder": "Us", "bid": 2, "taken": {"high": "Us", "low": "Us", "jack": "Us"}}
    tied = match(
        "partnership-pitch",
        {**hand, "card_points": {"Us": 40, "Them": 40}},
        start={"scores": {"Us": 17, "Them": 0}},
        house={"jokers": 1, "joker": False},
    )

    assert asked(again(tied, game_tie="joker_breaks")) == "1: Game is tied: who won a joker? Us, Them, nobody"
    assert asked(again(tied, game_tie="all_tied_score")) == ""


def test_whoever_took_the_joker_breaks_the_tie_without_being_asked_for() -> None:
    taken = {**four("Us", "Us", "Them", None), "joker": "Them"}
    tied = match("partnership-pitch", {"bidder": "Us", "bid": 2, "taken": taken}, house={"joker": 1})

    assert again(tied, game_tie="joker_breaks").first_difference == "Them took 2, and Game adds 1: 3."


def test_every_trick_is_asked_for_where_a_moon_needs_it() -> None:
    moon = ten("Us", "moon", "ace jack off_jack high_joker low_joker ten trey deuce")
    close = match("colorado-ten-point", moon, start={"scores": {"Us": 20, "Them": 0}})

    tricks = again(close, moon_needs="points_and_tricks")

    assert asked(tricks) == "1: Did the bidding side take every trick? yes, no"
    assert scores(tricks)["Us"] == [-6, 46]


def test_points_in_order_are_asked_for_where_they_decide() -> None:
    start = {"scores": {"Us": 9, "Them": 9}}
    hand = {"bidder": "Us", "bid": 2, "points": {"Us": 2, "Them": 2}}
    close = match("partnership-pitch", hand, start=start, house={"target": 11, "win_rule": "first_to_target"})

    in_order = again(close, tie_rule="point_order")

    assert heading(in_order) == "It depends"
    assert asked(in_order) == "1: Who held High? Us, Them"
    known = {(1, "high"): ("Us",), (1, "low"): ("Us",), (1, "jack"): ("Them",), (1, "game"): ("Them",)}
    assert again(close, known, tie_rule="point_order").winners == ("Us",)


def test_a_rule_that_changed_in_the_match_changes_here_as_well() -> None:
    changed = match("partnership-pitch", HAND, {**HAND, "house": {"target": 9}}, HAND, HAND)

    assert scores(again(changed, score_on_made="bid")) == {"Us": [8], "Them": [4]}
    assert again(changed, target=12).state
    early = again(changed, jack=3).state
    assert early
    assert len(early.results) == 2


def test_a_rule_that_is_asked_for_holds_all_the_way() -> None:
    changed = match("partnership-pitch", HAND, {**HAND, "house": {"target": 9}}, HAND, HAND)
    as_asked = compare(changed, changed.rules, answers={"target": changed.rules.winning.target})

    assert as_asked.state
    assert (as_asked.winners, len(as_asked.state.results)) == ((), 4)


def test_a_change_that_does_not_fit_the_other_rules_is_as_far_as_it_goes() -> None:
    changed = match("partnership-pitch", HAND, {**HAND, "house": {"game_tie": "all_tied_score"}})

    assert why(again(changed, game=False)).startswith("Can’t go on past hand 2: ")


def test_paper_is_carried_over() -> None:
    paper = match("partnership-pitch", HAND, start={"scores": {"Us": 10, "Them": 7}, "hands": 4})

    assert scores(again(paper, score_on_made="bid")) == {"Us": [12], "Them": [8]}
    assert again(paper, set_limit=3).notes == (
        "Sets from before the first hand are not counted: nobody wrote them down.",
    )
    assert why(again(paper, count_down_from=21)) == (
        "The scores from paper count from another start, so they can’t be carried over."
    )


def test_a_match_that_was_over_before_its_first_hand_says_who_had_won() -> None:
    start = {"scores": {"Us": 18, "Them": 24}}
    over = again(match("partnership-pitch", HAND, start=start), win_rule="first_to_target")

    assert (over.since, over.winners, why(over)) == (0, ("Them",), "Them had 24 before the first hand.")


def test_several_who_had_won_before_leave_the_winner_open() -> None:
    names = {"players": ["A", "B", "C"], "start": {"scores": {"A": 22, "B": 23}}}
    hand = {"bidder": "A", "bid": 2, "taken": four("A", "A", "A", "B")}
    rules = {"win_rule": "first_to_target", "tie_rule": "another_hand"}
    over = again(match("cutthroat-pitch", hand, house=rules, **names), tie_rule="bidder_first")

    assert (over.since, over.winners, heading(over)) == (0, None, "Not known")
    assert why(over) == "The match was over before the first hand, and the scores do not say who had won."


def test_counting_down_differs_from_the_start() -> None:
    down = again(match("partnership-pitch", HAND), count_down_from=21)

    assert (down.since, scores(down)) == (0, {"Us": [18], "Them": [20]})


def test_misdeals_penalties_and_whoever_sits_in_stay_as_they_were() -> None:
    hand = {"bidder": "Ann", "bid": 2, "taken": four("Ann", "Bea", "Ann", "Ann")}
    names = {"players": ["Ann", "Bea", "Cal", "Dan"]}
    hands: list[dict[str, Any]] = [
        {"thrown_in": "misdeal", "penalties": {"Bea": 2}},
        hand,
        {**hand, "sits_in": {"Ann": "Eva"}, "bidder": "Eva", "taken": four("Eva", "Eva", "Eva", "Eva")},
    ]
    other = again(match("cutthroat-pitch", *hands, **names), jack=2)

    assert other.first_difference == "Ann took 3, and the Jack adds 1: 4 of 2, made."
    assert scores(other) == {"Ann": [9], "Bea": [-1], "Cal": [0], "Dan": [0]}


def test_a_called_partner_counts_with_the_bidder() -> None:
    players = ["Ann", "Bo", "Cleo", "Dan", "Eve"]
    taken = dict.fromkeys(("high", "low", "jack", "off_jack", "high_joker", "low_joker", "trey", "ten"), "defenders")
    hand = {"bidder": "Ann", "bid": 7, "partner": "Cleo", "taken": taken}
    spared = again(match("pawnee-call-your-partner", hand, players=players), partner_set_too=False)

    assert scores(spared) == {"Ann": [-7], "Bo": [10], "Cleo": [0], "Dan": [10], "Eve": [10]}
    assert spared.first_difference == "Ann bid 7, took 0, set: Cleo 0, not −7."


def test_points_of_all_who_defend_together_cannot_be_told_apart() -> None:
    players = ["Ann", "Bo", "Cleo", "Dan", "Eve"]
    hand = {"bidder": "Ann", "bid": 5, "partner": "Cleo", "points": {"bidders": 6, "defenders": 4}}
    each = again(match("pawnee-call-your-partner", hand, players=players), defenders_score="each")

    assert why(each) == "Can’t go on past hand 1: its points do not tell enough."


def test_money_is_owed_under_the_other_rules() -> None:
    hand = {"bidder": "Ann", "bid": 2, "taken": four("Ann", "Bea", "Ann", "Ann")}
    money = match("money-pitch", hand, players=["Ann", "Bea", "Cal"], house={"cents_per_point": 10})

    dearer = again(money, cents_per_point=30)

    assert dearer.state
    assert dearer.state.money == {"Ann": 50, "Bea": -10, "Cal": -40}


@pytest.mark.parametrize(
    ("variant", "other", "problem"),
    [
        ("partnership-pitch", "partners-without-bidding", "Nobody bids in one of the two games"),
        ("partnership-pitch", "pawnee-call-your-partner", "The bidder calls a partner in only one of the two games"),
        ("partnership-pitch", "cutthroat-pitch", "Cutthroat Pitch is not played with these sides."),
    ],
)
def test_what_cannot_be_compared_says_why(variant: str, other: str, problem: str) -> None:
    sides = [{"name": "Us", "players": ["Ann", "Cal"]}, {"name": "Them", "players": ["Bea", "Dan"]}]

    compared = compare(match(variant, HAND, sides=sides), LIBRARY[other])

    assert compared.problem.startswith(problem)
    assert (compared.ends, compared.winners) == ((), None)


def test_too_much_that_is_open_asks_what_to_tell_first() -> None:
    hand = {"bidder": "Us", "bid": 5, "points": {"Us": 6, "Them": 4}}
    much = again(match("colorado-ten-point", *[hand] * 20, house={"target": 200}), jack=3, ten=2, deuce=4)

    assert "too much was not written down" in much.problem
    assert much.question
    assert much.question.key[0] == 1


def test_other_answers_that_change_the_winner_are_told_in_a_sentence(thursday: PlayedMatch) -> None:
    found = {it.house.get("tie_rule") or str(it.house): it.match for it in alternatives(thursday)}
    told = [alternative_sentence(it, IDS_AS_NAMES) for it in changing_alternatives(thursday)]

    assert found["higher_score"].winners == ("Them",)
    assert found["another_hand"].winners == ()
    assert found["{'high_joker': False, 'low_joker': False}"].changes_winner
    assert not found["{'win_rule': 'made_bid'}"].changes_winner
    assert len(told) == 2
    assert told[0].startswith("If both reach 42 on the same hand, the better score wins")
    assert told[0].endswith(": Them win, 44 to 43.")


def test_a_house_rule_is_tried_as_the_game_was_published() -> None:
    record = match("partnership-pitch", HAND, start={"scores": {"Us": 12}}, house={"target": 15})

    assert [it.match.winners for it in alternatives(record) if it.house == {"target": 21}] == [()]
