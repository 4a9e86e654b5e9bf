"""What is wrong with a ruleset or a house rule, and how to mend it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that cannot be so: where it stands, a code for programs, a sentence for the table."""

    field: str
    code: str
    message: str
