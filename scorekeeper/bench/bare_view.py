"""A bare Flask app, the floor of every page: one view and nothing else."""

from collections.abc import Callable
from typing import Any

import waitress
from flask import Flask
from flask.typing import ResponseReturnValue

from scorekeeper.network import LOOPBACK
from scorekeeper.paths import TEMPLATES
from scorekeeper.server import THREADS


def bare_app(view: Callable[[], ResponseReturnValue], **known: Any) -> Flask:
    """Return an app with one view; `known` are the globals of its templates."""
    app = Flask(__name__, template_folder=str(TEMPLATES), static_folder=None)
    app.jinja_env.globals.update(known)
    app.add_url_rule("/", view_func=view, endpoint="view")
    return app


def main() -> None:
    """Serve a greeting, and print the port."""
    app = bare_app(lambda: "hello")
    server = waitress.create_server(app, host=LOOPBACK[0], port=0, threads=THREADS)
    print(f"http://{LOOPBACK[0]}:{server.effective_port}/", flush=True)
    server.run()


if __name__ == "__main__":
    main()
