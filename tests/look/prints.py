"""Sample pages for printing: the choice with two pages to look at, no printer, and what there is to print."""

from scorekeeper.web.contexts.parts import Action, Choice, Notice, QuestionView
from scorekeeper.web.contexts.prints import PagePicture, PrintGroup, PrintIndexPage, PrintLine, PrintPage
from tests.look.people import under_bar


def question(field: str, words: str, *labels: str) -> QuestionView:
    """Ask, the first answer chosen."""
    choices = tuple(Choice(value=str(n), label=label, is_chosen=n == 0) for n, label in enumerate(labels))
    return QuestionView(field=field, question=words, choices=choices)


CHOOSE = PrintPage(
    title="Print",
    bar=under_bar("Print", "Thursday at Oma’s"),
    action="/print",
    hidden=(("match", "abc"),),
    questions=(
        question("kind", "What?", "Score sheet", "Rule sheet", "Rules in large print", "Pocket cards", "Blank pad"),
        question("paper", "On which paper?", "A4, 210 × 297 mm", "Letter, 8½ × 11 in"),
        question("ink", "Colour?", "In colour", "Black and white"),
    ),
    sizes=question("size", "How large?", "Ordinary print", "Large print"),
    pictures=tuple(
        PagePicture(
            url="/static/icons/favicon.svg",
            alt=f"Score sheet, page {number} of 2, as it will be printed",
            width=860,
            height=1216,
        )
        for number in (1, 2)
    ),
    told="Two pages, A4",
    open=Action(label="Print", url="/rules", icon="print", new_tab=True),
    download=Action(label="Keep", url="/rules", icon="down"),
    share_name="Thursday-score-sheet-A4.pdf",
)

WITHOUT = PrintPage(
    title="Print",
    bar=under_bar("Print"),
    action="/print",
    hidden=(),
    questions=(),
    notices=(Notice(lead="No printed sheet here yet.", text="Printing needs the library Pango.", icon="print"),),
)

INDEX = PrintIndexPage(
    title="Print",
    bar=under_bar("Print"),
    groups=(
        PrintGroup(
            heading="Your matches",
            lines=(PrintLine(url="/match", name="Thursday at Oma’s", small="Partnership Pitch, to 21"),),
        ),
        PrintGroup(heading="Rules", lines=(PrintLine(url="/rules", name="Colorado Ten Point", small="to 42"),)),
    ),
)
