"""A match scored again under other rules, in the words of the table."""

from datetime import UTC, datetime
from typing import Any

import pytest

from scorekeeper.access.roles import Link
from scorekeeper.eventlog.roles import OWNER
from scorekeeper.matches.events import Event, HandAdded
from scorekeeper.matches.fold import derive_match
from scorekeeper.matches.log_fold import fold
from scorekeeper.matches.what_if import played_match
from scorekeeper.pitch.compare.reckoning import PlayedMatch, Span, Told, WhatIf
from scorekeeper.pitch.compare.what_if import other_answers, what_if
from scorekeeper.pitch.records.setup import MatchSetup, SetupSide
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import Hand
from tests.common.library import LIBRARY
from tests.pitch.compare.matches_again import played
from tests.pitch.scoring.tables import US_AND_THEM, four

TEN = "ace jack off_jack high_joker low_joker ten trey deuce".split()
US_ALL, US_TOOK = ("Us", "Us", "Us", "Us"), ("Us", "Us", "Us", "Them")


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


def again(match: PlayedMatch, told: Told | None = None, **answers: Any) -> WhatIf:
    return what_if(match, house(match, **answers), told)


def totals(again: WhatIf) -> list[tuple[int, ...]]:
    return [tuple(span.lowest for span in row.scores.values()) for row in again.rows if row.scores]


def asked(again: WhatIf) -> list[str]:
    return [f"{it.number}: {it.ask} {', '.join(choice.label for choice in it.choices)}" for it in again.questions]


def _last(again: WhatIf) -> int:
    """Return the number of the hand with which the other match is over."""
    return next(row.number for row in again.rows if row.ends_otherwise)


def first(again: WhatIf) -> tuple[str, str]:
    assert again.first_difference
    return again.first_difference.kind, again.first_difference.sentence


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


def test_without_the_off_jack_they_win_either_way(thursday: PlayedMatch) -> None:
    without = again(thursday, off_jack=False)

    assert without.changes == ("Nobody scores the Off Jack.",)
    assert without.other.points_per_hand == 9
    assert (without.as_played.heading, without.as_played.winners) == ("Us win", ("Us",))
    assert (without.otherwise.heading, without.otherwise.why) == ("Them win", "Them win either way.")
    assert without.otherwise.is_either_way
    assert without.otherwise.scores == {"Us": Span(13, 14), "Them": Span(42, 43)}
    assert [row.status for row in without.rows[:6]] == ["same", "same", "differs", "differs", "same", "open"]
    assert totals(without)[:5] == [(5, 4), (7, 11), (0, 14), (3, 20), (-3, 25)]
    assert first(without) == ("hand", "Ann took 7, and one was the Off Jack: 6 of 7, set.")
    made = [row.otherwise.score.made if row.otherwise and row.otherwise.score else None for row in without.rows]
    assert made == [True, True, False, True, False, None, True, True, True, False]


def test_what_nobody_wrote_down_is_asked_and_told(thursday: PlayedMatch) -> None:
    (question,) = again(thursday, off_jack=False).questions

    assert (question.key, question.lead, question.told) == ((6, "off_jack"), "Hand 6 has points only.", None)
    # All ten points were counted, so somebody took it.
    assert (question.ask, [it.label for it in question.choices]) == ("Who took the Off Jack?", ["Us", "Them"])

    told = again(thursday, {question.key: ("Them",)}, off_jack=False)

    assert all(question.told for question in told.questions)
    assert told.questions[0].told == ("Them",)
    assert told.otherwise.scores == {"Us": Span(14, 14), "Them": Span(42, 42)}
    assert told.otherwise.why.startswith("Them have 42 and win")


@pytest.mark.parametrize("answer", [("Zoe",), ("Us", "Them"), "Us"])
def test_an_answer_that_cannot_be_is_not_told(thursday: PlayedMatch, answer: Any) -> None:
    assert again(thursday, {(6, "off_jack"): answer, (99, "moon"): ("Us",)}, off_jack=False).questions[0].told is None


def test_a_bid_that_nobody_can_make_is_as_far_as_it_goes(thursday: PlayedMatch) -> None:
    lower = again(thursday, max_bid=7)

    assert lower.stop
    assert (lower.stop.place, lower.stop.code) == (7, "too_high")
    assert lower.stop.sentence == "Can’t go on past hand 7: 8 is too high: the highest number is 7."
    assert (lower.otherwise.heading, lower.otherwise.winners, lower.otherwise.possible) == ("Not known", None, ())
    assert [row.status for row in lower.rows[5:8]] == ["same", "not_reached", "not_reached"]
    assert first(lower) == ("stop", lower.stop.sentence)


