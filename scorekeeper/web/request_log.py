"""The kind and the route of each request, which is all that the server's log and metrics get."""

from flask import Flask, Response, request

from scorekeeper.server.watch import KIND, RULE

_PRINTED = ("application/pdf", "image/png")


def init_watched(app: Flask) -> None:
    """Write the kind and the route of every request into its environment."""
    app.after_request(_say_kind)


def note_hand() -> None:
    """Mark this request, in its environment, as one that saved a hand."""
    request.environ[KIND] = "hand"


def _say_kind(response: Response) -> Response:
    request.environ[RULE] = str(request.url_rule or "")
    request.environ.setdefault(KIND, _kind_of(response))
    return response


def _kind_of(response: Response) -> str:
    if request.endpoint == "static":
        return "file"
    if response.mimetype in _PRINTED:
        return "print"
    return "form" if request.method == "POST" else "page"
