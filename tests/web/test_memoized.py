"""What pages make of a match is computed once for each of what else it depends on."""

from typing import cast

from scorekeeper.matches.fold import Match
from scorekeeper.web.match_views import memoized


class AnyMatch:
    """As much of a match as memoizing takes."""

    def __init__(self) -> None:
        self.memo: dict[object, object] = {}


def a_match() -> Match:
    return cast(Match, AnyMatch())


def test_what_else_it_takes_is_told_apart_however_it_is_given() -> None:
    @memoized
    def written(match: Match, style: str, *, is_long: bool = False) -> str:
        return f"{style}{is_long}"

    match = a_match()

    assert [written(match, "a"), written(match, "b")] == ["aFalse", "bFalse"]
    assert [written(match, style="c"), written(match, style="d")] == ["cFalse", "dFalse"]
    assert [written(match, "a", is_long=True), written(match, "a", is_long=False)] == ["aTrue", "aFalse"]
