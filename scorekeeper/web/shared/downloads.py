"""Files to download: their names, which say what is inside, and the header that carries them."""

import re
import unicodedata
from urllib.parse import quote

from flask import Response

LONGEST = 80


def file_name(title: str, ending: str) -> str:
    """Return a title as a file name: letters and digits of any script, joined by hyphens."""
    words = re.sub(r"[^\w]+", "-", unicodedata.normalize("NFC", title), flags=re.UNICODE).strip("-_")
    return f"{words[:LONGEST].strip('-') or 'pitch'}.{ending}"


def attachment(response: Response, name: str, *, is_inline: bool = False) -> Response:
    """Return a response as a file of that name; one that is inline is opened before it is saved."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode() or "pitch"
    options = {"filename": plain}
    if plain != name:
        options["filename*"] = f"UTF-8''{quote(name, safe='')}"
    response.headers.set("Content-Disposition", "inline" if is_inline else "attachment", **options)
    return response
