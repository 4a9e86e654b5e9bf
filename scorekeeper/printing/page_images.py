"""Printed pages as pictures, to be looked at before they go to the printer."""

from importlib import import_module
from io import BytesIO
from typing import Any

WIDTH = 860
"""Pixels across: a phone's screen, and sharp enough to read."""
_SHADES = 256


def page_count(content: bytes) -> int:
    """Count the pages of a PDF."""
    document = _open(content)
    try:
        return len(document)
    finally:
        document.close()


def page_picture(content: bytes, number: int, width: int = WIDTH) -> bytes:
    """Give one page of a PDF, counted from 1, as PNG; raises `IndexError` where there is none such."""
    document = _open(content)
    try:
        if not 1 <= number <= len(document):
            raise IndexError(number)
        page = document[number - 1]
        picture = page.render(scale=width / page.get_width()).to_pil()
    finally:
        document.close()
    # Flat colours on white paper pack well; and the few dots of red round a set must not be lost among the rest.
    image = import_module("PIL.Image")
    small = picture.convert("RGB").quantize(_SHADES, method=image.Quantize.FASTOCTREE, dither=image.Dither.NONE)
    packed = BytesIO()
    small.save(packed, "PNG", optimize=True)
    return packed.getvalue()


def _open(content: bytes) -> Any:
    return import_module("pypdfium2").PdfDocument(content)
