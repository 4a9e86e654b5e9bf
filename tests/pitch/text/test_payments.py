"""Who pays whom, payment by payment."""

import pytest

from scorekeeper.pitch.text.phrases import IDS_AS_NAMES
from scorekeeper.pitch.text.standing import dollar_text, payment_sentences


def test_one_who_owes_two_pays_both() -> None:
    assert payment_sentences({"A": 10, "B": -15, "C": 5}, IDS_AS_NAMES) == ("B pays A 10 cents", "B pays C 5 cents")


def test_partners_who_owe_pay_together() -> None:
    assert payment_sentences({"A & C": -10, "B & D": 10}, IDS_AS_NAMES) == ("A & C pay B & D 10 cents",)


@pytest.mark.parametrize(("cents", "words"), [(150, "+$1.50"), (-50, "−$0.50"), (300, "+$3"), (0, "$0")])
def test_money_in_the_place_of_a_score(cents: int, words: str) -> None:
    assert dollar_text(cents) == words
