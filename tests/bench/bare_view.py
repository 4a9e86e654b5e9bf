"""A bare Flask app, the floor of every page: one view and nothing else."""

import signal
from collections.abc import Callable
from typing import Any

from flask import Flask
from flask.typing import ResponseReturnValue

from scorekeeper.paths import TEMPLATES
from scorekeeper.server.network import LOOPBACK_HOSTS
from scorekeeper.server.server import exit_process, listen, serve_on_sockets


def bare_app(view: Callable[[], ResponseReturnValue], **known: Any) -> Flask:
    """Return an app with one view; `known` are the globals of its templates."""
    app = Flask(__name__, template_folder=str(TEMPLATES), static_folder=None)
    app.jinja_env.globals.update(known)
    app.add_url_rule("/", view_func=view, endpoint="view")
    return app


def main() -> None:
    """Serve a greeting, and print the port."""
    app = bare_app(lambda: "hello")
    [own] = listen(LOOPBACK_HOSTS[0], 0)
    print(f"http://{LOOPBACK_HOSTS[0]}:{own.getsockname()[1]}/", flush=True)
    serve_on_sockets(app, [own], lambda _stop: None, stop_signals=[signal.SIGTERM])
    exit_process()


if __name__ == "__main__":
    main()
