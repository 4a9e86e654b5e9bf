"""Pitch without the rest: the package and the rulesets, in an environment that has pydantic alone."""

import json
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from scorekeeper.paths import PACKAGE, RULESETS

ROOT = PACKAGE.parent
PYDANTIC = ("pydantic", "pydantic_core", "annotated_types", "typing_extensions", "typing_inspection")
EXAMPLE = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SCORE_CASES = """
import json, sys
from pathlib import Path
from scorekeeper.pitch.records.result import Rulebook, score_record
from scorekeeper.pitch.rules.library import read_library
from scorekeeper.pitch.sheets.rule_sheet import rule_sheet

library = read_library(Path("rulesets"))
rulebook, wrong = Rulebook(library), []
for line in sys.stdin:
    case = json.loads(line)
    result, expect = score_record(case["record"], rulebook), case["expect"]
    if any(result.get(key) != expect[key] for key in ("status", "winners") if key in expect):
        wrong.append(case["id"])
rules = [rule.text for game in library for rule in rule_sheet(game).rules]
print(json.dumps({"wrong": wrong, "rules": len(rules)}))
"""


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """Return a folder that has the package, the rulesets and pydantic."""
    shutil.copytree(PACKAGE / "pitch", tmp_path / "scorekeeper/pitch", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(RULESETS, tmp_path / "rulesets")
    for name in PYDANTIC:
        origin = Path(import_module(name).__file__ or "")
        found = origin.parent if origin.stem == "__init__" else origin
        (tmp_path / found.name).symlink_to(found)
    return tmp_path


def run(folder: Path, script: str, given: str = "") -> str:
    """Run a script in a folder without any packages that are installed, and return what it prints."""
    (folder / "script.py").write_text(script, encoding="utf-8")
    command = [sys.executable, "-S", "-E", "-W", "error", "script.py"]
    done = subprocess.run(command, cwd=folder, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_scores_every_acceptance_case_and_says_every_rule(alone: Path) -> None:
    cases = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests/acceptance").glob("*.jsonl"))

    found = json.loads(run(alone, SCORE_CASES, cases))

    assert found["wrong"] == []
    assert found["rules"] > 2000


def test_the_examples_of_its_page_print_what_stands_below_them(alone: Path) -> None:
    examples = EXAMPLE.findall((ROOT / "docs/pitch.md").read_text(encoding="utf-8"))
    script = "".join(text for kind, text in examples if kind == "python")

    assert run(alone, script) == "".join(text for kind, text in examples if kind == "text")
