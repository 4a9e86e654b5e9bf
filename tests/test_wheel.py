"""The wheel carries everything: installed where there is no checkout, it scores, prints and serves."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from scorekeeper.paths import CHECKOUT

pytestmark = pytest.mark.xdist_group("wheel")


def run(*command: str | Path, typed: str | None = None, at: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(
        [str(word) for word in command],
        input=typed,
        capture_output=True,
        text=True,
        errors="replace",  # a sheet is no text
        check=False,
        cwd=at,
        env=clean | environ,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as anyone who installs from a checkout does."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ["-q", "--no-deps", "--no-build-isolation"]
    built = run(sys.executable, "-m", "pip", "wheel", *options, "-w", folder, CHECKOUT, at=folder)
    assert built.returncode == 0, built.stderr
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install it into an environment of its own, which borrows the requirements of this one but not this checkout."""
    folder = tmp_path_factory.mktemp("installed")
    made = run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", at=folder)
    assert made.returncode == 0, made.stderr
    python = folder / "venv" / "bin" / "python"
    placed = run(
        sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel, at=folder
    )
    assert placed.returncode == 0, placed.stderr
    (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
    (site / "borrowed.pth").write_text(f"{sysconfig.get_path('purelib')}\n{sysconfig.get_path('platlib')}\n")
    return folder / "venv" / "bin"


def names_in(folder: str) -> set[str]:
    files = (found for found in (CHECKOUT / folder).rglob("*") if found.is_file() and "__pycache__" not in found.parts)
    return {str(file.relative_to(CHECKOUT)) for file in files}


def test_the_distribution_is_named_pitch_scorekeeper(wheel: Path) -> None:
    assert wheel.name.startswith("pitch_scorekeeper-")


@pytest.mark.parametrize("folder", ["templates", "static", "rulesets"])
def test_it_carries_what_lies_outside_the_package(wheel: Path, folder: str) -> None:
    carried = set(zipfile.ZipFile(wheel).namelist())

    assert names_in(folder)
    assert not {name for name in names_in(folder) if f"scorekeeper/_data/{name}" not in carried}
    assert not [name for name in carried if "__pycache__" in name]


def test_it_carries_nobody_s_scores_and_no_tests(wheel: Path) -> None:
    carried = zipfile.ZipFile(wheel).namelist()

    assert not [name for name in carried if "sqlite3" in name or "secret-key" in name or name.startswith("tests/")]


def test_it_uses_its_own_files(installed: Path, tmp_path: Path) -> None:
    code = "from scorekeeper import paths; print(paths.IS_INSTALLED, paths.RULESETS.is_dir(), paths.PACKAGE)"

    answer = run(installed / "python", "-c", code, at=tmp_path)

    assert answer.stdout == f"True True {next(installed.parent.glob('lib/python*/site-packages'))}/scorekeeper\n"


def test_its_first_start_makes_its_database_for_whoever_starts_it(installed: Path, tmp_path: Path) -> None:
    """In an empty folder, by a user who has nothing yet."""
    (tmp_path / "home").mkdir()
    (tmp_path / "empty").mkdir()
    code = """
from scorekeeper.cli import main
import scorekeeper.server.server as server
server.serve = lambda *_: None
main(["serve"])
"""

    answer = run(installed / "python", "-c", code, at=tmp_path / "empty", HOME=str(tmp_path / "home"), XDG_DATA_HOME="")

    kept = tmp_path / "home" / ".local" / "share" / "scorekeeper" / "scorekeeper.sqlite3"
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout == f"A new database is made: {kept}.\n"
    assert kept.is_file()
    assert not list((tmp_path / "empty").iterdir())


def test_it_shows_a_page(installed: Path, tmp_path: Path) -> None:
    code = """
from scorekeeper.app import create_app
page = create_app({"TESTING": True}).test_client().get("/nowhere")
print(page.status_code, "Scorekeeper</title>" in page.text)
"""

    answer = run(installed / "python", "-c", code, at=tmp_path, SCOREKEEPER_INSTANCE=str(tmp_path / "instance"))

    assert (answer.stdout, answer.stderr) == ("404 True\n", "")


RECORD = """{"format": "pitch-record/1", "variant": "partnership-pitch", "sides": [{"name": "Us"}, {"name": "Them"}],
 "hands": [{"bidder": "Us", "bid": 2, "taken": {"high": "Us", "low": "Them", "jack": "Us", "game": "Us"}}]}"""


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("score -", '"scores":{"Us":3,"Them":1}'),
        ("sheet colorado-ten-point --kind rules -o -", "%PDF-"),
        ("rulesets trace colorado-ten-point", ";R1:"),
    ],
)
def test_it_scores_prints_and_explains(installed: Path, tmp_path: Path, words: str, written: str) -> None:
    answer = run(installed / "scorekeeper", *words.split(), typed=RECORD, at=tmp_path, PYTHONUTF8="1")

    assert (answer.returncode, answer.stderr) == (0, "")
    assert written in "".join(answer.stdout.split())
