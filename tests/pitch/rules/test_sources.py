"""Every ruleset cites a document that a reader can find."""

import pytest

from scorekeeper.paths import RULESETS
from scorekeeper.pitch.rules.library import SOURCES, inspect
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.sources import Citation, Source, cite
from tests.common.each import each


@pytest.mark.parametrize(
    ("source", "cited"),
    [
        ("002, Nine Card Pitch", (Citation(SOURCES["002"], "Nine Card Pitch"),)),
        ("001, Rules for Colorado Ten-Point Pitch", (Citation(SOURCES["001"], ""),)),
        ("004; 005, Pedro", (Citation(SOURCES["004"], ""), Citation(SOURCES["005"], "Pedro"))),
        ("house", ()),
    ],
)
def test_a_source_is_cited_for_a_reader(source: str, cited: tuple[Citation, ...]) -> None:
    assert cite(source, SOURCES) == cited


@each("ruleset", inspect(RULESETS)[0], lambda ruleset: ruleset.id)
def test_every_ruleset_cites_a_known_document(ruleset: Ruleset) -> None:
    assert ruleset.abstract or cite(ruleset.source, SOURCES)


@each("source", SOURCES.values())
def test_a_document_says_where_it_is_from(source: Source) -> None:
    assert source.address or source.origin


@each("number", SOURCES)
def test_the_folder_says_what_a_document_is(number: str) -> None:
    text, source = (RULESETS / "README.md").read_text(), SOURCES[number]

    row = next(line for line in text.splitlines() if line.startswith(f"| `{number}` | “{source.title}” |"))
    assert source.address in row
    assert source.origin in row
    assert row.endswith(f"| {source.covers} |")
