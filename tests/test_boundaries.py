"""Who may know whom: imports point one way, and the rules and the engine touch nothing outside themselves."""

import ast
import sys
from collections.abc import Iterator
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
        *("store", "database", "serving.cache", "system", "services"),
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

LAYERED = [file for layer in MAY_USE for file in sorted((PACKAGE / layer).rglob("*.py"))]
PURE_FILES = [file for file in LAYERED if file.relative_to(PACKAGE).parts[0] in PURE]


def name_of(file: Path) -> str:
    return str(file.relative_to(PACKAGE))


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written whole, so that they can be followed"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def called(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id
            elif isinstance(node.func, ast.Attribute):
                yield node.func.attr


def strays(source: str, layer: str) -> set[str]:
    """Name what a module imports of this project from beyond its layer."""
    ours = (name.split(".") for name in imported(ast.parse(source)) if name.split(".")[0] == "scorekeeper")
    return {".".join(parts) for parts in ours if not {parts[1], ".".join(parts[1:3])} & MAY_USE[layer]}


def impurities(source: str, *, reads_files: bool = False) -> set[str]:
    """Name what ties a module to the world outside it."""
    tree = ast.parse(source)
    roots = {name.split(".")[0] for name in imported(tree)}
    foreign = roots - sys.stdlib_module_names - {"pydantic", "scorekeeper"}
    outside = roots & OUTSIDE_WORLD - ({"pathlib"} if reads_files else set())
    doing = set(called(tree)) & READING - ({"read_text", "read_bytes", "open"} if reads_files else set())
    return foreign | outside | doing


@pytest.mark.parametrize("file", LAYERED, ids=name_of)
def test_a_layer_uses_only_what_lies_below_it(file: Path) -> None:
    assert strays(file.read_text(), file.relative_to(PACKAGE).parts[0]) == set()


@pytest.mark.parametrize("file", PURE_FILES, ids=name_of)
def test_what_is_pure_touches_nothing_outside(file: Path) -> None:
    assert impurities(file.read_text(), reads_files=file == READS_FILES) == set()


@pytest.mark.parametrize("file", [file for file in LAYERED if "web" not in file.parts], ids=name_of)
def test_only_the_web_knows_flask(file: Path) -> None:
    roots = {name.split(".")[0] for name in imported(ast.parse(file.read_text()))}

    assert not {root for root in roots if root.startswith(("flask", "werkzeug", "jinja2_fragments"))}


@pytest.mark.parametrize("file", [file for file in LAYERED if "printing" not in file.parts], ids=name_of)
def test_only_printing_knows_weasyprint(file: Path) -> None:
    assert "weasyprint" not in {name.split(".")[0] for name in imported(ast.parse(file.read_text()))}


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=name_of)
def test_headers_of_htmx_stand_in_one_file(file: Path) -> None:
    if name_of(file) != "web/shared/respond.py":
        assert '"HX-' not in file.read_text()


def test_every_layer_is_looked_at() -> None:
    assert {file.relative_to(PACKAGE).parts[0] for file in LAYERED} >= {"rules", "engine", "store", "web"}


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
    assert strays(source, layer)


@pytest.mark.parametrize(
    "source",
    ["import random", "from pathlib import Path", "import flask", "open('x')", "datetime.now()", "path.read_text()"],
)
def test_a_touch_of_the_outside_is_found(source: str) -> None:
    assert impurities(source)
