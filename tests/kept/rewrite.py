"""Write the expected pages anew after a change of words that is meant: `python -m tests.kept.rewrite`."""

import os
import tempfile
import time
from pathlib import Path

from tests.kept.pages import pages, write


def main() -> None:
    """Write every page."""
    os.environ["TZ"] = "UTC"
    time.tzset()
    with tempfile.TemporaryDirectory() as folder:
        write(pages(Path(folder)))


if __name__ == "__main__":
    main()
