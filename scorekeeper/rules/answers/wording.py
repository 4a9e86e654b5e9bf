"""The shape of a question put to the table."""

from collections.abc import Mapping
from typing import NamedTuple


class Wording(NamedTuple):
    """A question, a short heading for it, and a label and a sentence for every answer."""

    title: str
    ask: str
    answers: Mapping[str, tuple[str, str]]
    """Each answer's label and sentence."""


def yes_no(title: str, ask: str, yes: str, no: str) -> Wording:
    return Wording(title, ask, {"yes": ("yes", yes), "no": ("no", no)})
