"""The wording of every house option, by group: the question, a heading, and each answer's label and sentence.

`phrases.placeholders` fills the braces in a text; `{n}` is a number that was answered. An answer is named as in
files and forms: yes, no, none, or one of the option's own words. `n` stands for any number.
"""

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
