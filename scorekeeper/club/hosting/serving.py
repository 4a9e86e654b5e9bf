"""What a public server does beside answering: metrics for Prometheus, and removing every hour what nobody uses.

What that takes is read only where the settings want it.
"""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from flask import Flask

from scorekeeper.database.backup import every_hour
from scorekeeper.server.watch import Watch


@contextmanager
def counting_requests(app: Flask, process: int) -> Iterator[Watch | None]:
    """Publish figures of requests meanwhile, where the settings name a port; yield what counts one."""
    if not (port := app.config.get("METRICS_PORT")):
        yield None
        return
    from scorekeeper.club.hosting.metrics import Metrics

    metrics, watch = Metrics(), None
    with ExitStack() as published:
        try:
            published.enter_context(metrics.published(port + process))
            watch = metrics.count
        except (OSError, OverflowError) as fault:  # the score is kept all the same
            why = fault.strerror if isinstance(fault, OSError) else "there is no such port"
            print(f"No metrics: it cannot listen on port {port + process}: {why}.", file=sys.stderr)
        yield watch


def removed_folder(app: Flask) -> Path:
    """Return the folder of the files of what was removed because nobody used it."""
    return Path(app.instance_path) / "removed"


@contextmanager
def removing_unused(app: Flask) -> Iterator[None]:
    """Remove every hour what nobody uses, if anything ever is, and the old files of what was."""
    if not app.config["KEEP_UNUSED"] and not removed_folder(app).exists():
        yield
        return
    from scorekeeper.club.hosting.unused import remove_what_is_unused

    with every_hour(lambda: remove_what_is_unused(app), "unused"):
        yield
