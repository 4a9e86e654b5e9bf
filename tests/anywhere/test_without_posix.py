"""Nothing that a Windows Python lacks is needed to serve, settle, import, back up, restore and check."""

import ast
import signal
import sys
from pathlib import Path

import pytest

from scorekeeper.paths import PACKAGE
from tests.anywhere.journey import Installation, journey
from tests.anywhere.without_posix import LACKING
from tests.test_boundaries import imported, name_of


def test_a_family_comes_all_the_way_without_what_windows_lacks(interruptible: None, tmp_path: Path) -> None:
    there = Installation([sys.executable, "-m", "tests.anywhere.without_posix"], tmp_path / "our kitchen")

    journey(there, lambda server: server.send_signal(signal.SIGINT), print)


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=name_of)
def test_no_module_imports_what_windows_lacks(file: Path) -> None:
    assert not {name.split(".")[0] for name in imported(ast.parse(file.read_text()))} & set(LACKING)
