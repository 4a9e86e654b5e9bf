"""Black ink only: every colour of a sheet as the grey that is as dark.

Only what the sheet itself says is turned: in markup that is the attributes of its drawings. Nothing that a family wrote
can be one of these, for the quotation marks of free text are escaped.
"""

import re
from pathlib import Path
from typing import Any

from scorekeeper.printing.press import Press

_COLOUR = re.compile(r"#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")
_DRAWN = re.compile(r'((?:fill|stroke|stop-color|color)=")(#[0-9a-fA-F]{3,6})(")')
_WEIGHTS = (0.2126, 0.7152, 0.0722)
_BLACK_BELOW = 0x70
"""Darker than this is printed black: a printer would make dots of a dark grey, and small type ragged."""


class BlackPress(Press):
    """Lays pages out without colour."""

    def __init__(self, markup: str, stylesheets: list[Path], static: Path) -> None:
        super().__init__(drawings_in_black(markup), stylesheets, static)

    def _style(self, css: str, folder: Path) -> Any:
        return super()._style(style_in_black(css), folder)


def style_in_black(css: str) -> str:
    """Turn the colours of a stylesheet to grey."""
    return _COLOUR.sub(lambda found: grey(found[0]), css)


def drawings_in_black(markup: str) -> str:
    """Turn the colours of a page's drawings to grey."""
    return _DRAWN.sub(lambda found: f"{found[1]}{grey(found[2])}{found[3]}", markup)


def grey(colour: str) -> str:
    """Give the grey that is as dark as a colour, or black where it is dark.

    >>> grey("#ffffff"), grey("#1d4d3c"), grey("#b01e2a"), grey("#c9d5c2")
    ('#ffffff', '#000000', '#000000', '#d0d0d0')
    """
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    parts = [_linear(int(digits[i : i + 2], 16) / 255) for i in (0, 2, 4)]
    light = sum(weight * part for weight, part in zip(_WEIGHTS, parts, strict=True))
    level = round(_encoded(light) * 255)
    return f"#{level:02x}{level:02x}{level:02x}" if level >= _BLACK_BELOW else "#000000"


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _encoded(light: float) -> float:
    return light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
