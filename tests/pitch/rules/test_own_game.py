"""The page on adding a game of one's own, followed step by step."""

import re
import shutil
from pathlib import Path

import pytest

from scorekeeper.cli import main
from scorekeeper.paths import RULESETS
from scorekeeper.pitch.rules.library import Library, read_library

PAGE = (RULESETS / "README.md").read_text(encoding="utf-8")
FILE = "aunt-roses-pedro"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with all games, and the one of the page."""
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)
    shutil.copytree(RULESETS, tmp_path, dirs_exist_ok=True)
    (tmp_path / f"{FILE}.toml").write_text(example, encoding="utf-8")
    return tmp_path


@pytest.fixture
def library(folder: Path) -> Library:
    return read_library(folder)


def test_it_is_sound_and_traced(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"`{FILE}.toml`" in PAGE
    assert main(["rulesets", "check", "--folder", str(folder)]) == 0
    assert main(["rulesets", "trace", FILE, "--folder", str(folder)]) == 0
    assert "Aunt Rose’s Pedro\n" in capsys.readouterr().out


def test_it_has_what_differs_and_the_rest_of_its_parent(library: Library) -> None:
    ours, pedro = library[FILE], library["pedro"]

    assert ours.points_per_hand == pedro.points_per_hand + 10
    assert (ours.min_bid_number, ours.max_bid_number, ours.winning.target) == (8, 24, 100)
    assert ours.counting_order[:4] == ("five", "off_five", "king", "ace")
    assert ours.play == pedro.play