def test_there_is_no_moon() -> None:
    moon = ten("Us", "moon", "ace jack off_jack high_joker low_joker ten trey deuce")

    stop = again(match("colorado-ten-point", moon), moon="off").stop

    assert stop
    assert stop.sentence == "Can’t go on past hand 1: there is no moon."


def test_the_other_match_is_over_sooner(thursday: PlayedMatch) -> None:
    sooner = again(thursday, target=30)

    assert [row.status for row in sooner.rows] == ["same"] * 6 + ["already_over"] * 4
    assert [row.ends_otherwise for row in sooner.rows].index(True) == 5
    assert first(sooner) == ("over", "Them have 34 and win: nobody else has reached 30.")
    assert _last(sooner) == 6


def test_the_other_match_goes_on_past_the_end() -> None:
    hands = [{"bidder": "Us", "bid": 2, "taken": four(*US_TOOK)}] * 5
    longer = again(match("partnership-pitch", *hands, house={"target": 7}), target=12)

    assert [row.played.status for row in longer.rows] == ["scored"] * 3 + ["after_end"] * 2
    assert totals(longer) == [(3, 1), (6, 2), (9, 3), (12, 4), (12, 4)]
    assert first(longer) == ("goes_on", "Nobody has reached 12 yet.")
    assert [row.status for row in longer.rows][3:] == ["differs", "already_over"]


def test_nobody_yet_says_the_score(thursday: PlayedMatch) -> None:
    longer = again(thursday, target=52)

    assert (longer.otherwise.heading, longer.otherwise.winners) == ("Nobody yet, 43 to 44", ())
    assert longer.changes_winner


def test_a_made_bid_that_scores_otherwise_says_so() -> None:
    hand = {"bidder": "Us", "bid": 2, "taken": four(*US_TOOK)}

    assert first(again(match("partnership-pitch", hand), score_on_made="bid")) == (
        "hand",
        "Us bid 2, took 3, made: Us +2, not +3.",
    )


def test_a_point_for_something_that_nobody_wrote_down_is_asked_for() -> None:
    hand = {"bidder": "Us", "bid": 3, "taken": four(*US_TOOK)}

    joker = again(match("partnership-pitch", hand), joker=1)

    assert asked(joker) == ["1: Who took the Joker? Us, Them, nobody"]
    assert joker.questions[0].lead == "Hand 1 does not say."
    assert joker.rows[0].deltas == {"Us": Span(3, 4), "Them": Span(1, 2)}


def test_who_held_a_card_is_not_who_won_it() -> None:
    hand = {"bidder": "Us", "bid": 2, "taken": four(*US_TOOK)}

    assert asked(again(match("partnership-pitch", hand, house={"low": "captured"}), low="held")) == [
        "1: Who held Low? Us, Them"
    ]


@pytest.mark.parametrize(
    ("own", "other", "game", "questions"),
    [
        ("nobody", "all_tied_score", None, []),
        ("nobody", "all_tied_score", "Us", []),
        ("nobody", "joker_breaks", None, ["1: Who scores Game? Us, Them, nobody"]),
        ("nobody", "joker_breaks", "Us", []),
        ("joker_breaks", "nobody", "Us", ["1: Who had the most card points? Us, tied"]),
        ("joker_breaks", "nobody", None, []),
        ("joker_breaks", "all_tied_score", "Us", ["1: Who had the most card points? Us, tied"]),
    ],
)
def test_a_tie_is_asked_for_where_the_rules_of_ties_differ(
    own: str, other: str, game: str | None, questions: list[str]
) -> None:
    hand = {"bidder": "Us", "bid": 2, "taken": four("Us", "Us", "Them", game)}
    with_joker = {"jokers": 1, "joker": False}
    joker = match("partnership-pitch", hand, house={**with_joker, "game_tie": own})

    assert asked(again(joker, game_tie=other)) == questions


def test_where_the_card_points_are_tied_only_the_joker_is_asked_for() -> None:
    hand = {"bidder": "Us", "bid": 2, "taken": {"high": "Us", "low": "Us", "jack": "Us"}}
    tied = match(
        "partnership-pitch", {**hand, "card_points": {"Us": 40, "Them": 40}}, house={"jokers": 1, "joker": False}
    )

    assert asked(again(tied, game_tie="joker_breaks")) == ["1: Game is tied: who won a joker? Us, Them, nobody"]
    assert asked(again(tied, game_tie="all_tied_score")) == []


