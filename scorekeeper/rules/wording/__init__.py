"""The wording of every house option, by group: the question, a heading, and each answer's label and sentence.

`phrases.placeholders` fills the braces in a text; `{n}` is a number that was answered, `{n_hands}` and `{n_times}` the
same as a number of hands, and as how often. An answer is named as in
files and forms: yes, no, none, or one of the option's own words. `n` stands for any number.
"""


class Wording:
    """A heading, a question, and a label and a sentence for every answer."""

    def __init__(self, title: str, ask: str, **answers: tuple[str, str]) -> None:
        self.title = title
        self.ask = ask
        self.answers = answers


def yes_no(title: str, ask: str, yes: str, no: str) -> Wording:
    """Return the wording of a question with the sentences for yes and no."""
    return Wording(title, ask, yes=("yes", yes), no=("no", no))
