"""The six shapes that tell sides apart and the ring around a set as paths, and room between what is drawn."""

from collections.abc import Sequence

_Corner = tuple[float, float]

_CORNERS: dict[int, Sequence[_Corner]] = {
    2: ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    3: ((0, -1.05), (1.1, 0.95), (-1.1, 0.95)),
    4: (
        *((-0.42, -1), (0.42, -1), (0.42, -0.42), (1, -0.42), (1, 0.42), (0.42, 0.42)),
        *((0.42, 1), (-0.42, 1), (-0.42, 0.42), (-1, 0.42), (-1, -0.42), (-0.42, -0.42)),
    ),
    5: ((-0.53, -0.92), (0.53, -0.92), (1.06, 0), (0.53, 0.92), (-0.53, 0.92), (-1.06, 0)),
    6: ((-0.92, -0.95), (0.92, -0.95), (0.92, -0.05), (0.62, 0.55), (0, 1.05), (-0.62, 0.55), (-0.92, -0.05)),
}
"""Corners in a shape of radius 1; what is not here is a circle."""


_LETTER_BASE = {3: 0.7, 6: 0.22}
_LETTER_USUAL = 0.37


def shape_path(mark: int, x: float, y: float, radius: float) -> str:
    """Return the path of a side's shape: circle, square, triangle, cross, hexagon, shield."""
    corners = _CORNERS.get(mark)
    if corners is None:
        return _oval(x, y, radius, radius)
    return "M" + "L".join(f"{_short(x + radius * dx)} {_short(y + radius * dy)}" for dx, dy in corners) + "z"


def letter_base(mark: int, radius: float) -> float:
    """Return the line on which a letter stands, from the middle of its shape."""
    return round(radius * _LETTER_BASE.get(mark, _LETTER_USUAL), 1)


def ring_path(x: float, y: float, radius: float) -> str:
    """Return the path of the ring around a set."""
    return _oval(x, y, radius * 1.25, radius)


def _oval(x: float, y: float, across: float, up: float) -> str:
    half = f"a{_short(across)} {_short(up)} 0 1 0 "
    return f"M{_short(x - across)} {_short(y)}{half}{_short(2 * across)} 0{half}{_short(-2 * across)} 0z"


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def spread(wanted: Sequence[float], *, gap: float, first: float, last: float) -> list[float]:
    """Return places from first to last that are a gap apart at least, each as near as can be to the one wanted."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed = [0.0] * len(wanted)
    nearest = first - gap
    for i in order:
        placed[i] = nearest = max(wanted[i], nearest + gap)
    limit = last
    for i in reversed(order):
        placed[i] = min(placed[i], limit)
        limit = placed[i] - gap
    return [round(place, 1) for place in placed]