def test_whoever_took_the_joker_breaks_the_tie_without_being_asked_for() -> None:
    taken = {**four("Us", "Us", "Them", None), "joker": "Them"}
    tied = match("partnership-pitch", {"bidder": "Us", "bid": 2, "taken": taken}, house={"joker": 1})

    broken = again(tied, game_tie="joker_breaks")

    assert asked(broken) == []
    assert first(broken) == ("hand", "Them took 2, and Game adds 1: 3.")


def test_every_trick_is_asked_for_where_a_moon_needs_it() -> None:
    moon = ten("Us", "moon", "ace jack off_jack high_joker low_joker ten trey deuce")

    tricks = again(match("colorado-ten-point", moon), moon_needs="points_and_tricks")

    assert asked(tricks) == ["1: Did the bidding side take every trick? yes, no"]
    assert tricks.rows[0].deltas["Us"] == Span(-26, 26)


def test_points_in_order_are_asked_for_where_they_decide() -> None:
    start = {"scores": {"Us": 9, "Them": 9}}
    hands = [
        {"bidder": "Us", "bid": 2, "points": {"Us": 1, "Them": 1}},
        {"bidder": "Us", "bid": 2, "points": {"Us": 2, "Them": 2}},
    ]
    close = match("partnership-pitch", hands[1], start=start, house={"target": 11, "win_rule": "first_to_target"})

    in_order = again(close, tie_rule="point_order")

    assert in_order.otherwise.heading == "Not known"
    assert {it.winners for it in in_order.otherwise.possible} == {("Us",), ("Them",)}
    assert "1: Who held High? Us, Them" in asked(in_order)
    told = {(1, "high"): ("Us",), (1, "low"): ("Us",), (1, "jack"): ("Them",), (1, "game"): ("Them",)}
    assert again(close, told, tie_rule="point_order").otherwise.winners == ("Us",)


def test_points_in_order_are_asked_for_where_the_match_never_got_there() -> None:
    hand = {"points": {"Us": 2, "Them": 2}}
    endless = match("partners-without-bidding", hand, hand)

    assert again(endless, target=2).otherwise.heading == "Not known"
    decided = match("partners-without-bidding", hand, house={"target": 2})
    assert again(decided, misdeal="none").first_difference is None


def test_a_rule_that_changed_in_the_match_changes_here_as_well() -> None:
    hand = {"bidder": "Us", "bid": 2, "taken": four(*US_TOOK)}
    changed = match("partnership-pitch", hand, {**hand, "house": {"target": 9}}, hand, hand)

    assert again(changed, score_on_made="bid").otherwise.heading == "Nobody yet, 8 to 4"
    assert _last(again(changed, jack=3)) == 2


def test_a_rule_that_is_asked_for_holds_all_the_way() -> None:
    hand = {"bidder": "Us", "bid": 2, "taken": four(*US_TOOK)}
    changed = match("partnership-pitch", hand, {**hand, "house": {"target": 9}}, hand, hand)

    assert _last(again(changed, target=12)) == 4


def test_a_change_that_does_not_fit_the_other_rules_is_as_far_as_it_goes() -> None:
    hand = {"bidder": "Us", "bid": 2, "taken": four(*US_TOOK)}
    changed = match("partnership-pitch", hand, {**hand, "house": {"game_tie": "all_tied_score"}})

    stop = again(changed, game=False).stop

    assert stop
    assert (stop.place, stop.code) == (2, "no_count")


def test_paper_is_carried_over() -> None:
    hand = {"bidder": "Us", "bid": 2, "taken": four(*US_TOOK)}
    paper = match("partnership-pitch", hand, start={"scores": {"Us": 10, "Them": 7}, "hands": 4})

    assert again(paper, score_on_made="bid").otherwise.scores == {"Us": Span(12, 12), "Them": Span(8, 8)}
    assert again(paper, set_limit=3).notes == (
        "Sets from before the first hand are not counted: nobody wrote them down.",
    )
    assert again(paper, count_down_from=21).refusal == (
        "The scores from paper count from another start, so they can’t be carried over."
    )


def test_counting_down_differs_from_the_start() -> None:
    hand = {"bidder": "Us", "bid": 2, "taken": four(*US_TOOK)}
    down = again(match("partnership-pitch", hand), count_down_from=21)

    assert first(down) == ("start", "Scores start at 21 and go down to 0.")
    assert totals(down) == [(18, 20)]


