"""Printed pages as images, to be looked at before they go to the printer."""

from importlib import import_module
from io import BytesIO

WIDTH = 860
"""Pixels: as wide as a phone's screen, and sharp enough to read."""
_COLORS = 256


def draw_page(content: bytes, number: int, width: int = WIDTH) -> bytes:
    """Return one page of a PDF, counted from 1, as PNG; raises `IndexError` where there is no such page."""
    document = import_module("pypdfium2").PdfDocument(content)
    try:
        if not 1 <= number <= len(document):
            raise IndexError(number)
        page = document[number - 1]
        picture = page.render(scale=width / page.get_width()).to_pil()
    finally:
        document.close()
    # Flat colors on white paper pack well; and the few dots of red round a set must not be lost among the rest.
    image = import_module("PIL.Image")
    small = picture.convert("RGB").quantize(_COLORS, method=image.Quantize.FASTOCTREE, dither=image.Dither.NONE)
    packed = BytesIO()
    small.save(packed, "PNG", optimize=True)
    return packed.getvalue()
