"""A preparation that can be seen from outside."""

import os
from pathlib import Path

NOTE = "SCOREKEEPER_TEST_NOTE"


def leave() -> None:
    """Leave a note where the environment says."""
    Path(os.environ[NOTE]).write_text("ready", encoding="utf-8")