def test_misdeals_penalties_and_whoever_sits_in_stay_as_they_were() -> None:
    hand = {"bidder": "Ann", "bid": 2, "taken": four("Ann", "Bea", "Ann", "Ann")}
    names = {"players": ["Ann", "Bea", "Cal", "Dan"]}
    hands: list[dict[str, Any]] = [
        {"thrown_in": "misdeal", "penalties": {"Bea": 2}},
        hand,
        {**hand, "sits_in": {"Ann": "Eva"}, "bidder": "Eva", "taken": four("Eva", "Eva", "Eva", "Eva")},
    ]
    other = again(match("cutthroat-pitch", *hands, **names), jack=2)

    assert [(row.number, row.status) for row in other.rows] == [(1, "same"), (1, "differs"), (2, "differs")]
    assert first(other) == ("hand", "Ann took 3, and the Jack adds 1: 4 of 2, made.")
    assert other.rows[2].names["Ann"] == "Eva"
    assert totals(other) == [(0, -2, 0, 0), (4, -1, 0, 0), (9, -1, 0, 0)]


def test_a_called_partner_counts_with_the_bidder() -> None:
    players = ["Ann", "Bo", "Cleo", "Dan", "Eve"]
    taken = dict.fromkeys(("high", "low", "jack", "off_jack", "high_joker", "low_joker", "trey", "ten"), "defenders")
    hand = {"bidder": "Ann", "bid": 7, "partner": "Cleo", "taken": taken}
    spared = again(match("pawnee-call-your-partner", hand, players=players), partner_set_too=False)

    assert totals(spared) == [(-7, 10, 0, 10, 10)]
    assert first(spared) == ("hand", "Ann bid 7, took 0, set: Cleo 0, not −7.")
    hand = {**hand, "taken": {**dict.fromkeys(taken, "bidders"), "low": "defenders", "trey": "Cleo", "ten": "Bo"}}
    each = again(match("pawnee-call-your-partner", hand, players=players), defenders_score="each")
    assert asked(each) == ["1: Who held Low? Bo, Dan, Eve"]


def test_points_of_all_who_defend_together_cannot_be_told_apart() -> None:
    players = ["Ann", "Bo", "Cleo", "Dan", "Eve"]
    hand = {"bidder": "Ann", "bid": 5, "partner": "Cleo", "points": {"bidders": 6, "defenders": 4}}
    stop = again(match("pawnee-call-your-partner", hand, players=players), defenders_score="each").stop

    assert stop
    assert stop.sentence == "Can’t go on past hand 1: the hand has points only, and not for everybody."


def test_money_is_owed_on_both_sides() -> None:
    hand = {"bidder": "Ann", "bid": 2, "taken": four("Ann", "Bea", "Ann", "Ann")}
    money = match("money-pitch", hand, players=["Ann", "Bea", "Cal"], house={"cents_per_point": 10})

    dearer = again(money, cents_per_point=30)

    assert dearer.as_played.money == {"Ann": Span(17, 17), "Bea": Span(-3, -3), "Cal": Span(-14, -14)}
    assert dearer.otherwise.money == {"Ann": Span(50, 50), "Bea": Span(-10, -10), "Cal": Span(-40, -40)}


@pytest.mark.parametrize(
    ("variant", "other", "refusal"),
    [
        ("partnership-pitch", "partners-without-bidding", "Nobody bids in one of the two games"),
        ("partnership-pitch", "pawnee-call-your-partner", "The bidder calls a partner in only one of the two games"),
        ("partnership-pitch", "cutthroat-pitch", "Cutthroat Pitch is not played with these sides."),
    ],
)
def test_what_cannot_be_compared_says_why(variant: str, other: str, refusal: str) -> None:
    hand = {"bidder": "Us", "bid": 2, "taken": four(*US_TOOK)}
    sides = [{"name": "Us", "players": ["Ann", "Cal"]}, {"name": "Them", "players": ["Bea", "Dan"]}]

    compared = what_if(match(variant, hand, sides=sides), LIBRARY[other])

    assert compared.refusal.startswith(refusal)
    assert compared.otherwise.why == compared.refusal


def test_another_ruleset_of_the_same_points_asks_nothing() -> None:
    hand = ten("Us", 5, "ace jack high_joker low_joker ten")
    compared = what_if(match("colorado-ten-point", hand), LIBRARY["razzle-dazzle"])

    assert compared.questions == () or compared.refusal


