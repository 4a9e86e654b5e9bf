"""Who has a name at a table, as it was stored."""

from datetime import UTC, datetime

import pytest

from scorekeeper.matches.setup import MatchSetup, SetupSeat, SetupSide


def setup(seat: SetupSeat, side: SetupSide) -> MatchSetup:
    """Return how a match of two began, each alone."""
    return MatchSetup(
        id=0,
        uid="u" * 22,
        created_at=datetime(2026, 11, 20, tzinfo=UTC),
        variant="cutthroat-pitch",
        house={},
        digest="",
        seats=(SetupSeat("p1", "Ann"), seat),
        sides=(SetupSide("p1", None, ("p1",)), side),
        start={},
        first_dealer=None,
        title="",
        played_on=None,
        place=None,
        note=None,
    )


@pytest.mark.parametrize(
    ("seat", "side"),
    [
        (SetupSeat("p2", "Seat 2", unnamed=True), SetupSide("p2", None, ("p2",))),
        # As stored by versions in which only a player without a partner could be without a name.
        (SetupSeat("p2", "Seat 2"), SetupSide("p2", None, ("p2",), unnamed=2)),
    ],
)
def test_a_seat_without_a_name_has_one_from_when_it_is_given(seat: SetupSeat, side: SetupSide) -> None:
    match = setup(seat, side)

    assert [match.is_nameless(who, {}) for who in ("p1", "p2")] == [False, True]
    assert match.record_names({}) == {"p1": "Ann", "p2": "Seat 2"}
    assert not match.is_nameless("p2", {"p2": "Bea"})


def test_whoever_is_called_like_a_seat_has_a_name() -> None:
    assert not setup(SetupSeat("p2", "Seat 2"), SetupSide("p2", None, ("p2",))).is_nameless("p2", {})
