"""Every ruleset cites a document that a reader can find."""

import pytest

from scorekeeper.paths import RULESETS
from scorekeeper.rules.library import inspect
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sources import SOURCES, cite


@pytest.mark.parametrize(
    ("source", "cited"),
    [
        ("002, Nine Card Pitch", "“Pitch” (pagat.com/allfours/pitch.html), Nine Card Pitch"),
        (
            "001, Rules for Colorado Ten-Point Pitch",
            "“Rules for Colorado Ten-Point Pitch” (captainsquill.blogspot.com, October 23, 2009)",
        ),
        ("house", ""),
        ("Grandma’s notebook, page 3", "Grandma’s notebook, page 3"),
    ],
)
def test_a_source_is_cited_for_a_reader(source: str, cited: str) -> None:
    assert cite(source) == cited


@pytest.mark.parametrize("ruleset", inspect(RULESETS)[0], ids=lambda ruleset: ruleset.id)
def test_every_ruleset_cites_a_known_document(ruleset: Ruleset) -> None:
    assert ruleset.abstract or ruleset.source.partition(", ")[0] in SOURCES
    assert not [number for number in SOURCES if number in cite(ruleset.source)]


@pytest.mark.parametrize("number", SOURCES)
def test_the_folder_says_what_a_document_is(number: str) -> None:
    text = (RULESETS / "README.md").read_text()

    assert f"| `{number}` | “{SOURCES[number].title}” | {SOURCES[number].found} |" in text
