"""Who pays whom, payment by payment."""

import pytest

from scorekeeper.pitch.text.phrases import IDS_AS_NAMES
from scorekeeper.pitch.text.standing import dollar_text, payment_sentences


def test_partners_who_owe_two_pay_both() -> None:
    assert payment_sentences({"A": 100, "B & D": -300, "C": 200}, IDS_AS_NAMES) == ("B & D pay A $1", "B & D pay C $2")


@pytest.mark.parametrize(("cents", "words"), [(150, "+$1.50"), (-50, "−$0.50"), (300, "+$3"), (0, "$0")])
def test_money_in_the_place_of_a_score(cents: int, words: str) -> None:
    assert dollar_text(cents) == words
