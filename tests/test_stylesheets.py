"""Stylesheets work on the oldest phones that docs/at-home.md names: what is newer has something plain before it.

Where nobody can ask how wide the pad is, everything is as on the narrowest one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scorekeeper.paths import STATIC

SCREENS = sorted(
    found
    for found in (STATIC / "css").glob("*.css")
    if found.name not in ("print.css", "pocket.css", "pad.css", "night_sheet.css")
)
"""Without the sheets, which no browser draws."""
NEW_VALUES = re.compile(
    r"\d(cq[whib]|cqm\w+|[dsl]v[hwib]|vi|vb|r?lh|cap|r?ic)\b|\b(color-mix|light-dark|lab|lch|oklab|oklch|round|mod|rem|sin|cos)\("
    r"|\bsubgrid\b|\boverflow\w*:clip|^text-decoration:\S+ "
)
"""An underline in one declaration with its style is none in Safari."""
NEW_SELECTORS = re.compile(r":has\(|:user-(in)?valid|:popover-open|:state\(|&")
FORGIVING = re.compile(r":is\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
"""A list out of which a phone leaves what it does not know."""
NEW_RULES = re.compile(r"@(layer|scope|property|starting-style)\b|@media[^{]*[<>]")
NEW_PROPERTIES = re.compile(r"^(translate|rotate|scale|user-select|mask(-\w+)*)$")
"""`user-select` has no name of its own in Safari, and the others none in Chrome 100."""
HIDDEN = (("display", "none"),)


@dataclass(frozen=True)
class Rule:
    """One rule, and what stands around it."""

    around: tuple[str, ...]
    selector: str
    body: tuple[tuple[str, str], ...]


def rules_of(text: str) -> Iterator[Rule]:
    """Yield every rule with its declarations."""
    open_blocks: list[str] = []
    body: list[tuple[str, str]] = []
    for words, end in re.findall(r"([^{};]*)([{};])", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)):
        words = " ".join(words.split())
        if end == "{":
            open_blocks.append(words)
            body = []
            continue
        name, colon, value = words.partition(":")
        if colon and not words.startswith("@"):
            body.append((name.strip(), value.strip()))
        if end == "}":
            selector = open_blocks.pop()
            if body or not selector.startswith("@"):
                yield Rule(tuple(open_blocks), selector, tuple(body))
            body = []


def complaints(text: str) -> Iterator[str]:
    """Yield what an older phone would lose."""
    rules = list(rules_of(text))
    for before, rule in zip([None, *rules], rules, strict=False):
        at = f"{' '.join(rule.around)} {rule.selector}".strip()
        if any(NEW_RULES.search(block) for block in (*rule.around, rule.selector) if block.startswith("@")):
            yield at
        is_seen = rule.body != HIDDEN  # what an older phone does not hide is only seen where it need not be
        if (
            NEW_SELECTORS.search(FORGIVING.sub("", rule.selector))
            and is_seen
            and not (before and before.body == rule.body)
        ):
            yield at
        if any(block.startswith(("@container", "@supports (")) for block in rule.around):
            continue
        plain: tuple[str, ...] = ()
        for name, value in rule.body:
            is_new = NEW_VALUES.search(f"{name}:{value}") or NEW_PROPERTIES.match(name)
            # With a variable in it a value is refused too late for the one before it.
            if is_new and (name not in plain or "var(" in value):
                yield f"{at}: {name}:{value}"
            plain = (name.removeprefix("-webkit-"), "font-size" if name == "font" else "") if not is_new else ()


@pytest.mark.parametrize("file", SCREENS, ids=lambda file: file.name)
def test_older_phones_lose_nothing(file: Path) -> None:
    assert list(complaints(file.read_text(encoding="utf-8"))) == []
