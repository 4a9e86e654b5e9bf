"""Plant the mistakes of `mistakes.toml` in a copy of the code, and count the posts until the storm notices each.

Run by hand, from a checkout: `python -m tests.storm.teeth`, with words of some to try only those.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic

from tests.common.tables import table

ROOT = Path(__file__).parents[2]
MISTAKES: dict[str, dict[str, dict[str, str]]] = table(__file__, "mistakes.toml")
"""By what each is: the files, with the `old` text of each and the `new` one."""
COPIED = ("scorekeeper", "templates", "static", "rulesets")
POSTS = 5000
_NOTICED = re.compile(r"Again, after (\d+) posts")


def main() -> int:
    """Try every mistake, or those that one of some words is in; exit status 1 where more than one was not noticed."""
    tries = [what for what in MISTAKES if any(word in what for word in sys.argv[1:] or [""])]
    missed = 0
    for what in tries:
        begin, posts = monotonic(), tried(what)
        missed += posts is None
        noticed = "not noticed" if posts is None else f"after {posts} posts" if posts else "in the first match"
        print(f"| {what} | {noticed} | {monotonic() - begin:.0f} s", flush=True)
    print(f"{len(tries) - missed} of {len(tries)} noticed within {POSTS} posts.")
    return int(missed > 1)


def tried(what: str, posts: int = POSTS) -> int | None:
    """Return after how many posts the storm noticed a mistake in a copy of the code; `None` where it did not."""
    with tempfile.TemporaryDirectory(prefix="scorekeeper-teeth-") as name:
        copy = Path(name)
        for folder in COPIED:
            shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
        (copy / "tests").symlink_to(ROOT / "tests")
        for path, text in planted(what).items():
            (copy / path).write_text(text, encoding="utf-8")
        how = "--chromium" if any(path.startswith("static/") for path in MISTAKES[what]) else "--in-process"
        command = [sys.executable, "-m", "tests.storm", how, "--posts", str(posts), "--seed", "1"]
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    found = _NOTICED.search(done.stderr)
    assert found, f"{what}: {done.stderr[-2000:]}"
    return int(found[1])


def planted(what: str) -> dict[str, str]:
    """Return the files that a mistake changes, with it in them; its old text has to be found in exactly one place."""
    files = {}
    for path, change in MISTAKES[what].items():
        text = (ROOT / path).read_text(encoding="utf-8")
        assert text.count(change["old"]) == 1, f"{what}: {path} has it {text.count(change['old'])} times"
        files[path] = text.replace(change["old"], change["new"])
    return files


if __name__ == "__main__":
    raise SystemExit(main())
