"""Nothing that a Windows Python lacks is needed to serve, settle, import, back up, restore and check."""

import signal
import sys
from pathlib import Path

from tests.anywhere.journey import Installation, journey
from tests.anywhere.without_posix import LACKING
from tests.test_boundaries import ALL_FILES, name_of, roots, tree_of


def test_a_family_comes_all_the_way_without_what_windows_lacks(interruptible: None, tmp_path: Path) -> None:
    installation = Installation([sys.executable, "-m", "tests.anywhere.without_posix"], tmp_path / "our kitchen")

    journey(installation, lambda server: server.send_signal(signal.SIGINT), print)


def test_no_module_imports_what_windows_lacks() -> None:
    assert [name_of(file) for file in ALL_FILES if roots(tree_of(file)) & set(LACKING)] == []
