"""The app of a server's processes, made from the environment when this is read, with all that a first page waits for.

The processes are copies of the one that reads this, so each starts at once, and answers at once.
"""

from flask import Flask

from scorekeeper.app import create_app
from scorekeeper.server import give_memory_back, keep_what_is_loaded
from scorekeeper.web.shared.library import library


def _compile_templates(made: Flask) -> None:
    for name in made.jinja_env.list_templates(extensions=["html"]):
        made.jinja_env.get_template(name)


give_memory_back()
app = create_app()
_compile_templates(app)
library()
keep_what_is_loaded()
