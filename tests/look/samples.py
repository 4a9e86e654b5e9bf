"""Every page with a context as the views make them: name → template, context, blocks."""

from dataclasses import dataclass

from tests.look import houses, others


@dataclass(frozen=True, slots=True)
class Sample:
    """One page to look at."""

    template: str
    page: object
    blocks: tuple[str, ...] = ()


NEW = ("faults", "table")
EDITOR = ("faults", "diff", "questions", "foot")

SAMPLES = {
    "choose": Sample("new_match/choose.html", others.CHOOSE),
    "new": Sample("new_match/table.html", others.NEW, NEW),
    "new-five": Sample("new_match/table.html", others.NEW_FIVE, NEW),
    "editor": Sample("house_rules/edit.html", houses.EDITOR, EDITOR),
    "editor-new": Sample("house_rules/edit.html", houses.EDITOR_NEW, EDITOR),
    "editor-refused": Sample("house_rules/edit.html", houses.EDITOR_REFUSED, EDITOR),
    "editor-match": Sample("house_rules/edit.html", houses.EDITOR_MATCH, EDITOR),
    "house": Sample("house_rules/index.html", houses.LIST),
    "house-refused": Sample("house_rules/index.html", houses.LIST_REFUSED),
    "share": Sample("house_rules/share.html", houses.SHARE),
}
