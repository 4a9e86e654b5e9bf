"""The README's table of where to change what: every path is there, and holds what is named beside it."""

import re

import pytest

from scorekeeper.paths import PACKAGE

ROOT = PACKAGE.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PLACES = re.findall(r"^\| [^|]+ \| `([\w/.]+)`(?: \(`(\w+)`\))? \|$", README, flags=re.MULTILINE)


def test_the_table_has_rows() -> None:
    assert len(PLACES) > 20


@pytest.mark.parametrize(("path", "name"), PLACES)
def test_a_place_is_where_the_readme_says(path: str, name: str) -> None:
    place = ROOT / path

    assert place.exists()
    if name:
        assert re.search(rf"^(?:class |def )?{name}\b", place.read_text(encoding="utf-8"), flags=re.MULTILINE)


def test_every_path_in_the_readme_is_there() -> None:
    paths = re.findall(r"`((?:scorekeeper|templates|rulesets|static|tests)/[^`]*)`", README)

    assert not [path for path in paths if not list(ROOT.glob(path))]


@pytest.mark.parametrize("folder", sorted(it.name for it in PACKAGE.iterdir() if (it / "__init__.py").exists()))
def test_every_package_is_in_the_table_of_folders(folder: str) -> None:
    assert f"`scorekeeper/{folder}/`" in README or folder == "migrations"
