"""The codes of faults are closed sets: mypy refuses any other, and each is given by somebody."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from scorekeeper.paths import PACKAGE
from scorekeeper.pitch.rules.fault_codes import FaultCode

DECLARED = PACKAGE / "pitch" / "rules" / "fault_codes.py"


def given_codes(file: Path) -> Iterator[str]:
    """Yield the words that a module may give as a code: to whatever refuses, or beside a sentence."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call):
            values = node.args[:2]
        else:
            values = node.elts[:1] if isinstance(node, ast.Tuple) else []
        yield from (value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str))


def test_every_code_is_given_by_somebody() -> None:
    given = {code for file in PACKAGE.rglob("*.py") if file != DECLARED for code in given_codes(file)}
    declared = {code for domain in get_args(FaultCode) for code in get_args(domain)}

    assert declared - given == set()
