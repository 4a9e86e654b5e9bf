"""A hand in a few words: who bid what, what came of it, and who scored the same."""

from collections.abc import Sequence

from scorekeeper.engine.matches import HandResult, MatchState
from scorekeeper.engine.scoring import ScoreLine
from scorekeeper.engine.words.lines import line_words
from scorekeeper.engine.words.phrases import bid_word


def bid_words(result: HandResult) -> str:
    """Say who bid what: "Dan 2", "Cleo 7 with Ann", "Misdeal"."""
    if result.status == "thrown_in":
        return "Misdeal" if result.hand.thrown_in == "misdeal" else "All passed"
    if result.set_taken_by:
        return f"{result.set_taken_by} took the set"
    if result.bidder is None:
        return "Played"
    said = f"{result.bidder} {bid_word(result.bid)}" if result.bid is not None else result.bidder
    if result.hand.partner:
        return f"{said} with {result.hand.partner}"
    return f"{said} alone" if result.hand.alone else said


def outcome_of(result: HandResult) -> tuple[str, str]:
    """Give the word for what came of a bid, and its kind."""
    if result.status == "after_end":
        return "after the end", ""
    if result.status in ("bid", "bidding"):
        return "not finished", ""
    if result.score is None or result.score.made is None:
        return "", ""
    return ("made", "made") if result.score.made else ("set", "set")


def shared_lines(lines: Sequence[ScoreLine]) -> dict[tuple[str, ...], list[ScoreLine]]:
    """Put together the sides whose lines are the same."""
    by_side: dict[str, list[ScoreLine]] = {}
    for line in lines:
        by_side.setdefault(line.side, []).append(line)
    together: dict[tuple[object, ...], list[str]] = {}
    for side, own in by_side.items():
        together.setdefault(tuple((line.points, line.reason, line.award) for line in own), []).append(side)
    return {tuple(names): by_side[names[0]] for names in together.values()}


def award_words(result: HandResult, line: ScoreLine) -> str:
    """Name an award with what decided it: "Game, 44 to 36"."""
    words = line_words(result, line)
    if line.award == "game" and result.hand.card_points:
        return f"{words}, {' to '.join(str(n) for n in sorted(result.hand.card_points.values(), reverse=True))}"
    return words


def last_scored(state: MatchState) -> HandResult | None:
    """Give the last hand that counted."""
    return next((hand for hand in reversed(state.hands) if hand.status == "scored"), None)
