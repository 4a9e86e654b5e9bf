"""The forms of a night: how it starts, the names of a pair, and who sits at which table."""

import re
from dataclasses import dataclass

from flask import request

from scorekeeper.ladder.limits import MOST_IN_PAIR, MOST_SCORE
from scorekeeper.ladder.night import Night
from scorekeeper.ladder.words import MINUS
from scorekeeper.ledger.limits import TITLE_LENGTH
from scorekeeper.ledger.refusals import refusal

_SCORE = re.compile(rf"[{MINUS}-]?[0-9]{{1,3}}")
USUAL_ROUNDS, USUAL_SIZE = 6, 2
LONGEST_TYPED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class NightForm:
    """How a night starts, as it was typed."""

    title: str = ""
    rounds: str = str(USUAL_ROUNDS)
    size: str = str(USUAL_SIZE)
    variant: str = ""


def read_night_form() -> NightForm:
    """Return the form that was posted."""
    form = request.form
    return NightForm(
        title=" ".join(form.get("title", "")[: 2 * TITLE_LENGTH].split()),
        rounds=form.get("rounds", "")[:LONGEST_TYPED].strip(),
        size=form.get("size", str(USUAL_SIZE))[:LONGEST_TYPED],
        variant=form.get("variant", "")[:LONGEST_TYPED],
    )


def read_number(typed: str) -> int:
    """Return a small whole number; -1 for what is none."""
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 5 else -1


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultForm:
    """How a game ended, as it was typed."""

    winner: int | None
    pairs: tuple[int, int]
    typed: tuple[str, str]
    """The score of each pair."""

    def scores(self) -> tuple[int, int] | None:
        """Return both scores, `None` where neither was typed; raises `Refused`."""
        if not any(self.typed):
            return None
        for pair, typed in zip(self.pairs, self.typed, strict=True):
            if not typed:
                raise refusal(f"score-{pair}", "needed", "Type both scores, or neither.")
            if not _SCORE.fullmatch(typed):
                raise refusal(f"score-{pair}", "score", f"A score goes from {MINUS}{MOST_SCORE} to {MOST_SCORE}.")
        first, second = (int(typed.replace(MINUS, "-")) for typed in self.typed)
        return first, second


def read_winner() -> int | None:
    """Return the uid of the pair that was tapped; `None` where that clears it."""
    winner = request.form.get("winner", "")
    return read_number(winner) if winner else None


def read_result(pairs: tuple[int, int]) -> ResultForm:
    """Return how a game between two pairs ended."""
    first, second = (request.form.get(f"score-{pair}", "")[:LONGEST_TYPED].strip() for pair in pairs)
    return ResultForm(winner=read_winner(), pairs=pairs, typed=(first, second))


def read_players() -> list[str]:
    """Return the names of a pair, without those left empty at the end."""
    names = [
        " ".join(request.form.get(f"players-{place}", "")[:LONGEST_TYPED].split()) for place in range(MOST_IN_PAIR)
    ]
    while len(names) > 1 and not names[-1]:
        names.pop()
    return names


def read_tables(night: Night) -> tuple[dict[int, int], list[tuple[int, int]], int | None]:
    """Return the table chosen for each pair, the tables from the lowest up, and who sits out.

    Tables that have not two pairs are left out, so that the night refuses them.
    """
    chosen = {uid: read_number(request.form.get(f"table-{uid}", "")) for uid in night.present}
    at: dict[int, list[int]] = {}
    for uid, table in chosen.items():
        at.setdefault(table, []).append(uid)
    out = at.pop(0, [])
    tables = [(pairs[0], pairs[1]) for _, pairs in sorted(at.items()) if len(pairs) == 2]
    return chosen, tables, out[0] if len(out) == 1 else None


def wrong_tables(night: Night, chosen: dict[int, int]) -> str:
    """Return which table has not two pairs; empty where each has."""
    top = len(night.present) // 2
    for table in range(1, top + 1):
        number = sum(it == table for it in chosen.values())
        if number != 2:
            return f"Table {table} has {number} pair{'' if number == 1 else 's'}; it needs 2."
    return ""
