"""The worked hands are scored by the engine, whatever the house plays; the first is a made bid, the second odd."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.pitch.records.record import Record
from scorekeeper.pitch.records.result import play_under
from scorekeeper.pitch.rules.awards import TurnedUp, a_card
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.phrases import NUMBERS, award_name
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.auction import Contract
from scorekeeper.pitch.scoring.hand import Hand
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.pitch.scoring.score import stake
from scorekeeper.pitch.scoring.standing import comparable, target_of
from scorekeeper.pitch.sheets.parts import WorkedHand
from scorekeeper.pitch.sheets.rule_sheet import rule_sheet
from scorekeeper.pitch.sheets.worked_hands import worked_hands
from tests.common.library import LAW_RULESETS, LIBRARY, each_ruleset
from tests.pitch.rules.random_house_rules import option_sets

SECOND = {
    "all-fives": "Two reach 60",
    "arizona-29": "A set bid",
    "auction-pitch": "A win from behind",
    "blind-all-fours": "Two reach 7",
    "california-jack": "Two reach 10",
    "canadian-smear": "Stopping at 20",
    "catch-five": "A set bid",
    "charbonneau-ten-point": "A failed moon",
    "cinch": "A set bid",
    "colorado-cutthroat": "A failed moon",
    "colorado-fourteen-point": "A failed moon",
    "colorado-six-player": "A failed moon",
    "colorado-ten-point": "A failed moon",
    "colorado-thirteen-point": "A failed moon",
    "cutthroat-pitch": "A win from behind",
    "double-king-pede": "A win from behind",
    "double-pedro": "A win from behind",
    "eleven-point-pitch": "A win from behind",
    "fish-pitch": "A win from behind",
    "five-point-pitch": "A win from behind",
    "five-point-set-back": "A win from behind",
    "hi-lo-jack": "A failed moon",
    "hoyle-auction-pitch": "A win from behind",
    "irish-don": "Two reach 80",
    "king-pedro": "A win from behind",
    "king-pedro-sixty-two": "A win from behind",
    "lancashire-all-fours": "Two reach 11",
    "minnesota-smear": "Two reach 21",
    "money-pitch": "A failed moon",
    "moon-over-four": "A failed moon",
    "nebraska-four-point": "A win from behind",
    "nicaraguan-pedro": "A win from behind",
    "nine-card-don": "Two reach 91",
    "nine-card-pitch": "Stopping at 1",
    "nine-point-pitch": "A win from behind",
    "oklahoma-six-point": "A win from behind",
    "oklahoma-ten-point": "A win from behind",
    "partners-without-bidding": "Two reach 21",
    "partnership-pitch": "A win from behind",
    "partnership-pitch-six": "A win from behind",
    "pawnee-call-your-partner": "A failed moon",
    "pedro": "A win from behind",
    "pedro-seventeen": "A win from behind",
    "pedro-sixteen": "A failed moon",
    "pennsylvania-cinch": "A win from behind",
    "phat": "Two reach 181",
    "pidro": "A win from behind",
    "pitch-with-joker": "A win from behind",
    "racehorse": "A set bid",
    "razzle-dazzle": "A failed moon",
    "schmier-for-five": "Partners are set",
    "setback-bernsrite": "Two reach 11",
    "setback-for-two": "A win from behind",
    "seven-point-pitch": "A win from behind",
    "seven-up": "Two reach 7",
    "shasta-sam": "Two reach 10",
    "sixty-three": "A win from behind",
    "smear-five-point": "A win from behind",
    "smudge": "Every point in one hand",
    "solo-for-two-or-three": "Defenders score together",
    "solo-with-bidding": "A win from behind",
    "solo-without-bidding": "Two reach 21",
    "st-paul-schmier": "A win from behind",
    "stauffer-ten-point": "A set bid",
    "trinidad-all-fours": "Two reach 14",
    "tunkhannock-fourteen-point": "A win from behind",
    "wisconsin-smear": "A win from behind",
    "wisconsin-smear-four": "A win from behind",
    "yorkshire-all-fours": "Two reach 11",
}
"""What the second hand of each ruleset shows."""


@st.composite
def agreed_rules(draw: st.DrawFn) -> Ruleset:
    """Draw a variant with as many of some random house rules as do not contradict each other."""
    base = draw(st.sampled_from(list(LIBRARY)))
    ruleset, house = base, dict[str, Any]()
    for name, answer in draw(option_sets(base)).items():
        changed, faults = with_house(base, {**house, name: answer})
        if not faults:
            ruleset, house = changed, {**house, name: answer}
    return ruleset


@dataclass(frozen=True)
class Told:
    """A worked hand as its own words tell it, played again."""

    ruleset: Ruleset
    record: Record
    state: MatchState
    taken: Mapping[str, str]


CLAUSE = re.compile(r"(?P<who>[A-Z][\w&, ]*?)(?: together)? takes? (?P<what>.+) \((?P<points>\d+) points?\)$")


KICK = re.compile(r"(?P<who>[A-Z][\w&, ]*?) deals? and turns? up (?P<card>an? \w+) \((?P<points>\d+) points?\)")
GIFT = re.compile(r"(?P<who>[A-Z][\w& ]*?) begs?,? and (?:[A-Z][\w&, ]* )?(?:is|are) given (?P<points>\d+) points?")
DEALER = re.compile(r"(?P<who>[A-Z][\w& ]*?) deals?\b")


def told(ruleset: Ruleset, worked: WorkedHand) -> Told:
    """Play what a worked hand says, from the scores that it says."""
    text = " ".join(worked.story)
    if target := re.search(r"(?:Playing|match is) to (\d+)", text):
        ruleset = ruleset.changed(winning=ruleset.winning.changed(target=int(target[1])))
    taken = dict(takers(ruleset, worked))
    before, *_ = worked.rows
    paid = ruleset.money.settles == "hand"
    start = {} if paid else {side: number(score) for side, score in zip(worked.sides, before.scores, strict=True)}
    bid = re.search(r"Ann bids (\d+|smudge)|Ann shoots the (moon)", text)
    partner = re.search(r"(\w+) is the partner", text)
    dealt = DEALER.search(text)
    hand = Hand(
        dealer=re.split(" & |, ", dealt["who"])[0] if dealt else None,
        bidder="Ann" if bid else None,
        bid=(int(bid[1]) if bid[1] and bid[1].isdigit() else bid[1] or bid[2]) if bid else None,
        partner=partner[1] if partner else None,
        taken=taken,
        all_tricks=False,
        first_there=first[1] if (first := re.search(r"(\S+ & \S+) pegged it first", worked.result)) else None,
    )
    sides = tuple((side, tuple(re.split(" & |, ", side))) for side in worked.sides)
    record = Record(variant=ruleset.id, house={}, sides=sides, start={"scores": start}, hands=(hand,))
    return Told(ruleset, record, play_under(record, ruleset), taken)


def takers(ruleset: Ruleset, worked: WorkedHand) -> Iterator[tuple[str, str]]:
    """Yield each award that the story names, and who took it."""
    awards = {award_name(ruleset, it): {it} for it in ruleset.award_rows if it not in ruleset.given_awards}
    left = {award_name(ruleset, it): [*row] for it, row in ruleset.award_rows.items() if len(row) > 1}
    kinds = {award: ruleset.kinds[award] for award in ruleset.given_awards}
    turned = {a_card(kind.rank): award for award, kind in kinds.items() if isinstance(kind, TurnedUp)}
    story = " ".join(worked.story)
    given = [(turned[found["card"]], found) for found in KICK.finditer(story)]
    for award, found in (*given, *(("gift", found) for found in GIFT.finditer(story))):
        assert ruleset.in_play[award].points == int(found["points"])
        yield award, found["who"]
    text = re.sub(r"(Ann) (bids \w+|shoots the moon) and take", r"\1 \2. \1 take", " ".join(worked.story))
    for clause in re.split(r"[.;] ?", text):
        taking = CLAUSE.match(clause)
        if taking is None:
            continue
        who = taking["who"] if taking["who"] in worked.sides else re.split(r", | and ", taking["who"])[0]
        named = re.split(r", | and ", taking["what"].removeprefix("everything but "))
        everything = set(ruleset.usual_awards)
        alike = {name: several for name in named for several in left if name.endswith(f"{several[2:]}s")}
        alike |= {name: name for name in named if name in left}
        for name, several in alike.items():
            number = 1 if name == several else NUMBERS.index(name.split(" ")[0])
            awards[name] = {left[several].pop(0) for _ in range(number)}
        mine = set().union(*(awards[name] for name in named)) if taking["what"] != "every point" else everything
        if taking["what"].startswith("everything but "):
            mine = everything - mine
        assert sum(ruleset.in_play[award].points for award in mine) == int(taking["points"])
        yield from ((award, who) for award in mine)


def number(text: str) -> int:
    """Return a score, or money in cents."""
    digits = text.lstrip("+−").replace("$", "")
    whole = round(float(digits) * 100) if "$" in text else int(digits)
    return -whole if text.startswith("−") else whole


def check(ruleset: Ruleset) -> None:
    """Hold the worked hands of a ruleset against what the engine makes of their words."""
    hands = worked_hands(ruleset)
    assert 1 <= len(hands) <= 2
    assert len({worked.title for worked in hands}) == len(hands)
    assert hands[0].title == ("A made bid" if ruleset.bidding.auction else "A hand")
    for worked in hands:
        played = told(ruleset, worked)
        (result,) = played.state.results
        assert result.score is not None
        instead = {ruleset.in_place_of.get(award, award) for award in played.taken}
        assert instead - {*ruleset.given_awards} == set(ruleset.usual_awards)
        assert worked.is_set == (result.score.made is False)
        rows = {row.label: tuple(map(number, row.scores)) for row in worked.rows}
        if ruleset.money.settles == "hand":
            assert rows["This hand"] == tuple((result.score.payments or {})[side] for side in worked.sides)
        else:
            assert rows["This hand"] == tuple(result.deltas[side] for side in worked.sides)
            assert rows["After"] == tuple(result.scores[side] for side in worked.sides)
        if "To settle" in rows:
            assert rows["To settle"] == tuple((played.state.money or {})[side] for side in worked.sides)
        sums = tuple(one + two for one, two in zip(rows["Before"], rows["This hand"], strict=True))
        assert sums == rows["After"]
        assert 1 <= len(worked.story) <= 3
        assert worked.result.endswith(".")
        assert ("makes the bid" in worked.result) <= (result.score.made is True)
        assert not re.search(r"[{}_]|\bNone\b|  ", " ".join((*worked.story, worked.result)))


def hand_points(played: Told, **changes: Any) -> dict[str, int]:
    """Return what each side scores with a hand that is changed a little."""
    (hand,) = played.record.hands
    (result,) = play_under(replace(played.record, hands=(replace(hand, **changes),)), played.ruleset).results
    assert result.score is not None
    return dict(result.deltas)


def check_what_is_seldom(ruleset: Ruleset) -> None:
    """Hold what a sheet says of a missing card, a kick that comes twice and a penalty against the engine."""
    if ruleset.money.settles == "hand" or not ruleset.in_play:
        return
    said = {rule.id: rule.text for rule in rule_sheet(ruleset).rules}
    played = told(ruleset, worked_hands(ruleset)[0])
    rules, sides = played.ruleset, [name for name, _ in played.record.sides or ()]
    first, other, sign = sides[0], sides[1], rules.sign
    before = hand_points(played)
    # Who has too many may take fewer for nothing, and whoever scores nothing may lose a card.
    is_stopped = rules.winning.defenders_stop_at_one or rules.winning.defenders_stop_short
    for award, who in played.taken.items() if not is_stopped and rules.answer("defenders_score") != "none" else ():
        if "count.missing" in said and award in rules.missing_awards and who != first:
            scored = hand_points(played, taken={**played.taken, award: None})
            assert scored[who] == before[who] - sign * rules.worth(award)
    for twice in {*played.taken} & {*rules.turned_awards} if rules.points.turned_cards == "each" else ():
        who = played.taken[twice]
        assert "each" in said["count.turned_cards"].lower()
        assert hand_points(played, times={twice: 2})[who] == before[who] + sign * rules.worth(twice)
    lost, given = hand_points(played, penalties={first: 1}), hand_points(played, penalties_to={other: 1})
    assert lost[first] == before[first] - sign
    assert is_stopped or given[other] == before[other] + sign


@given(agreed_rules())
def test_what_is_seldom_scores_as_the_sheet_says_whatever_the_house_plays(ruleset: Ruleset) -> None:
    check_what_is_seldom(ruleset)


@each_ruleset
def test_what_is_seldom_scores_as_the_sheet_says(ruleset: Ruleset) -> None:
    check_what_is_seldom(ruleset)


@given(agreed_rules())
def test_whatever_the_house_plays_the_engine_says_the_same(ruleset: Ruleset) -> None:
    check(ruleset)


@each_ruleset
def test_the_engine_says_the_same(ruleset: Ruleset) -> None:
    check(ruleset)


@each_ruleset
def test_the_second_hand_is_the_oddest_rule(ruleset: Ruleset) -> None:
    _, second = worked_hands(ruleset)

    assert second.title == SECOND[ruleset.id]


@each_ruleset
def test_the_first_is_made_with_a_point_for_another_side_and_ends_no_match(ruleset: Ruleset) -> None:
    first, *_ = worked_hands(ruleset)

    played = told(ruleset, first).state
    (result,) = played.results
    assert result.score is not None
    assert result.score.made is (True if ruleset.bidding.auction else None)
    assert len(set(told(ruleset, first).taken.values())) > 1
    assert played.outcome is None
    if (target := target_of(ruleset)) is not None:
        assert all(comparable(ruleset, score) < comparable(ruleset, target) for score in result.scores.values())


@pytest.mark.parametrize("ruleset", [it for it in LAW_RULESETS if it.bidding.auction], ids=lambda ruleset: ruleset.id)
def test_somewhere_it_says_what_a_set_costs(ruleset: Ruleset) -> None:
    hands = worked_hands(ruleset)

    bid = told(ruleset, hands[0]).state.results[0].bid
    cost = stake(ruleset, Contract("Ann", bid), made=False)
    said = (
        f"(?:lose|go up|loses|bid of) {cost}"
        if ruleset.money.settles != "hand"
        else rf"pays? each of (?:them|the others) \${cost}\b"
    )
    assert any(re.search(said, worked.result) for worked in hands)


@each_ruleset
def test_sides_are_called_by_their_players(ruleset: Ruleset) -> None:
    for worked in worked_hands(ruleset):
        assert len(worked.sides) <= 5
        assert all(row.scores and len(row.scores) == len(worked.sides) for row in worked.rows)
        assert worked.sides[0].split(" ")[0].rstrip(",") == "Ann"


def second(ruleset_id: str, **house: Any) -> WorkedHand:
    """Return the second hand of a variant with some house rules."""
    changed, faults = with_house(LIBRARY[ruleset_id], house)
    assert not faults
    _, hand = worked_hands(changed)
    return hand


def test_where_the_only_bid_is_the_moon_the_first_hand_makes_it() -> None:
    changed, _ = with_house(LIBRARY["pawnee-call-your-partner"], {"min_bid": 10})
    first, *_ = worked_hands(changed)

    assert first.rows[1].scores[0] == "+42"


def test_a_gift_to_all_but_the_dealer_says_who_gets_it() -> None:
    first, *_ = worked_hands(with_house(LIBRARY["all-fives"], {"gift_to": "others"})[0])

    assert first.story[0] == "Bea deals; Ann begs, and Ann and Cal are given 1 point each."
    assert first.rows[1].scores == ("+15", "+4", "+8")


def test_three_against_three_sit_alternately() -> None:
    first, *_ = worked_hands(LIBRARY["colorado-six-player"])

    assert first.sides == ("Ann, Cal & Eve", "Bea, Dee & Flo")


def test_three_pairs_sit_opposite() -> None:
    first, *_ = worked_hands(LIBRARY["partnership-pitch-six"])

    assert first.sides == ("Ann & Dee", "Bea & Eve", "Cal & Flo")


def test_a_made_bid_that_scores_the_bid_says_so() -> None:
    first, *_ = worked_hands(with_house(LIBRARY["colorado-ten-point"], {"score_on_made": "bid"})[0])

    assert first.rows[1].scores[0] == "+7"
    assert "only the bid, 7" in first.result


def test_where_every_hand_is_paid_the_rows_are_money() -> None:
    first, *_ = worked_hands(LIBRARY["racehorse"])

    assert [row.scores for row in first.rows] == [
        ("−$2", "+$4", "−$2"),
        ("+$4", "−$2", "−$2"),
        ("+$2", "+$2", "−$4"),
    ]


def test_a_set_bid_is_paid_to_each_of_the_others() -> None:
    lost = second("racehorse")

    assert (lost.title, lost.rows[1].scores) == ("A set bid", ("−$4", "+$2", "+$2"))
    assert "Ann pays each of the others $2" in lost.result


def test_against_the_average_it_says_what_settling_up_brings() -> None:
    first, *_ = worked_hands(LIBRARY["money-pitch"])

    assert first.rows[-1].label == "To settle"


def test_a_failed_moon_goes_to_minus_four_from_any_score() -> None:
    moon = second("moon-over-four")

    assert (moon.rows[1].scores[0], moon.rows[2].scores[0]) == ("−12", "−4")
    assert "two sets" in moon.result


def test_a_failed_moon_that_loses_the_match_says_who_wins() -> None:
    assert "loses the match" in second("charbonneau-ten-point").result


def test_a_smudge_with_every_point_fails_for_a_trick() -> None:
    smudge = second("partnership-pitch", win_rule="first_to_target", tie_rule="higher_score")

    assert smudge.story[1] == "Ann & Cal take High, Low, the Jack and Game (4 points)."
    assert smudge.rows[1].scores == ("−5", "0")


def test_a_spared_partner_does_not_lose() -> None:
    lost = second("razzle-dazzle", moon="off", partner_set_too=False)

    assert lost.title == "Partners are set"
    assert lost.rows[1].scores[:2] == ("−7", "0")
    assert "but not Bea" in lost.result


def test_defenders_stop_at_one() -> None:
    assert second("nine-card-pitch").rows[2].scores[1] == "1"


def test_who_did_not_bid_stops_one_short() -> None:
    short = second("canadian-smear")

    assert short.rows[2].scores[1] == "20"
    assert "without the bid Bea stops at 20" in short.result


def test_the_kick_and_the_gift_are_in_the_first_hand_of_a_game_that_has_them() -> None:
    first, *_ = worked_hands(LIBRARY["trinidad-all-fours"])

    assert first.story[0] == "Bea & Dee deal and turn up a six (2 points); Ann & Cal beg and are given 1 point."
    assert first.story[1] == "Ann & Cal take High, the Hang Jack and Game (5 points)."
    assert first.rows[1].scores == ("+6", "+3")


def test_the_lower_score_wins_on_its_own_bid() -> None:
    win = second("partnership-pitch")

    assert win.rows[2].scores == ("21", "26")
    assert "did not bid this hand" in win.result


def test_where_no_target_is_agreed_the_story_says_one() -> None:
    assert second("auction-pitch").story[0].startswith("Playing to 21, ")
    assert second("auction-pitch", target=15).story[0].startswith("Ann bids ")


@each_ruleset
def test_where_two_reach_the_target_both_are_there(ruleset: Ruleset) -> None:
    for worked in worked_hands(ruleset):
        if worked.title.startswith("Two reach"):
            goal, after = int(worked.title.split()[-1]), [int(total) for total in worked.rows[-1].scores]
            assert sum(comparable(ruleset, total) >= comparable(ruleset, goal) for total in after) > 1, worked


@each_ruleset
def test_a_hand_that_ends_a_match_says_who_wins(ruleset: Ruleset) -> None:
    sheet = rule_sheet(ruleset)
    hands = [hand for hand in (*sheet.hands, sheet.spare_hand) if hand]

    ended = [hand for hand in hands if hand.title.startswith(("A win", "Two reach", "Every point"))]

    assert not [hand.result for hand in ended if not re.search(r"\bwins?\b", hand.result)]
    assert not [
        hand.story for hand in hands if hand.title != "A failed moon" and "everything but" in " ".join(hand.story)
    ]


def test_what_is_paid_is_no_part_of_a_cent() -> None:
    """The average of the scores is even in every hand that is settled, and not 8⅔."""
    sheet = rule_sheet(LIBRARY["money-pitch"])

    for hand in (*sheet.hands, *([sheet.spare_hand] if sheet.spare_hand else [])):
        (after,) = [row.scores for row in hand.rows if row.is_total]
        assert sum(map(int, after)) % len(after) == 0


@each_ruleset
def test_the_spare_hand_is_a_set_or_a_tie(ruleset: Ruleset) -> None:
    sheet = rule_sheet(ruleset)
    spare = sheet.spare_hand

    assert spare is None or spare.is_set or spare.title.startswith(("A win from behind", "Two reach"))
