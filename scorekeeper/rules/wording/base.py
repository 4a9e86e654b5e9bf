"""The wording of one question."""

from collections.abc import Mapping
from typing import NamedTuple


class Wording(NamedTuple):
    """A heading, a question, and a label and a sentence for every answer."""

    title: str
    ask: str
    answers: Mapping[str, tuple[str, str]]
    """Each answer's label and sentence."""


def yes_no(title: str, ask: str, yes: str, no: str) -> Wording:
    """Return the wording of a question with the sentences for yes and no."""
    return Wording(title, ask, {"yes": ("yes", yes), "no": ("no", no)})
