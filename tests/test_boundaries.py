"""Who may know whom: imports point one way, and the rules and the engine touch nothing outside themselves."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from scorekeeper.paths import PACKAGE

MAY_USE = {
    "rules": {"rules"},
    "engine": {"rules", "engine"},
    "ledger": {"rules", "engine", "ledger"},
    "ladder": {"rules", "engine", "ledger", "ladder"},
    "narration": {"rules", "engine", "ledger", "narration"},
    "records": {"rules", "engine", "ledger", "narration", "records"},
    "sheets": {"rules", "engine", "narration", "records", "sheets"},
    "book": {"rules", "engine", "ledger", "ladder", "book"},
    "statistics": {"rules", "engine", "ledger", "book", "statistics"},
    "graphics": {"rules", "engine", "narration", "graphics"},
    "database": {"database", "system"},
    "store": {"rules", "engine", "ledger", "ladder", "book", "statistics", "store"},
    "services": {
        *("rules", "engine", "ledger", "ladder", "narration", "records", "book", "statistics"),
        *("store", "database", "serving.cache", "serving.network", "system", "services"),
    },
    "printing": {
        "rules",
        "engine",
        "ladder",
        "narration",
        "records",
        "sheets",
        "graphics",
        "printing",
        "paths",
        "serving.cache",
        "system",
    },
    "web": {
        *("rules", "engine", "ledger", "ladder", "narration", "records", "sheets", "graphics", "services", "printing"),
        *("web", "book", "statistics", "extensions", "database", "config", "paths"),
        *("serving.cache", "serving.network", "serving.watch"),
    },
}
"""Of this project, each layer may import only these: whole folders, or one module of a folder."""

PURE = ("rules", "engine", "ledger", "ladder", "narration", "records", "sheets", "graphics", "book", "statistics")
READS_FILES = PACKAGE / "rules" / "library.py"
OUTSIDE_WORLD = set(
    "asyncio ctypes fileinput glob http io logging multiprocessing os pathlib random secrets shutil signal socket"
    " sqlite3 subprocess sys tempfile threading time urllib uuid".split()
)
READING = {"open", "input", "print", "read_text", "read_bytes", "write_text", "write_bytes", "now", "today", "utcnow"}

ALL_FILES = sorted(PACKAGE.rglob("*.py"))
LAYERED = [file for layer in MAY_USE for file in sorted((PACKAGE / layer).rglob("*.py"))]


def name_of(file: Path) -> str:
    return str(file.relative_to(PACKAGE))


def layer_of(file: Path) -> str:
    return file.relative_to(PACKAGE).parts[0]


PURE_FILES = [file for file in LAYERED if layer_of(file) in PURE]


@cache
def tree_of(file: Path) -> ast.Module:
    """Return what a file says; each is parsed once."""
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
    """Name what a module imports of this project from beyond its layer."""
    ours = (name.split(".") for name in imported(tree) if name.split(".")[0] == "scorekeeper")
    return {".".join(parts) for parts in ours if not {parts[1], ".".join(parts[1:3])} & MAY_USE[layer]}


def impurities(tree: ast.Module, *, reads_files: bool = False) -> set[str]:
    """Name what ties a module to the world outside it."""
    imports = roots(tree)
    foreign = imports - sys.stdlib_module_names - {"pydantic", "scorekeeper"}
    outside = imports & OUTSIDE_WORLD - ({"pathlib"} if reads_files else set())
    doing = set(called(tree)) & READING - ({"read_text", "read_bytes", "open"} if reads_files else set())
    return foreign | outside | doing


def test_a_layer_uses_only_what_lies_below_it() -> None:
    assert {name_of(it): found for it in LAYERED if (found := strays(tree_of(it), layer_of(it)))} == {}


def test_what_is_pure_touches_nothing_outside() -> None:
    touching = {it: impurities(tree_of(it), reads_files=it == READS_FILES) for it in PURE_FILES}

    assert {name_of(it): found for it, found in touching.items() if found} == {}


@pytest.mark.parametrize(
    ("layer", "library"),
    [("web", "flask"), ("web", "werkzeug"), ("web", "jinja2_fragments"), ("printing", "weasyprint")],
)
def test_only_one_layer_knows_a_library(layer: str, library: str) -> None:
    others = [it for it in LAYERED if layer_of(it) != layer]

    assert [name_of(it) for it in others if any(root.startswith(library) for root in roots(tree_of(it)))] == []


def test_headers_of_htmx_stand_in_one_file() -> None:
    assert [name_of(it) for it in ALL_FILES if '"HX-' in it.read_text()] == ["web/shared/respond.py"]


def test_every_layer_is_looked_at() -> None:
    assert {layer_of(file) for file in LAYERED} >= {"rules", "engine", "store", "web"}


@pytest.mark.parametrize(
    ("source", "layer"),
    [
        ("from scorekeeper.engine.hand import HandRecord", "rules"),
        ("import scorekeeper.store.tables", "engine"),
        ("from scorekeeper import web", "services"),
        ("from scorekeeper.serving.server import serve", "web"),
        ("from scorekeeper import serving", "web"),
        ("def late():\n    from scorekeeper.store import tables", "web"),
    ],
)
def test_an_import_the_wrong_way_is_found(source: str, layer: str) -> None:
    assert strays(ast.parse(source), layer)


@pytest.mark.parametrize(
    "source",
    ["import random", "from pathlib import Path", "import flask", "open('x')", "datetime.now()", "path.read_text()"],
)
def test_a_touch_of_the_outside_is_found(source: str) -> None:
    assert impurities(ast.parse(source))
