"""The forms of a night: how it starts, the names of a pair, and who sits at which table."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from flask import request

from scorekeeper.ladder.limits import MOST_IN_PAIR, MOST_SCORE
from scorekeeper.ladder.night import Night
from scorekeeper.ladder.words import MINUS
from scorekeeper.ledger.limits import TITLE_LENGTH
from scorekeeper.ledger.refusals import refusal
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.night_matches import seats_pairs
from scorekeeper.web.new_match.form import ANSWER_PREFIX, OTHER_PREFIX, PARTNERS, SEATING_FIELD, TableForm, read_form
from scorekeeper.web.shared.library import library

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
    game: TableForm | None = None
    """What is answered of the game that is chosen; `None` where none is."""

    @property
    def left_open(self) -> tuple[str, ...]:
        """What the game leaves up to the players."""
        return self.game.ruleset.open_options if self.game else ()

    def find_size_faults(self) -> Iterator[Fault]:
        """Find why the game does not seat those who play together."""
        if self.game and not seats_pairs(self.game.ruleset.table, read_number(self.size)):
            against = f"{self.game.ruleset.name} does not seat {self.size} against {self.size}."
            yield Fault("variant", "wrong_number", f"{against} Change the game, or how many play together.")

    def find_answer_faults(self) -> Iterator[Fault]:
        """Find what the game leaves open and nobody answered, and answers that cannot be."""
        if self.game is None:
            return
        faults = list(self.game.find_faults())
        yield from faults
        if not faults:
            for fault in with_house(self.game.ruleset, self.game.house)[1]:
                yield replace(fault, field=f"house.{fault.field}")


def read_night_form() -> NightForm:
    """Return the form that was posted."""
    form = request.form
    variant = form.get("variant", "")[:LONGEST_TYPED]
    ruleset = library()[variant] if variant in library() else None
    return NightForm(
        title=" ".join(form.get("title", "")[: 2 * TITLE_LENGTH].split()),
        rounds=form.get("rounds", "")[:LONGEST_TYPED].strip(),
        size=form.get("size", str(USUAL_SIZE))[:LONGEST_TYPED],
        variant=ruleset.id if ruleset else "",
        game=read_game(ruleset, form) if ruleset else None,
    )


def read_game(ruleset: Ruleset, posted: Mapping[str, str]) -> TableForm:
    """Return what was answered of all that a game leaves open; pairs are partners wherever they may be."""
    answers = {
        f"{prefix}{option}": posted.get(f"{prefix}{option}", "")[:LONGEST_TYPED]
        for prefix in (ANSWER_PREFIX, OTHER_PREFIX)
        for option in ruleset.open_options
    }
    return read_form(ruleset, {**answers, SEATING_FIELD: PARTNERS})


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
