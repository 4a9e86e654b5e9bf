"""The templates of printed sheets: only text goes in, and a name that is missing is an error."""

from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from scorekeeper import paths


@cache
def templates() -> Environment:
    """Give the templates."""
    return Environment(
        loader=FileSystemLoader(paths.TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
