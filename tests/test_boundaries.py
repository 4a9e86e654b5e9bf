"""Which layer may import which: imports go one way, and the rules and the engine touch nothing outside themselves."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from scorekeeper.paths import PACKAGE

NO_FLASK = ("pitch", "eventlog", "matches", "book", "access", "printing")
PURE = (
    "access/roles.py",
    "book/events.py",
    "book/fold.py",
    "club/book_files/file.py",
    "club/book_files/lines.py",
    "club/book_files/parse.py",
    "club/figures/bars_and_steps.py",
    "club/figures/match_figures.py",
    "club/figures/people.py",
    "club/nights/deleted_names.py",
    "club/nights/events.py",
    "club/nights/table_moves.py",
    "club/nights/night.py",
    "club/nights/sentences.py",
    "eventlog/stream.py",
    "matches/change_log.py",
    "matches/hand_conflicts.py",
    "matches/deleted_names.py",
    "matches/events.py",
    "matches/files/spreadsheet.py",
    "matches/fold.py",
    "matches/log.py",
    "matches/notices.py",
    "pages/find_game/finder.py",
    "pages/find_game/query.py",
    "pages/hand/in_progress.py",
    "pages/hand/input.py",
)
"""Modules that touch nothing outside, beside all of `pitch`."""
READS_FILES = PACKAGE / "pitch" / "rules" / "library.py"
OUTSIDE_WORLD = set(
    "asyncio ctypes fileinput glob http io logging multiprocessing os pathlib random secrets shutil signal socket"
    " sqlite3 subprocess sys tempfile threading time urllib uuid".split()
)
READING = {"open", "input", "print", "read_text", "read_bytes", "write_text", "write_bytes", "now", "today", "utcnow"}

ALL_FILES = sorted(PACKAGE.rglob("*.py"))


def name_of(file: Path) -> str:
    return str(file.relative_to(PACKAGE))


def layer_of(file: Path) -> str:
    return file.relative_to(PACKAGE).parts[0]


def part_of(layer: str) -> str:
    return layer if layer in ("pitch", "club") else "app"


PURE_FILES = [value for value in ALL_FILES if layer_of(value) == "pitch" or name_of(value) in PURE]


@cache
def tree_of(file: Path) -> ast.Module:
    """Return the syntax tree of a file; each is parsed once."""
    return ast.parse(file.read_text())


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written whole, so that they can be followed"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def roots(tree: ast.AST) -> set[str]:
    return {name.split(".")[0] for name in imported(tree)}


def called(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id
            elif isinstance(node.func, ast.Attribute):
                yield node.func.attr


def strays(tree: ast.Module, layer: str) -> set[str]:
    """Name what a module imports of this project from a part that its own may not know: pitch <- app <- club."""
    ours = {name for name in imported(tree) if name.split(".")[0] == "scorekeeper"}
    parts = {"pitch": {"pitch"}, "app": {"pitch", "app"}, "club": {"pitch", "app", "club"}}[part_of(layer)]
    return {name for name in ours if part_of(name.split(".")[1]) not in parts}


def impurities(tree: ast.Module, *, reads_files: bool = False) -> set[str]:
    """Name what ties a module to the world outside it."""
    imports = roots(tree)
    foreign = imports - sys.stdlib_module_names - {"pydantic", "scorekeeper"}
    outside = imports & OUTSIDE_WORLD - ({"pathlib"} if reads_files else set())
    doing = set(called(tree)) & READING - ({"read_text", "read_bytes", "open"} if reads_files else set())
    return foreign | outside | doing


@pytest.mark.parametrize("part", ["pitch", "app"])
def test_no_arrow_points_the_wrong_way(part: str) -> None:
    files = [file for file in ALL_FILES if part_of(layer_of(file)) == part]

    assert {name for file in files for name in strays(tree_of(file), layer_of(file))} == set()


def test_beside_its_commands_the_club_is_named_where_an_app_starts() -> None:
    files = [
        file for file in ALL_FILES if part_of(layer_of(file)) == "app" and layer_of(file) not in ("commands", "cli.py")
    ]

    assert [name_of(file) for file in files if '"scorekeeper.club' in file.read_text()] == ["app.py"]


def package_of(module: str) -> str:
    """Return the package of a module's full name; of `pitch` that within it, and of a module in no package itself."""
    names = module.split(".")
    return ".".join(names[1 : 3 if names[1:2] == ["pitch"] else 2])


def test_no_packages_import_one_another_in_a_circle() -> None:
    arrows: dict[str, set[str]] = {}
    for file in (found for found in ALL_FILES if layer_of(found) not in ("club", "hooks.py", "__init__.py")):
        own = package_of(".".join(("scorekeeper", *file.relative_to(PACKAGE).with_suffix("").parts)))
        known = {package_of(name) for name in imported(tree_of(file)) if name.startswith("scorekeeper.")}
        arrows.setdefault(own, set()).update(known - {own, "club", "pitch"})

    TopologicalSorter(arrows).prepare()


def test_every_pure_module_is_there() -> None:
    assert {name_of(file) for file in PURE_FILES} >= set(PURE)


def test_what_is_pure_touches_nothing_outside() -> None:
    touching = {file: impurities(tree_of(file), reads_files=file == READS_FILES) for file in PURE_FILES}

    assert {name_of(file): found for file, found in touching.items() if found} == {}


@pytest.mark.parametrize("library", ["flask", "werkzeug", "jinja2_fragments"])
def test_only_pages_and_the_server_know_flask(library: str) -> None:
    files = [file for file in ALL_FILES if layer_of(file) in NO_FLASK]

    assert [name_of(file) for file in files if any(root.startswith(library) for root in roots(tree_of(file)))] == []


def test_only_printing_knows_weasyprint() -> None:
    others = [file for file in ALL_FILES if layer_of(file) != "printing"]

    assert [name_of(other) for other in others if "weasyprint" in roots(tree_of(other))] == []


def test_headers_of_htmx_stand_in_one_file() -> None:
    assert [name_of(file) for file in ALL_FILES if '"HX-' in file.read_text()] == ["web/respond.py"]
