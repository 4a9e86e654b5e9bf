"""The letters of markers."""

import pytest

from scorekeeper.pitch.drawings.markers import distinct_letters


@pytest.mark.parametrize(
    ("names", "letters"),
    [
        (("Us", "Them"), "U T"),
        (("The Hoffs", "The Garcias"), "H G"),
        (("the Hoffs", "Thea"), "H T"),
        (("The", "Bea"), "T B"),
        (("Seat 1", "Seat 2", "Seat 3"), "1 2 3"),
        (("Seat 1", "Bea", "Seat 3"), "1 B 3"),
        (("Side 1", "Side 2", "Side 3"), "1 2 3"),
        (("Sue & Seat 3", "Seat 2 & Seat 4"), "Su Se"),
    ],
)
def test_a_family_has_the_letter_of_its_name(names: tuple[str, ...], letters: str) -> None:
    assert " ".join(distinct_letters(names)) == letters


@pytest.mark.parametrize(
    ("names", "letters"),
    [
        (("Mike", "Mary"), ("Mi", "Ma")),
        (("Mike", "Bea", "MARY"), ("Mi", "B", "Ma")),
        (("Ann", "Abe", "Bea"), ("An", "Ab", "B")),
        (("M", "Mike", "Mary"), ("M", "Mi", "Ma")),
        (("Élodie", "Éric"), ("Él", "Ér")),
        (("Mike", "Mia", "Mary"), ("", "", "Ma")),
        (("Seat 1", "1 More"), ("1", "1m")),
        (("♠", "♥"), ("", "")),
    ],
)
def test_two_letters_or_none_where_one_is_taken_and_never_one_from_the_middle(
    names: tuple[str, ...], letters: tuple[str, ...]
) -> None:
    assert distinct_letters(names) == letters
