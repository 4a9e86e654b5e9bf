"""QR codes on pages; those on paper are in `printing/rules_link.py`."""

import segno
from markupsafe import Markup


def qr_svg(url: str, title: str | None = None, *, scale: int = 1, border: int = 3) -> Markup:
    """Return the QR code of an address as an inline SVG; `title` names it where no text beside it does.

    `scale` is the side of a square in the drawing's own units, `border` its margin in squares.
    """
    # The lowest correction keeps the squares of a long address large; it is raised as far as that costs nothing.
    code = segno.make(url, error="l", micro=False, boost_error=True)
    return Markup(code.svg_inline(scale=scale, border=border, light="#fff", dark="#000", omitsize=True, title=title))
