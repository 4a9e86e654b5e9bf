"""Names for files that are taken away: they say what is inside."""

import re
import unicodedata
from urllib.parse import quote

from flask import Response
from werkzeug.http import dump_options_header

LONGEST = 60


def file_name(title: str, ending: str) -> str:
    """Make a file name of a title: letters and digits of any script, joined by hyphens."""
    words = re.sub(r"[^\w]+", "-", unicodedata.normalize("NFC", title), flags=re.UNICODE).strip("-_")
    return f"{words[:LONGEST].strip('-') or 'pitch'}.{ending}"


def attachment(response: Response, name: str) -> Response:
    """Offer a response as a file of that name."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode() or "pitch"
    response.headers["Content-Disposition"] = dump_options_header("attachment", {"filename": plain})
    if plain != name:
        response.headers["Content-Disposition"] = dump_options_header(
            "attachment", {"filename": plain, "filename*": f"UTF-8''{_quoted(name)}"}
        )
    return response


def _quoted(name: str) -> str:

    return quote(name, safe="")
