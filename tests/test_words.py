"""No text that a person reads has a word that tests/words.toml lists; beside each is the word to use instead."""

import ast
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import jinja2
import pytest

from tests.common.tables import table

ROOT = Path(__file__).parents[1]
READ_ALOUD = ("alt", "aria-label", "content", "label", "placeholder", "title", "value")
"""The attributes of an element that a person sees or hears."""
SHOWN = "pages/"
"""Where the pages are as they are shown."""
SOMETHING = "{}"
"""Stands for what is only known when the text is shown."""

_JINJA = jinja2.Environment(autoescape=True)
_SCRIPT_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)'|`((?:\\.|[^`\\])*)`""", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text that a person reads, and where it is written."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """Words that are not used, and the words to use instead."""

    pattern: re.Pattern[str]
    say: str
    only: tuple[str, ...]

    def found(self, shown: ShownText) -> str:
        """Return the listed words as the text has them; empty where it has none."""
        if self.only and not shown.file.startswith(self.only):
            return ""
        for match in self.pattern.finditer(shown.text):
            around = shown.text[max(match.start() - 1, 0) : match.start() + 1], shown.text[match.end() - 1 :][:2]
            if not any(re.fullmatch(r"\w\w", pair) for pair in around):
                return match[0]
        return ""


def _entries() -> list[Entry]:
    whole = table(__file__, "words.toml")
    return [
        Entry(
            re.compile(row["not"], re.IGNORECASE),
            say=row["say"],
            only=tuple(row.get("only", ())),
        )
        for rows in whole.values()
        for row in rows
    ]


ENTRIES = _entries()


def faults(texts: Iterable[ShownText], entries: Sequence[Entry] = ENTRIES) -> list[str]:
    """Return where words are used that nobody should read, and what to say instead."""
    return [
        f"{shown.file}:{shown.line}: “{found}” in “{' '.join(shown.text.split())}”: say “{entry.say}”"
        for shown in texts
        for entry in entries
        if (found := entry.found(shown))
    ]


def is_read(text: str) -> bool:
    """Return whether a string in code may be a text: it has several words, or a capital."""
    return " " in text.strip() or text[:1].isupper()


def in_template(source: str, file: str) -> Iterator[ShownText]:
    """Yield the texts of a template: its text, its attributes that are read, and the texts inside its code."""
    html = ""
    for line, kind, token in _JINJA.lex(source):
        if kind == "string":
            if is_read(token[1:-1]):
                yield ShownText(file, line, token[1:-1])
        elif kind == "data":
            # What stands before it in code, and space that the code takes away, still counts as lines.
            html += "\n" * (line - 1 - html.count("\n")) + token
        elif kind == "variable_begin":
            html += SOMETHING
    yield from _read_aloud(html, file)


def on_page(html: str, name: str) -> Iterator[ShownText]:
    """Yield the texts of a page as it is shown."""
    return _read_aloud(html, f"{SHOWN}{name}")


def _read_aloud(html: str, file: str) -> Iterator[ShownText]:
    reader = _Reader(file)
    reader.feed(html)
    reader.close()
    yield from reader.shown


class _Reader(HTMLParser):
    """Keeps what a person reads of a page."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file
        self.shown: list[ShownText] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag
        self.shown += [
            ShownText(self.file, self.getpos()[0], text) for name, text in attrs if text and name in READ_ALOUD
        ]

    def handle_data(self, data: str) -> None:
        if text := data.strip():
            self.shown.append(ShownText(self.file, self.getpos()[0] + data[: data.index(text)].count("\n"), text))


def in_python(source: str, file: str) -> Iterator[ShownText]:
    """Yield the texts of a module, without what documents it."""
    tree = ast.parse(source)
    seen: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            seen.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            seen.update(id(part) for part in node.values)
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else SOMETHING for part in node.values)
            if is_read(text):
                yield ShownText(file, node.lineno, text)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in seen:
            if is_read(node.value):
                yield ShownText(file, node.lineno, node.value)


def in_script(source: str, file: str) -> Iterator[ShownText]:
    """Yield the texts of a script."""
    for token in _SCRIPT_TOKEN.finditer(source):
        text = next((part for part in token.groups() if part is not None), "")
        if is_read(text):
            yield ShownText(file, source[: token.start()].count("\n") + 1, text)


def in_ruleset(source: str, file: str) -> Iterator[ShownText]:
    """Yield the names and texts of a ruleset."""
    whole = tomllib.loads(source)
    awards = (award["name"] for award in whole.get("awards", {}).values() if "name" in award)
    for text in (whole["name"], whole["summary"], *whole.get("also", ()), *whole.get("notes", ()), *awards):
        before = source.partition(text)[0]
        yield ShownText(file, before.count("\n") + 1, text)


def in_paragraphs(source: str, file: str) -> Iterator[ShownText]:
    """Yield the paragraphs of a page, with the lines that belong together in one."""
    line = 1
    for paragraph in re.split(r"(\n\n+)", source):
        if paragraph.strip():
            yield ShownText(file, line, re.sub(r"\s*\n\s*", " ", paragraph))
        line += paragraph.count("\n")


Reader = Callable[[str, str], Iterator[ShownText]]
"""Takes what a file has in it, and its name."""

READERS: tuple[tuple[str, Reader], ...] = (
    ("templates/**/*.html", in_template),
    ("scorekeeper/**/*.py", in_python),
    ("static/js/*.js", in_script),
    ("rulesets/*.toml", in_ruleset),
    ("rulesets/*.md", in_paragraphs),
    ("README.md", in_paragraphs),
    ("CONTRIBUTING.md", in_paragraphs),
    ("SECURITY.md", in_paragraphs),
    ("docs/*.md", in_paragraphs),
    ("run", in_paragraphs),
)


@pytest.mark.parametrize(("pattern", "reader"), READERS)
def test_nobody_reads_a_word_that_is_said_otherwise(pattern: str, reader: Reader) -> None:
    files = {file.relative_to(ROOT).as_posix(): file for file in sorted(ROOT.glob(pattern))}
    read = {name: file.read_text(encoding="utf-8") for name, file in files.items()}
    texts = [shown for name, source in read.items() for shown in reader(source, name)]

    assert texts
    assert faults(texts) == []
