"""Addresses as pictures that a phone's camera reads."""

import segno
from markupsafe import Markup


def picture_of(url: str, title: str | None = None, *, scale: int = 1, border: int = 3) -> Markup:
    """Draw an address to be scanned; `title` names the picture where no words beside it do.

    `scale` is the side of a square in the picture's own units, `border` its margin in squares.
    """
    # The lowest correction keeps the squares of a long address as large as they can be; what room is left raises it.
    code = segno.make(url, error="l", micro=False, boost_error=True)
    return Markup(code.svg_inline(scale=scale, border=border, light="#fff", dark="#000", omitsize=True, title=title))
