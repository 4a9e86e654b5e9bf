"""The app of a server's processes, made from the environment when this is read, with all that a first page waits for.

The processes are copies of the one that reads this, so each starts at once, and answers at once.
"""

from flask import Flask

from scorekeeper.app import create_app
from scorekeeper.extensions import db
from scorekeeper.freed_memory import keep_little
from scorekeeper.server import keep_what_is_loaded
from scorekeeper.web.shared.library import library


def _compile_templates(made: Flask) -> None:
    for name in made.jinja_env.list_templates(extensions=["html"]):
        made.jinja_env.get_template(name)


def _answer_once(made: Flask) -> None:
    """Let the questions to the database be put together; its connections are each process's own."""
    client, address = made.test_client(), made.config["PUBLIC_URL"] or None
    for path in ("/", "/matches/none/"):
        client.get(path, base_url=address)
    with made.app_context():
        db.engine.dispose()


keep_little()
app = create_app()
_compile_templates(app)
library()
_answer_once(app)
keep_what_is_loaded()
