"""Printed pages as a test looks at them: their text, and whether every word keeps to its box."""

import io
import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pypdfium2
from pypdf import PdfReader
from pypdf.generic import ContentStream

HOSTILE = [
    '<script>alert(1)</script><img src="http://127.0.0.1:9/x.png">',
    '"><link rel=attachment href="file:///etc/passwd">',
    "</h1><style>@import url(file:///etc/hostname);*{display:none}</style>",
    "{{ sheet }}{% raw %}",
    'fill="#ff0000"',
]
"""Texts that would like to be something else."""


def read(content: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(content))


def text_of(content: bytes) -> str:
    """Return the text of a PDF, its lines run together."""
    return " ".join(page_texts(content))


def page_texts(content: bytes) -> list[str]:
    """Return the text of each page of a PDF, its lines run together."""
    with closing(pypdfium2.PdfDocument(content)) as document:
        return [re.sub(r"\s+", " ", page.get_textpage().get_text_range()) for page in document]


def words(box: Any, cell: Any) -> Iterator[tuple[Any, Any]]:
    """Return every piece of text on a page, with the cell that it stands in."""
    if type(box).__name__ == "TextBox":
        yield box, cell
    inside = box if type(box).__name__ == "TableCellBox" else cell
    if type(box).__name__ != "MarginBox":
        for child in getattr(box, "children", ()):
            yield from words(child, inside)


def colors(content: bytes) -> set[tuple[float, ...]]:
    """Return every color that a PDF paints with and that is no gray."""
    found = set()
    reader = read(content)
    for page in reader.pages:
        streams = [page.get_contents()]
        objects = page["/Resources"].get("/XObject", {})  # type: ignore[attr-defined]
        streams += [item.get_object() for item in objects.values()]
        for stream in streams:
            for operands, operator in ContentStream(stream, reader).operations:
                if operator in (b"rg", b"RG", b"sc", b"SC", b"scn", b"SCN", b"k", b"K"):
                    numbers = tuple(float(part) for part in operands if not isinstance(part, str))
                    if len(set(numbers)) > 1:
                        found.add(numbers)
    return found
