"""A server whose clock is set back and forward while it runs, by libfaketime."""

from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.storm.disks import ON_FAILING_DISK, FailingDisk
from tests.storm.served import Chances

WITH_CLOCK: Chances = {"clock": 0.05, **ON_FAILING_DISK}
HOURS = (0, 0.001, 1, 24, 24 * 365)


def find_faketime() -> Path | None:
    """Return the library that sets the clock of a program, for one with threads."""
    return next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))), None)


@dataclass
class SetClock(FailingDisk):
    """A server whose clock is wrong now and then, by seconds or by a year."""

    def __post_init__(self) -> None:
        self._set(0)
        self.environ = {
            "LD_PRELOAD": str(find_faketime()),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "NO_FAKE_STAT": "1",
        }
        super().__post_init__()

    @property
    def _file(self) -> Path:
        return self.instance / "clock"

    def _set(self, seconds: int) -> None:
        beside = self.instance / "clock.new"
        beside.write_text(f"{seconds:+d}\n", encoding="ascii")
        beside.replace(self._file)

    def _clock(self, rng: Random) -> None:
        self._set(round(rng.choice(HOURS) * 3600) * rng.choice((-1, 1)))