def test_too_much_that_is_open_says_what_to_tell_first() -> None:
    hand = {"bidder": "Us", "bid": 5, "points": {"Us": 6, "Them": 4}}
    much = again(match("colorado-ten-point", *[hand] * 20, house={"target": 200}), jack=3, ten=2, deuce=4)

    assert much.stop
    assert much.stop.code == "too_many"
    assert "First answer for hand" in much.stop.sentence


def test_the_same_cards_under_what_families_argue_about(thursday: PlayedMatch) -> None:
    answers = {it.label: f"{it.heading}, {it.detail}" for it in other_answers(thursday)}

    assert answers["Both reach it: the higher score"] == "Them win, as played up to hand 10, 43 to 44"
    assert answers["Without the Off Jack"] == "Them win, either way"
    assert answers["Who wins: only on a made bid"] == "Us win, no change"
    assert answers["Both reach it: play another hand"] == "Nobody yet, as played up to hand 10, 43 to 44"
    first_answer, *_, last = other_answers(thursday)
    assert (first_answer.match.changes_winner, last.match.changes_winner) == (True, False)


def test_a_kept_match_is_scored_again_with_the_names_of_its_sides() -> None:
    setup = MatchSetup(
        id=1,
        uid="",
        created_at=datetime(2026, 11, 20, tzinfo=UTC),
        variant="partnership-pitch",
        house={},
        digest="",
        seats=(),
        sides=(SetupSide("s1", "Ann & Cal"), SetupSide("s2", "Bea & Dan")),
        start={},
        first_dealer=None,
        title="",
        played_on=None,
        place=None,
        note=None,
    )
    hand = Hand(bidder="s1", bid=3, taken=four("s1", "s2", "s1", "s1"))
    added = Event(seq=1, at=setup.created_at, client_key="1", actor="", fact=HandAdded(hand=hand))
    kept = derive_match(setup, Link(1, "abc", OWNER, 1), fold([added]), LIBRARY["partnership-pitch"])

    without = again(played_match(kept), jack=False)

    assert first(without) == ("hand", "Ann & Cal took 3, and one was the Jack: 2 of 3, set.")
    assert totals(without) == [(-3, 1)]


def test_a_hand_that_is_still_being_played_moves_no_score() -> None:
    hand = {"bidder": "Us", "bid": 2, "taken": four(*US_TOOK)}
    running = again(match("partnership-pitch", hand, {"bidder": "Them", "bid": 3}), jack=2)

    assert totals(running) == [(4, 1), (4, 1)]
    assert [row.status for row in running.rows] == ["differs", "same"]


def test_a_match_before_its_first_hand_is_the_same_under_any_rules() -> None:
    empty = again(match("partnership-pitch"), jack=2)

    assert (empty.rows, empty.first_difference, empty.otherwise.heading) == ((), None, "Nobody yet, 0 to 0")


def test_a_match_that_stopped_says_so_on_both_sides() -> None:
    hand = {"bidder": "Us", "bid": 2, "taken": four(*US_TOOK)}
    stopped = again(match("partnership-pitch", hand, stopped=True), jack=2)

    assert stopped.otherwise.why.startswith("The match stopped before anyone won.")


def test_calls_that_the_other_rules_do_not_allow_are_as_far_as_it_goes() -> None:
    players = {"players": ["Ann", "Bea", "Cal", "Dan"]}
    calls = [["Ann", "pass"], ["Bea", 2], ["Cal", "pass"], ["Dan", 2]]
    hand = {"dealer": "Dan", "auction": calls, "taken": four(*["Bea & Dan"] * 4)}
    stolen = match("partnership-pitch", hand, house={"dealer_steal": "yes"}, **players)

    stop = again(stolen, dealer_steal="no").stop

    assert stop
    assert stop.sentence == ("Can’t go on past hand 1: Bea has bid 2, and the dealer can’t steal it by matching it.")
    assert "dealer_steal" in {name for it in other_answers(stolen) for name in it.house}


def test_a_rule_that_changed_in_the_match_can_be_asked_to_have_held_all_the_way() -> None:
    took_all = {"bidder": "Us", "bid": 6, "points": {"Us": 10, "Them": 0}}
    played = match("colorado-ten-point", {**took_all, "house": {"target": 62}}, start={"scores": {"Us": 32}})

    stayed = what_if(played, played.rules, answered={"target": 42})

    assert what_if(played, played.rules).otherwise.winners == ()
    assert stayed.otherwise.winners == ("Us",)
    assert stayed.changes == ("Play to 42.",)
    assert {it.house["target"] for it in other_answers(played) if "target" in it.house} >= {42, 62}
