"""Tables of what tests try and what has to come of it, as TOML files beside the tests."""

import tomllib
from pathlib import Path
from typing import Any


def table(test_file: str, name: str) -> dict[str, Any]:
    """Return what a TOML file says that lies beside a test, or at a path from there."""
    return tomllib.loads((Path(test_file).parent / name).read_text(encoding="utf-8"))
