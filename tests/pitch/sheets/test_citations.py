"""What a ruling cites stands on the sheet under that number."""

from dataclasses import replace
from random import Random

from scorekeeper.pitch.records.record import RefusedRecord
from scorekeeper.pitch.rules.faults import Fault, Refusal
from scorekeeper.pitch.rules.groups.winning import has_end
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.auction import take_set_calls
from scorekeeper.pitch.scoring.hand import Hand
from scorekeeper.pitch.scoring.hand_score import PENALTY_REASONS, bid_rules, with_mistakes
from scorekeeper.pitch.scoring.match import MatchState, Start, open_match, play
from scorekeeper.pitch.scoring.seats import seat_table
from scorekeeper.pitch.sheets.citations import citations
from scorekeeper.pitch.sheets.rule_sheet import rule_sheet
from tests.common.each import each
from tests.common.library import LIBRARY, every_ruleset
from tests.pitch.compare.matches_again import played
from tests.pitch.scoring.random_records import random_record

OF_TWO_SIDES = [ruleset.id for ruleset in LIBRARY if ruleset.table.partners and 4 in ruleset.table.player_counts]


@every_ruleset
def test_every_number_is_that_of_the_sheet(ruleset: Ruleset) -> None:
    printed = {rule.id: rule.number for rule in rule_sheet(ruleset).rules}

    numbers = {rule.id: rule.number for rule in citations(ruleset).by_id.values()}

    assert numbers == printed


@every_ruleset
def test_every_award_and_every_ending_rests_on_a_rule(ruleset: Ruleset) -> None:
    rules = citations(ruleset)

    assert all(rules.award_rules(award) for award in ruleset.in_play)
    assert rules.ending_rules() or not has_end(ruleset)
    if ruleset.bidding.auction:
        assert all(rules.rules_by_id(bid_rules(bid, made=made)) for bid in ruleset.bids for made in (True, False))


def test_awards_that_share_a_sentence_are_cited_once() -> None:
    assert len(citations(LIBRARY["charbonneau-ten-point"]).award_rules("jack", "off_jack", "high_joker")) == 1


def test_the_numbers_follow_the_house() -> None:
    base = LIBRARY["partnership-pitch"]
    house, _ = with_house(base, {"set_limit": 3})

    assert citations(house, base).first_rule("win.set_limit")
    assert citations(base).first_rule("win.set_limit") == ()


def test_every_line_of_a_score_rests_on_a_rule_of_the_sheet() -> None:
    for seed in range(300):
        try:
            state = played(random_record(Random(seed))).state
        except RefusedRecord:
            continue
        for result in state.results:
            rules = citations(result.ruleset, LIBRARY[result.ruleset.id])
            for line in result.score.lines if result.score else ():
                is_written = (
                    line.reason in PENALTY_REASONS or result.ruleset.pays_by_hand
                )  # a sheet may leave that to the table
                assert rules.rules_by_id(line.rules) or is_written, line


def test_a_dealer_who_goes_set_rests_on_no_rule_of_the_play() -> None:
    don = LIBRARY["irish-don"]
    ruleset = don.copy_with(bidding=don.bidding.copy_with(auction=True, all_pass="may_take_set", forced_bid=2))
    seats, _ = seat_table(ruleset, "ABCD", None)
    assert seats

    (result,) = play(open_match(ruleset, seats), Hand(auction=take_set_calls(seats, None))).results

    assert citations(ruleset).first_rule("count.no_game")
    assert [rule.id for rule in citations(ruleset).deciding_rules(result)] == ["bid.all_pass"]


def of_two_sides(ruleset: Ruleset, **start: int) -> MatchState:
    """Return a match of Us and Them before its first hand, which Us deals."""
    seats, _ = seat_table(ruleset, None, [("Us", ()), ("Them", ())])
    assert seats
    return open_match(ruleset, seats, Start(start), dealer="Us")


def penalized(variant: str, won: Hand, **start: int) -> MatchState:
    """Play a deal in which the table wrote something for a mistake."""
    return play(of_two_sides(LIBRARY[variant], **start), won)


@each("variant", OF_TWO_SIDES)
def test_what_a_table_wrote_for_a_mistake_is_cited_under_no_mistake_that_nobody_named(variant: str) -> None:
    rules, hand = citations(LIBRARY[variant]), Hand(penalties={"Us": 1}, penalties_to={"Them": 1})
    scores = {"Us": 0, "Them": 0}
    on = penalized(variant, replace(hand, thrown_in="misdeal"))
    written = with_mistakes(LIBRARY[variant], on.seats, None, hand, scores)
    misdealt = on.results[0].score

    assert written
    assert misdealt
    for line in written.lines:
        assert rules.rules_by_id(line.rules) == rules.first_rule("argue.mistakes")
    for line in misdealt.lines:
        of_deal, *counted = rules.rules_by_id(line.rules)
        assert of_deal.id in {"deal.wrong_number", "deal.again", "argue.wrong_deal"}
        assert counted == [*rules.first_rule("argue.mistakes")]
        assert not any("____" in rule.text for rule in (of_deal, *counted))


@each("variant", OF_TWO_SIDES)
def test_a_match_lost_by_a_renege_rests_on_the_rule_of_a_renege(variant: str) -> None:
    lost = penalized(variant, Hand(thrown_in="misdeal", forfeits={"Us": "match"}))

    assert [rule.id for rule in citations(LIBRARY[variant]).outcome_rules(lost)] in (["play.renege"], ["argue.renege"])


def test_what_must_be_somebodys_cites_the_award() -> None:
    rules = citations(LIBRARY["partnership-pitch"])

    assert rules.refusal_rules(
        Refusal("taken.low", "must_be_somebodys", "Someone has to get Low.")
    ) == rules.award_rules("low")
    assert rules.refusal_rules(Refusal("bidder", "no_bidder", "Say who won the bidding.")) == ()
    assert rules.refusal_rules(Fault("bid", "no_such_bid", "A bid is a number.")) == ()
