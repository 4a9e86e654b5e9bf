"""What the server is told of each request, for its log and its metrics: its kind and its route alone."""

from flask import Flask, Response, request

from scorekeeper.server.watch import KIND, RULE

_PRINTED = ("application/pdf", "image/png")


def init_watched(app: Flask) -> None:
    """Write into the environment of every request of what kind its answer was."""
    app.after_request(_say_kind)


def note_hand() -> None:
    """Write into the environment of this request that it saved a hand."""
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
