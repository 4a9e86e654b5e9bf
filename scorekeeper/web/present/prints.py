"""The page on which one chooses what to print."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from flask import url_for

from scorekeeper.engine.words.ends import ends_at
from scorekeeper.extensions import db
from scorekeeper.printing import press
from scorekeeper.printing.kinds import Kind
from scorekeeper.printing.orders import Sheet
from scorekeeper.printing.papers import SIZES
from scorekeeper.printing.pictures import WIDTH
from scorekeeper.printing.wishes import INK_NAMES, PAPER_NAMES, Wish
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.words import sentence, several
from scorekeeper.services.devices import matches_of_device
from scorekeeper.web.contexts.parts import Action, BarView, Choice, Notice, QuestionView
from scorekeeper.web.contexts.prints import PagePicture, PrintGroup, PrintIndexPage, PrintLine, PrintPage
from scorekeeper.web.keys import device
from scorekeeper.web.present.board import match_title

_PAPERS = {"a4": "A4, 210 × 297 mm", "letter": "Letter, 8½ × 11 in"}
MOST_PICTURES = 12
MOST_MATCHES = 12
MOST_LETTERS = 8


def index_page(variants: Iterable[Ruleset]) -> PrintIndexPage:
    """Offer everything that can be printed: this phone's matches, and every variant."""
    listed = [item.loaded for item in matches_of_device(db.session, device()) if item.loaded][:MOST_MATCHES]
    matches = tuple(
        PrintLine(
            url=url_for("prints.choose", match=match.code),
            name=match_title(match),
            small=f"{match.state.ruleset.name}, {ends_at(match.state.ruleset)}",
        )
        for match in listed
    )
    rules = tuple(
        PrintLine(url=url_for("prints.choose", rules=ruleset.id), name=ruleset.name, small=ends_at(ruleset))
        for ruleset in sorted(variants, key=lambda ruleset: ruleset.name)
    )
    groups = [PrintGroup(heading="Your matches", lines=matches)] if matches else []
    groups.append(PrintGroup(heading="Rules", lines=rules))
    bar = BarView(title="Print", back_url=url_for("home.index"))
    return PrintIndexPage(title="Print", bar=bar, groups=tuple(groups))


def print_page(
    title: str,
    back_url: str,
    query: Mapping[str, str],
    kinds: Mapping[str, Kind],
    kind_id: str,
    wish: Wish,
    sheet: Sheet,
    name: str,
) -> PrintPage:
    """Show the choice as it stands, and the pages that come of it."""
    chosen = {**query, "kind": kind_id, "paper": wish.paper, "ink": wish.ink, "size": wish.size}
    questions = (
        _question("kind", "What?", {known: kind.name for known, kind in kinds.items()}, kind_id),
        _question("paper", "On which paper?", _PAPERS, wish.paper),
        _question("ink", "Colour?", INK_NAMES, wish.ink),
    )
    sizes = kinds[kind_id].sizes
    file = url_for("prints.sheet", **cast(Any, chosen))
    return PrintPage(
        title="Print",
        bar=_bar(title, back_url),
        action=url_for("prints.choose"),
        hidden=tuple(query.items()),
        questions=tuple(question for question in questions if len(question.choices) > 1),
        sizes=_question("size", "How large?", sizes, wish.size) if len(sizes) > 1 else None,
        pictures=_pictures(chosen, wish, sheet, kinds[kind_id].name),
        told=f"{sentence(several(sheet.pages, 'page'))}, {PAPER_NAMES[wish.paper]}",
        open=Action(label="Print", url=file, icon="print", new_tab=True),
        download=Action(label="Keep", url=f"{file}&keep=yes", icon="down"),
        share_name=name,
        notices=_without_face(sheet.unknown),
    )


def _without_face(letters: str) -> tuple[Notice, ...]:
    """Say which letters are printed as boxes, and what helps."""
    shown = [letter for letter in letters if letter.isprintable()][:MOST_LETTERS]
    if not shown:
        return ()
    told = f"{' '.join(shown)}{' …' if len(shown) < len(letters) else ''}"
    return (Notice(lead=f"Boxes stand for {told}", text=press.HOW_TO_GET_LETTERS, icon="print"),)


def without_printer(title: str, back_url: str, why: str = press.HOW_TO_GET_IT) -> PrintPage:
    """Say how sheets could be printed here."""
    return PrintPage(
        title="Print",
        bar=_bar(title, back_url),
        action=url_for("prints.choose"),
        hidden=(),
        questions=(),
        notices=(Notice(lead="No printed sheet here yet.", text=why, icon="print"),),
    )


def _bar(title: str, back_url: str) -> BarView:
    return BarView(title="Print", sub=title, back_url=back_url, back_label="Back")


def _question(field: str, question: str, names: Mapping[Any, str], chosen: str) -> QuestionView:
    choices = tuple(Choice(value=value, label=name, is_chosen=value == chosen) for value, name in names.items())
    return QuestionView(field=field, question=question, choices=choices)


def _pictures(chosen: Mapping[str, str], wish: Wish, sheet: Sheet, name: str) -> tuple[PagePicture, ...]:
    width, height = SIZES[wish.paper]
    return tuple(
        PagePicture(
            url=url_for("prints.picture", number=number, **cast(Any, chosen)),
            alt=f"{name}, page {number} of {sheet.pages}, as it will be printed",
            width=WIDTH,
            height=round(WIDTH * height / width),
        )
        for number in range(1, min(sheet.pages, MOST_PICTURES) + 1)
    )
