"""The words for the lines of a hand's score."""

from scorekeeper.pitch.scoring.hand_score import Reason
from scorekeeper.pitch.text.hands import WORDS_BY_REASON

OF_THE_BID = {Reason.MADE_BID, Reason.MADE_SPECIAL, Reason.WENT_SET}


def test_every_line_of_a_score_has_words() -> None:
    assert {*WORDS_BY_REASON} | OF_THE_BID == {*Reason}
