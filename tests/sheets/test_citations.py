"""What a ruling cites stands on the sheet under that number."""

import pytest

from scorekeeper.engine.hand_faults import Refusal
from scorekeeper.engine.match import open_match, replay
from scorekeeper.engine.outcome import Outcome
from scorekeeper.engine.scoring import Reason
from scorekeeper.engine.seats import seat
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.house_rules import with_house
from scorekeeper.rules.questions import has_end
from scorekeeper.sheets.citations import citations
from scorekeeper.sheets.rule_sheet import rule_sheet
from tests.library import LIBRARY
from tests.notation import hand

VARIANTS = [ruleset.id for ruleset in LIBRARY]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_number_is_that_of_the_sheet(variant: str) -> None:
    ruleset = LIBRARY[variant]
    printed = {rule.id: rule.number for rule in rule_sheet(ruleset).rules}

    numbers = {rule.id: rule.number for rule in citations(ruleset).by_id.values()}

    assert numbers == printed


@pytest.mark.parametrize("variant", VARIANTS)
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


def test_the_sheet_of_a_ruleset_is_counted_once() -> None:
    ruleset = LIBRARY["racehorse"]

    assert citations(ruleset) is citations(ruleset)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("reason", [reason for reason in Reason if reason != Reason.PENALTY])
def test_no_reason_points_beside_the_sheet(variant: str, reason: Reason) -> None:
    rules = citations(LIBRARY[variant])

    found = rules.reason(reason, None, is_bidder=True)

    assert {*found} <= {*rules.by_id.values()}


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
    ],
)
def test_a_hand_turned_on_what_a_loser_asks_for(variant: str, told: str, rules: list[str]) -> None:
    ruleset = LIBRARY[variant]
    seats, _ = seat(ruleset, "ABC", None)
    assert seats

    (played,) = replay(open_match(ruleset, seats), [hand(told, ruleset, seats.ids)]).results

    assert [rule.id for rule in citations(ruleset).turned_on(played)] == rules
