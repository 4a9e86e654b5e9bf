"""What a ruling cites stands on the sheet under that number."""

from dataclasses import replace

import pytest

from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.moot import has_end
from scorekeeper.pitch.scoring.hand import Hand
from scorekeeper.pitch.scoring.hand_faults import Refusal
from scorekeeper.pitch.scoring.match import HandResult, Start, open_match, replay
from scorekeeper.pitch.scoring.outcome import Outcome
from scorekeeper.pitch.scoring.score import Reason
from scorekeeper.pitch.scoring.seats import seat
from scorekeeper.pitch.sheets.citations import citations
from scorekeeper.pitch.sheets.rule_sheet import rule_sheet
from tests.common.each import each
from tests.common.library import LIBRARY
from tests.common.notation import hand

VARIANTS = [ruleset.id for ruleset in LIBRARY]


@each("variant", VARIANTS)
def test_every_number_is_that_of_the_sheet(variant: str) -> None:
    ruleset = LIBRARY[variant]
    printed = {rule.id: rule.number for rule in rule_sheet(ruleset).rules}

    numbers = {rule.id: rule.number for rule in citations(ruleset).by_id.values()}

    assert numbers == printed


@each("variant", VARIANTS)
def test_every_award_and_every_ending_rests_on_a_rule(variant: str) -> None:
    ruleset = LIBRARY[variant]
    rules = citations(ruleset)

    assert all(rules.award(award) for award in ruleset.in_play)
    assert rules.ends() or not has_end(ruleset)
    if ruleset.bidding.auction:
        assert all(rules.made(bid) and rules.set(bid) for bid in ruleset.bids)


def test_awards_that_share_a_sentence_are_cited_once() -> None:
    assert len(citations(LIBRARY["charbonneau-ten-point"]).awards(["jack", "off_jack", "high_joker"])) == 1


def test_the_numbers_follow_the_house() -> None:
    base = LIBRARY["partnership-pitch"]
    house, _ = with_house(base, {"set_limit": 3})

    assert citations(house, base).outcome("set_limit")
    assert citations(base).outcome("set_limit") == ()


@each("variant", VARIANTS)
def test_no_reason_points_beside_the_sheet(variant: str) -> None:
    rules = citations(LIBRARY[variant])
    nothing = HandResult(1, 1, "scored", Hand(), LIBRARY[variant], {}, {})

    found = {reason: {*rules.reason(reason, nothing, "s1")} - {*rules.by_id.values()} for reason in Reason}

    assert [reason for reason, beside in found.items() if beside] == []


@each("variant", VARIANTS)
def test_what_a_table_wrote_for_a_mistake_is_cited_under_no_mistake_that_nobody_named(variant: str) -> None:
    rules = citations(LIBRARY[variant])
    said = {it.id for it in rules.rule("argue.mistakes")}

    for reason in (Reason.PENALTY, Reason.PENALTY_TO):
        played = HandResult(1, 1, "scored", Hand(), LIBRARY[variant], {}, {})
        misdealt = HandResult(1, 1, "scored", Hand(thrown_in="misdeal"), LIBRARY[variant], {}, {})

        assert {it.id for it in rules.reason(reason, played, "s1")} == said
        of_deal, *counted = rules.reason(reason, misdealt, "s1")
        assert of_deal.id in {"deal.wrong_number", "deal.again", "argue.wrong_deal"}
        assert {it.id for it in counted} == said
        assert not any("____" in it.text for it in (of_deal, *counted))


@each("variant", VARIANTS)
def test_a_match_lost_by_a_renege_rests_on_the_rule_of_a_renege(variant: str) -> None:
    rules = citations(LIBRARY[variant])

    assert [it.id for it in rules.outcome("forfeit")] in (["play.renege"], ["argue.renege"])


def test_a_match_that_points_for_a_mistake_won_rests_on_when_they_count() -> None:
    assert [rule.id for rule in citations(LIBRARY["yorkshire-all-fours"]).outcome("given_first")] == ["argue.mistakes"]


def test_a_tie_rule_and_a_moon_cite_their_own_sentences() -> None:
    rules = citations(LIBRARY["charbonneau-ten-point"])
    found = [rules.outcome(Outcome(("s1",), rule).rule) for rule in ("first_to_target", "bidder_first", "moon_won")]

    assert [[rule.id for rule in cited] for cited in found] == [["win.target"], ["win.tie_rule"], ["bid.moon_wins"]]


def test_what_must_be_somebodys_cites_the_award() -> None:
    rules = citations(LIBRARY["partnership-pitch"])

    assert rules.fault(Refusal("taken.low", "must_be_somebodys", "Someone has to get Low.")) == rules.award("low")
    assert rules.fault(Refusal("bidder", "no_bidder", "Say who won the bidding.")) == ()
    assert rules.fault(Fault("bid", "no_such_bid", "A bid is a number.")) == ()


