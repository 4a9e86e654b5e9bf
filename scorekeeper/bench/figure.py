"""A figure: what was measured, the least that it could be, and how much is allowed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One thing that was measured. `value`, `floor` and `limit` are in the same unit, so `ok` is `value <= limit`."""

    name: str
    value: float
    unit: str
    floor: float
    """What the same machine needs for the part of it that no program of this kind can do without."""
    limit: float
    told: str
    """What was measured, in a few words."""
    floor_told: str
    is_held_to: bool = True
    """Whether a missed limit fails the run; where not, it is only said."""

    @property
    def ratio(self) -> float:
        """How many times its floor it is."""
        return self.value / self.floor

    @property
    def is_ok(self) -> bool:
        """Whether it keeps to its limit."""
        return self.value <= self.limit

    def as_json(self) -> dict[str, Any]:
        """Write it for a program to read."""
        return {
            "value": _rounded(self.value),
            "unit": self.unit,
            "floor": _rounded(self.floor),
            "ratio": _rounded(self.ratio),
            "limit": _rounded(self.limit),
            "ok": self.is_ok,
        }


def _rounded(number: float) -> float:
    return float(f"{number:.4g}")


HEADS = ("measured", "", "floor", "times", "limit", "")


def table(figures: Sequence[Figure]) -> str:
    """Lay figures out to be read, with what each floor is."""
    rows = [HEADS, *(_row(figure) for figure in figures)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADS))]
    lines = ["  ".join(_set(cell, widths[i], is_left=i in (0, 5)) for i, cell in enumerate(row)) for row in rows]
    floors = [f"  {figure.told}: {figure.floor_told}" for figure in figures]
    return "\n".join([*(line.rstrip() for line in lines), "", "The floors:", *floors])


def _row(figure: Figure) -> tuple[str, ...]:
    said = "ok" if figure.is_ok else "MISSED" if figure.is_held_to else "missed; not held to it yet"
    unit = figure.unit
    return (
        figure.told,
        f"{_shown(figure.value)} {unit}",
        f"{_shown(figure.floor)} {unit}",
        f"{figure.ratio:.1f}",
        f"{_shown(figure.limit)} {unit}",
        said,
    )


def _set(cell: str, width: int, *, is_left: bool) -> str:
    return cell.ljust(width) if is_left else cell.rjust(width)


def _shown(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"
