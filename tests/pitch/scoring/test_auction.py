"""The bidding, call by call."""

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.scoring.auction import open_auction
from scorekeeper.pitch.scoring.seats import seat
from tests.common.library import LIBRARY
from tests.pitch.scoring.strategies import legal_calls

PITCH_ON = {"pitching": True}


def test_the_first_to_speak_sits_on_the_dealers_left() -> None:
    ruleset, _ = with_house(LIBRARY["partnership-pitch"], PITCH_ON)
    seats, _ = seat(ruleset, "ABCD", None)
    assert seats

    auction = open_auction(seats, "B")

    assert auction.waiting == ("C", "D", "A", "B")
    assert legal_calls(ruleset, auction) == ("pass", 2, 3, 4, "smudge", "pitch")
