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
