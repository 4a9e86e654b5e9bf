"""Every kind of award has each of its properties and a true sentence for every way to win it."""

import re
from typing import get_args

import pytest

from scorekeeper.pitch.rules.awards import (
    AwardKind,
    CardFace,
    CaughtTrump,
    GamePoint,
    Gift,
    HighestSpade,
    HighestTrump,
    HowWon,
    Joker,
    LastTrick,
    LowestTrump,
    OffTrump,
    OneTrump,
    PlainCard,
    Trump,
    TurnedCard,
    award_description,
    card_face,
    parse_kind,
    scorer_sentence,
)
from tests.common.each import each

ALL_HOW_WON: tuple[HowWon, ...] = get_args(HowWon)

KINDS = [
    ("high", "A", HighestTrump(Trump("A")), "the highest trump in play", CardFace("A", "trump")),
    ("low", "6", LowestTrump(Trump("6")), "the lowest trump in play", CardFace("6", "trump")),
    ("ten", "10", OneTrump(Trump("10")), "the ten of trumps", CardFace("10", "trump")),
    ("left", "off J", OneTrump(OffTrump("J")), "the other jack of the trump color", CardFace("J", "off")),
    ("joker", "joker", OneTrump(Joker.ONLY), "the joker", CardFace(icon="hij")),
    ("high_joker", "high joker", OneTrump(Joker.HIGH), "the high joker", CardFace(icon="hij")),
    ("low_joker", "low joker", OneTrump(Joker.LOW), "the low joker", CardFace(icon="loj")),
    ("five_1", "plain 5", PlainCard("5"), "a five that is not a trump", CardFace("5")),
    ("high_spade", "spade", HighestSpade(), "the highest spade in play", CardFace("A", "spades")),
    ("last_trick", "trick", LastTrick(), "the last trick", CardFace(icon="cards")),
    ("game", "count", GamePoint(), "the most card points in tricks", CardFace(icon="cards")),
    ("turned_ace", "turned A", TurnedCard("A"), "an ace turned up for trump", CardFace("A", "trump")),
    ("gift", "gift", Gift(), "a point given to a beggar", CardFace(icon="cards")),
    ("hang_jack", "caught J", CaughtTrump(Trump("J")), "the jack of trumps, caught", CardFace("J", "trump")),
]
each_kind = each("kind", [kind for _, _, kind, _, _ in KINDS])


def test_every_kind_is_tested() -> None:
    assert {type(kind) for _, _, kind, _, _ in KINDS} == set(get_args(AwardKind))


@pytest.mark.parametrize(("award_id", "card", "kind", "words", "picture"), KINDS, ids=[kind[0] for kind in KINDS])
def test_a_kind_is_read_described_and_pictured(
    award_id: str, card: str, kind: AwardKind, words: str, picture: CardFace
) -> None:
    assert parse_kind(award_id, card) == kind
    assert award_description(kind) == words
    assert card_face(kind) == picture


def test_game_that_the_ten_of_trumps_decides_shows_it() -> None:
    assert card_face(GamePoint(), "captured") == CardFace("10", "trump")


@each_kind
@pytest.mark.parametrize("is_dirty", [False, True])
@pytest.mark.parametrize("how", ALL_HOW_WON)
def test_a_kind_has_a_sentence_for_every_way_to_win_it(kind: AwardKind, how: HowWon, is_dirty: bool) -> None:
    sentence = scorer_sentence(kind, how, is_dirty=is_dirty)

    assert sentence.endswith(".")
    assert sentence.startswith("{scorer")
    names_the_card = re.search(r"\bthe card\b(?! points)", sentence) is not None
    assert names_the_card == (isinstance(kind, OneTrump) and how != "card_points")


@pytest.mark.parametrize("card", ["", "J of trumps", "off", "off joker", "11", "jack", "count "])
def test_what_is_no_card_is_no_kind(card: str) -> None:
    with pytest.raises(ValueError, match="not a valid Joker"):
        parse_kind("jack", card)
