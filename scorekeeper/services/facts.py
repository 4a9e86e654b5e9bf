"""The kinds of facts, for those who say in words what was written."""

from scorekeeper.store.facts import (
    AgreementSet,
    DealerMoved,
    Deleted,
    Event,
    HandAccepted,
    HandAdded,
    HandCorrected,
    HandRemoved,
    HandReturned,
    Redone,
    Renamed,
    Resumed,
    RulesChanged,
    Stopped,
    Undeleted,
    Undone,
)

__all__ = [
    "AgreementSet",
    "DealerMoved",
    "Deleted",
    "Event",
    "HandAccepted",
    "HandAdded",
    "HandCorrected",
    "HandRemoved",
    "HandReturned",
    "Redone",
    "Renamed",
    "Resumed",
    "RulesChanged",
    "Stopped",
    "Undeleted",
    "Undone",
]
