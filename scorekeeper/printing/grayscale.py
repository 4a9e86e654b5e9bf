"""Printing without color: every color of a sheet as the gray that is as dark.

Only the sheet's own colors are changed: in markup those are attributes and styles of its drawings. Nothing that a
family wrote can be one of these, for the quotation marks and angle brackets of free text are escaped.
"""

import re

_COLOR = re.compile(r"#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")
_ATTRIBUTE = re.compile(r'((?:fill|stroke|stop-color|color)=")(#[0-9a-fA-F]{3,6})(")')
_STYLE = re.compile("<style>.*?</style>", re.DOTALL)
_WEIGHTS = (0.2126, 0.7152, 0.0722)
_DARKEST_GRAY = 0x70
"""Whatever is darker is printed black: a printer would make dots of a dark gray, and small type ragged."""


def gray_css(css: str) -> str:
    """Return a stylesheet with its colors as grays."""
    return _COLOR.sub(lambda found: gray(found[0]), css)


def gray_drawings(markup: str) -> str:
    """Return markup with the colors of its drawings as grays."""
    markup = _STYLE.sub(lambda found: gray_css(found[0]), markup)
    return _ATTRIBUTE.sub(lambda found: f"{found[1]}{gray(found[2])}{found[3]}", markup)


def gray(color: str) -> str:
    """Return the gray that is as dark as a color, or black where it is dark."""
    digits = color.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    channels = [_linear(int(digits[i : i + 2], 16) / 255) for i in (0, 2, 4)]
    luminance = sum(weight * channel for weight, channel in zip(_WEIGHTS, channels, strict=True))
    level = round(_encoded(luminance) * 255)
    return f"#{level:02x}{level:02x}{level:02x}" if level >= _DARKEST_GRAY else "#000000"


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _encoded(luminance: float) -> float:
    return luminance * 12.92 if luminance <= 0.0031308 else 1.055 * luminance ** (1 / 2.4) - 0.055
