"""The letters of markers."""

import pytest

from scorekeeper.graphics.markers import distinct_letters


@pytest.mark.parametrize(
    ("names", "letters"),
    [
        (("Us", "Them"), "UT"),
        (("The Hoffs", "The Garcias"), "HG"),
        (("the Hoffs", "Thea"), "HT"),
        (("The", "Bea"), "TB"),
        (("Ann", "Abe"), "AB"),
        (("Seat 1", "Seat 2", "Seat 3"), "123"),
        (("Seat 1", "Bea", "Seat 3"), "1B3"),
        (("Side 1", "Side 2", "Side 3"), "123"),
    ],
)
def test_a_family_has_the_letter_of_its_name(names: tuple[str, ...], letters: str) -> None:
    assert "".join(distinct_letters(names)) == letters
