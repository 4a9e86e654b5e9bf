"""The forms of a night: how it starts, the names of a pair, and who sits at which table."""

from dataclasses import dataclass

from flask import request

from scorekeeper.ladder.limits import MOST_IN_PAIR
from scorekeeper.ladder.night import Night
from scorekeeper.ledger.limits import TITLE_LENGTH

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
