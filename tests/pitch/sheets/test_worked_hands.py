"""The worked hands are scored by the engine, whatever the house plays; the first is a made bid, the second odd."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import example, given

from scorekeeper.pitch.records.record import Record, RefusedRecord
from scorekeeper.pitch.records.result import play_record_under
from scorekeeper.pitch.rules.awards import TurnedCard, rank_with_article
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.phrases import NUMBER_WORDS, award_name
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import Hand
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.pitch.scoring.standing import comparable_score, target_score
from scorekeeper.pitch.sheets.parts import WorkedHand
from scorekeeper.pitch.sheets.rule_sheet import rule_sheet
from scorekeeper.pitch.sheets.worked_hands import worked_hands
from tests.common.library import LIBRARY, each_ruleset
from tests.common.tables import table
from tests.pitch.rules.random_house_rules import agreed_rules


@dataclass(frozen=True)
class PlayedHand:
    """A worked hand, played again from its own words."""

    ruleset: Ruleset
    record: Record
    state: MatchState
    taken: Mapping[str, str]


CLAUSE = re.compile(r"(?P<who>[A-Z][\w&, ]*?)(?: together)? takes? (?P<what>.+) \((?P<points>\d+) points?\)$")


KICK = re.compile(r"(?P<who>[A-Z][\w&, ]*?) deals? and turns? up (?P<card>an? \w+) \((?P<points>\d+) points?\)")
GIFT = re.compile(r"(?P<who>[A-Z][\w& ]*?) begs?,? and (?:[A-Z][\w&, ]* )?(?:is|are) given (?P<points>\d+) points?")
DEALER = re.compile(r"(?P<who>[A-Z][\w& ]*?) deals?\b")


def play_worked_hand(ruleset: Ruleset, worked: WorkedHand) -> PlayedHand:
    """Play a worked hand by its words, from its scores."""
    text = " ".join(worked.story)
    if target := re.search(r"(?:Playing|match is) to (\d+)", text):
        ruleset = ruleset.copy_with(winning=ruleset.winning.copy_with(target=int(target[1])))
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
    return PlayedHand(ruleset, record, play_record_under(record, ruleset), taken)


def takers(ruleset: Ruleset, worked: WorkedHand) -> Iterator[tuple[str, str]]:
    """Yield each award that the story names, and who took it."""
    awards = {
        award_name(ruleset, award_id): {award_id}
        for award_id in ruleset.award_rows
        if award_id not in ruleset.given_awards
    }
    left = {award_name(ruleset, award_id): [*row] for award_id, row in ruleset.award_rows.items() if len(row) > 1}
    kinds = {award: ruleset.kinds[award] for award in ruleset.given_awards}
    turned = {rank_with_article(kind.rank): award for award, kind in kinds.items() if isinstance(kind, TurnedCard)}
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
            number = 1 if name == several else NUMBER_WORDS.index(name.split(" ")[0])
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
        played = play_worked_hand(ruleset, worked)
        (result,) = played.state.results
        assert result.score is not None
        instead = {ruleset.replaced_award_by_caught.get(award, award) for award in played.taken}
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


def hand_points(played: PlayedHand, **changes: Any) -> dict[str, int]:
    """Return what each side scores with a hand that is changed a little."""
    (hand,) = played.record.hands
    (result,) = play_record_under(replace(played.record, hands=(replace(hand, **changes),)), played.ruleset).results
    assert result.score is not None
    return dict(result.deltas)


def check_what_is_seldom(ruleset: Ruleset) -> None:
    """Check the sheet's rules about a missing card, a second kick and a penalty against the engine."""
    if ruleset.money.settles == "hand" or not ruleset.in_play:
        return
    sentences = {rule.id: rule.text for rule in rule_sheet(ruleset).rules}
    played = play_worked_hand(ruleset, worked_hands(ruleset)[0])
    rules, sides = played.ruleset, [name for name, _ in played.record.sides or ()]
    first, other, sign = sides[0], sides[1], rules.score_sign
    before = hand_points(played)
    # A side past its limit may take fewer points at no cost, and one that scores nothing may lose a card.
    is_stopped = rules.winning.defenders_stop_at_one or rules.winning.defenders_stop_short
    for award, who in played.taken.items() if not is_stopped and rules.answer("defenders_score") != "none" else ():
        if "count.missing" in sentences and award in rules.awards_maybe_out_of_play and who != first:
            try:
                scored = hand_points(played, taken={**played.taken, award: None})
            except RefusedRecord as refused:
                if any(item.fault.code != "same_card" for item in refused.faults):
                    raise
                continue  # without the deuce the trey is Low, and one side has both
            assert scored[who] == before[who] - sign * rules.worth(award)
    # A gift is given only over the first card turned up.
    is_given = not {*rules.given_awards}.difference(rules.turned_awards).isdisjoint(played.taken)
    scores_each = rules.points.turned_cards == "each" and not is_given
    for twice in {*played.taken} & {*rules.turned_awards} if scores_each else ():
        who = played.taken[twice]
        assert "each" in sentences["count.turned_cards"].lower()
        assert hand_points(played, times={twice: 2})[who] == before[who] + sign * rules.worth(twice)
    lost, given = hand_points(played, penalties={first: 1}), hand_points(played, penalties_to={other: 1})
    assert lost[first] == before[first] - sign
    assert is_stopped or given[other] == before[other] + sign


@given(agreed_rules)
@example(with_house(LIBRARY["lancashire-all-fours"], {"jokers": 0, "deuce": True, "low": "captured", "trey": True})[0])
def test_whatever_the_house_plays_the_engine_says_the_same(ruleset: Ruleset) -> None:
    check(ruleset)
    check_what_is_seldom(ruleset)


@each_ruleset
def test_the_engine_says_the_same(ruleset: Ruleset) -> None:
    check(ruleset)
    check_what_is_seldom(ruleset)


@each_ruleset
def test_the_first_is_made_with_a_point_for_another_side_and_ends_no_match(ruleset: Ruleset) -> None:
    first, *_ = worked_hands(ruleset)

    played = play_worked_hand(ruleset, first).state
    (result,) = played.results
    assert result.score is not None
    assert result.score.made is (True if ruleset.bidding.auction else None)
    assert len(set(play_worked_hand(ruleset, first).taken.values())) > 1
    assert played.outcome is None
    if (target := target_score(ruleset)) is not None:
        assert all(
            comparable_score(ruleset, score) < comparable_score(ruleset, target) for score in result.scores.values()
        )


@pytest.mark.parametrize("hand", table(__file__, "worked_hands.toml")["hand"], ids=lambda hand: hand["name"])
def test_a_house_has_its_own_worked_hands(hand: dict[str, Any]) -> None:
    changed, faults = with_house(LIBRARY[hand["game"]], hand["house"])
    worked = worked_hands(changed)[hand["number"]]

    assert not faults
    assert hand["says"] in " ".join((*worked.story, worked.result))
    assert [*worked.rows[1].scores[: len(hand["scores"])]] == hand["scores"]
    assert ("Playing to" in worked.story[0]) == bool(changed.open_options)
