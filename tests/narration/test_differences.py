"""What a correction changed, in words."""

from dataclasses import replace

import pytest

from scorekeeper.engine.hand import Hand
from scorekeeper.narration.change_log import changed_words

NAMES = {"p1": "Ann", "p2": "Bo", "s1": "Us", "s2": "Them"}
AWARDS = {"high": "High", "low": "Low"}
HAND = Hand(bidder="p1", bid=3, taken={"high": "s1", "low": "s2"}, card_points={"s1": 40}, all_tricks=False)


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (HAND, ""),
        (replace(HAND, bid=4, bidder="p2"), "bidder Ann → Bo, bid 3 → 4"),
        (replace(HAND, bid="double_moon"), "bid 3 → double moon"),
        (replace(HAND, dealer="p2", trump="hearts"), "dealer not said → Bo, trump not said → hearts"),
        (replace(HAND, partner="p2"), "partner not said → Bo"),
        (replace(HAND, alone=True), "partner not said → alone"),
        (replace(HAND, all_tricks=True), "every trick no → yes"),
        (replace(HAND, overtook_pitch=True), "led card outbid not said → yes"),
        (replace(HAND, taken={"high": None, "low": "bidders"}), "High Us → nobody, Low Them → the bidders"),
        (replace(HAND, taken={"high": "s1"}), "Low Them → not said"),
        (replace(HAND, card_points={"s1": 41}), "card points of Us 40 → 41"),
        (replace(HAND, card_points={"s1": 40, "s2": 7}), "card points of Them not said → 7"),
        (replace(HAND, auction=(), note="rain", house={"low": "held"}), "the calls, the note, the rules"),
    ],
)
def test_the_old_is_beside_the_new(after: Hand, words: str) -> None:
    assert changed_words(HAND, after, NAMES, AWARDS) == words
