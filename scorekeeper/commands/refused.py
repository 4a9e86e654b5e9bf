"""What stops a command, and what is wrong with a file."""

from scorekeeper.engine.hand_faults import HandFault


class Refused(Exception):
    """A command cannot be done; the message says why, and `scorekeeper.cli` ends with exit status 1."""


def fault_sentence(item: HandFault) -> str:
    """Return what is wrong in a record, after the place: "hand 1, bid: 12 is too high: …"."""
    where = ", ".join(part for part in (f"hand {item.hand}" if item.hand else "", item.fault.field) if part)
    return f"{where}: {item.fault.message}" if where else item.fault.message
