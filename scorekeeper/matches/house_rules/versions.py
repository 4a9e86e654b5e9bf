"""A house's own rules as they were saved, version by version."""

from dataclasses import dataclass
from datetime import datetime

from scorekeeper.pitch.rules.house_rules import HouseRules


@dataclass(frozen=True, slots=True)
class HouseVersion:
    """House rules as they were from some moment on."""

    seq: int
    idempotency_key: str
    at: datetime
    actor: str
    rules: HouseRules
    is_retired: bool


@dataclass(frozen=True, slots=True)
class StoredHouse:
    """House rules with all their versions."""

    id: int
    code: str
    versions: tuple[HouseVersion, ...]

    @property
    def last(self) -> HouseVersion:
        """The version that holds."""
        return self.versions[-1]

    def version(self, seq: int) -> HouseVersion | None:
        """Return the version at a place; `None` where there is none."""
        return next((version for version in self.versions if version.seq == seq), None)
