"""A test of many values fails with each that fails, and goes on after it."""

import pytest

from tests.common.each import each


def test_every_value_is_tried_and_each_that_fails_is_named() -> None:
    tried: list[int] = []

    @each("number", [1, 2, 3, 4], lambda number: f"no. {number}")
    def is_neither(number: int, seen: list[int]) -> None:
        seen.append(number)
        assert number != 2
        if number == 4:
            pytest.fail("is even")

    with pytest.raises(BaseExceptionGroup, match="2 of 4 fail") as failed:
        is_neither(seen=tried)

    assert tried == [1, 2, 3, 4]
    assert [error.__notes__ for error in failed.value.exceptions] == [["number: no. 2"], ["number: no. 4"]]


def test_without_a_value_it_fails() -> None:
    @each("number", [])
    def is_any(number: int) -> None:
        assert number

    with pytest.raises(AssertionError, match="there is no number to test"):
        is_any()


@each("letter", "ab")
@pytest.mark.parametrize("number", [1, 2])
def test_fixtures_and_other_parameters_come_as_ever(tmp_path: object, letter: str, number: int) -> None:
    assert tmp_path
    assert letter in "ab"
    assert number in (1, 2)
