"""One letter for each name, to stand in a marker."""

from collections.abc import Sequence


def letters_of(names: Sequence[str]) -> tuple[str, ...]:
    """Give each name its first letter; where that is taken, the first that differs, else a number."""
    taken: list[str] = []
    for i, name in enumerate(names):
        firsts = [letter.upper() for letter in name if letter.isalnum()]
        usual = firsts[:1] if sum(_first(other) == _first(name) for other in names) == 1 else firsts
        taken.append(next((letter for letter in usual if letter not in taken), str(i + 1)))
    return tuple(taken)


def _first(name: str) -> str:
    return next((letter.upper() for letter in name if letter.isalnum()), "")
