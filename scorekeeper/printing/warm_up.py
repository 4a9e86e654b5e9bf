"""What the process that prints reads in before its first job, so that the first sheet takes no longer than the next."""

from scorekeeper import paths
from scorekeeper.printing import print_service  # noqa: F401  # with all that jobs are made of
from scorekeeper.printing.fitting import CSS
from scorekeeper.printing.page_images import page_picture
from scorekeeper.printing.press import Press

STYLES = ("faces.css", "print.css", "pocket.css", "pad.css", "large.css", "result.css")
_IN_EVERY_FACE = '<article class="rule-sheet"><h2>A♠</h2><p>A <b>B</b> ☐</p></article>'


def get_ready() -> None:
    """Lay a small page out, in every face that we have, and look at it."""
    page = Press(_IN_EVERY_FACE, [CSS / name for name in STYLES], paths.STATIC).lay_out("@page{size:A6}")
    page_picture(page.write_pdf(), 1, 100)