@pytest.mark.parametrize(
    ("variant", "told", "rules"),
    [
        ("cutthroat-pitch", "A bid 3 | A 3 points | B 1 points | C 0 points", []),
        ("cutthroat-pitch", "A bid 3 | A high jack game | B low", ["count.low"]),
        ("cutthroat-pitch", "A bid 3 | A high jack | B game low", ["count.set", "count.low"]),
        ("cutthroat-pitch", "A bid 4 | nobody jack | A the rest", ["count.set", "count.missing"]),
        ("cutthroat-pitch", "A bid smudge, not every trick | A the rest", ["bid.smudge"]),
        (
            "cutthroat-pitch",
            "A bid 2 | A high jack | B low | A 40 card points | B 40 card points | C 0 card points",
            ["count.low", "count.game_tie"],
        ),
        (
            "cutthroat-pitch",
            "C deals | calls A pass, B pass, C 2 | C high jack game low",
            ["bid.all_pass", "count.low"],
        ),
        ("solo-with-bidding", "C deals | calls A pass, B pass, C 2 | C high jack game low", ["count.low"]),
        (
            "cutthroat-pitch",
            "C deals | calls A 2, B pass, C 2 | C high jack game | A low",
            ["bid.dealer_steal", "count.low"],
        ),
        ("racehorse", "A bid 3 | A high | B low jack | C game", ["count.no_score"]),
    ],
)
def test_a_hand_turned_on_what_a_loser_asks_for(variant: str, told: str, rules: list[str]) -> None:
    ruleset = LIBRARY[variant]
    seats, _ = seat(ruleset, "ABC", None)
    assert seats

    (played,) = replay(open_match(ruleset, seats), [hand(told, ruleset, seats.ids)]).results

    assert [rule.id for rule in citations(ruleset).turned_on(played)] == rules


@pytest.mark.parametrize(
    ("variant", "table", "told", "rules"),
    [
        ("colorado-ten-point", 4, "s1 bid 6 | s1 ace off_jack trey deuce | s2 the rest", ["count.deuce"]),
        ("colorado-ten-point", 4, "s1 bid 5 | s1 ace off_jack trey deuce | s2 the rest", []),
        ("colorado-ten-point", 4, "s1 bid 6 | s1 ace off_jack trey | s2 the rest", ["count.set", "count.deuce"]),
        ("colorado-ten-point", 4, "s1 bid 7 | s1 ace off_jack trey | s2 the rest", ["count.set"]),
        ("colorado-ten-point", 4, "s1 bid 5 | s1 ace off_jack trey deuce | s2 the rest | s1 has 36", ["count.deuce"]),
        ("colorado-ten-point", 4, "s1 bid 5 | s1 ace off_jack trey deuce | s2 the rest | s1 has 40", []),
        (
            "nine-card-pitch",
            4,
            "s1 bid 5 | s1 high high-spade game five jack | s2 low | in spades",
            ["count.low", "count.both_high"],
        ),
        ("nine-card-pitch", 4, "s1 bid 5 | s1 high high-spade game five jack | s2 low | in hearts", ["count.low"]),
        ("nine-card-pitch", 4, "s1 bid 3 | s1 high high-spade game five jack | s2 low | in spades", ["count.low"]),
        ("double-pedro", 4, "s1 bid 7 | s1 five jack deuce | s2 the rest", []),
        ("charbonneau-ten-point", 4, "s1 bid 4 | s1 high low jack game | s2 the rest", ["count.low", "count.game"]),
        ("partnership-pitch", 4, "s1 bid 3 | s1 high low game | s2 the rest", ["count.low"]),
        ("solo-for-two-or-three", 3, "p1 bid 2 | p1 high jack | p2 game | p3 low", ["count.defenders", "count.low"]),
        ("solo-for-two-or-three", 2, "p1 bid 2 | p1 high jack | p2 game low", ["count.low"]),
        ("razzle-dazzle", 5, "p1 bid 5 with p3 | bidders 6 points | defenders 4 points", ["count.defenders"]),
        (
            "razzle-dazzle",
            5,
            "p1 bid 5 with p3 | bidders 4 points | defenders 6 points",
            ["count.set", "count.defenders", "count.partner_set_too"],
        ),
    ],
)
def test_a_card_that_is_kept_a_pool_and_a_partner_are_told_as_low_is(
    variant: str, table: int, told: str, rules: list[str]
) -> None:
    ruleset = LIBRARY[variant]
    sides = [(f"s{n}", ()) for n in (1, 2)] if table == 4 else None
    seats, _ = seat(ruleset, None if sides else [f"p{n + 1}" for n in range(table)], sides)
    assert seats
    names = seats.ids if sides else seats.players
    told, _, trump = told.partition(" | in ")
    told, _, score = told.partition(" | s1 has ")
    start = Start({"s1": int(score)}) if score else None

    (played,) = replay(
        open_match(ruleset, seats, start), [replace(hand(told, ruleset, names), trump=trump or None)]
    ).results

    assert [rule.id for rule in citations(ruleset).turned_on(played)] == rules


@pytest.mark.parametrize(
    ("house", "rules"),
    [
        ({"pitching": "yes"}, ["bid.pitching", "count.set", "count.low"]),
        (
            {"pitching": "yes", "double_loss_on_overtake": "yes"},
            ["bid.pitching", "bid.double_loss_on_overtake", "count.set", "count.low"],
        ),
    ],
)
def test_a_bid_taken_from_a_led_card_rests_on_its_own_rules(house: dict[str, str], rules: list[str]) -> None:
    ruleset, _ = with_house(LIBRARY["partnership-pitch"], house)
    seats, _ = seat(ruleset, None, [("Us", ()), ("Them", ())])
    assert seats
    told = "Us bid 4, over a pitch | Us high jack game | Them low"

    (played,) = replay(open_match(ruleset, seats, dealer="Us"), [hand(told, ruleset, seats.ids)]).results

    found = citations(ruleset)
    assert [rule.id for rule in found.turned_on(played)] == rules
    assert found.reason(Reason.WENT_SET, played, "Us")[1:] == found.rule(
        *(["bid.double_loss_on_overtake"] if len(rules) > 3 else [])
    )
