"""Plant mistakes in a copy of the code, one at a time, and count the posts until the storm notices each.

Run by hand, from a checkout: `python -m tests.storm.teeth`, with words of some to try only those. What has moved
since is named: its text has to be found in exactly one place.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).parents[2]
COPIED = ("scorekeeper", "templates", "static", "rulesets")
POSTS = 5000
_NOTICED = re.compile(r"Again, after (\d+) posts")


@dataclass(frozen=True)
class Mistake:
    """A text of a file with another in its place."""

    what: str
    path: str
    old: str
    new: str
    more: tuple[tuple[str, str, str], ...] = ()
    """Other files that do the same, with what is changed in each."""


_ONCE, _WRITING = "scorekeeper/eventlog/store.py", "scorekeeper/matches/service.py"
_CONFLICTS, _EVENTS, _LOG = (
    "scorekeeper/matches/hand_conflicts.py",
    "scorekeeper/matches/events.py",
    "scorekeeper/matches/log.py",
)
_STREAM, _HAND = "scorekeeper/eventlog/stream.py", "scorekeeper/pages/hand/views.py"

MISTAKES = (
    Mistake("a key is not looked up", _ONCE, "(sent := log.seq_of(writer.idempotency_key))", "(sent := None)"),
    Mistake(
        "a version is not compared",
        _ONCE,
        'expected_version is not None and (expected_version != log.version or mark not in ("", log.mark))',
        "False",
    ),
    Mistake(
        "a commit is left out",
        _ONCE,
        "            session.commit()\n        return after",
        "            pass\n        return after",
    ),
    Mistake(
        "a resend is answered with the present version",
        "scorekeeper/web/context.py",
        "said=match.version if seq is None else seq",
        "said=match.version",
        more=((_ONCE, "return stream.as_of(sent)", "return stream"),),
    ),
    Mistake("a question shows the last hand", _CONFLICTS, "(*in_force, *(hand", "(*reversed(in_force), *(hand"),
    Mistake(
        "a phone’s own hands are another’s",
        _CONFLICTS,
        "event.seq <= self.version or is_own",
        "event.seq <= self.version",
    ),
    Mistake(
        "another’s hands are a phone’s own", _CONFLICTS, "is_same_phone(event.actor, self.actor) and event", "event"
    ),
    Mistake("every hand is for the first place", _CONFLICTS, "max(index - 1 - len(shown), 0)", "0"),
    Mistake(
        "places are counted from the first hand", _CONFLICTS, "max(index - 1 - len(shown), 0)", "max(index - 1, 0)"
    ),
    Mistake("a changed entry is a new one", _CONFLICTS, "event.idempotency_key not in self.replaces", "True"),
    Mistake("what was deleted asks nothing", _CONFLICTS, "*(hand for hand in gap if hand.removed))", ")"),
    Mistake("a late hand asks nothing", _HAND, "if conflict is None and not has_lost:", "if True:"),
    Mistake("the same hand twice is a question", _HAND, "if conflict and after is match:", "if False:"),
    Mistake("a forgotten hand goes to the end", _EVENTS, "log.index_of_new(self.before)", "len(log.entries)"),
    Mistake("an older redo is kept", _STREAM, "self.redoable.clear()", "pass"),
    Mistake("an undo takes the first thing back", _STREAM, "return self.in_force[-1] if", "return self.in_force[0] if"),
    Mistake(
        "an undo does not mind what came before",
        "scorekeeper/pages/match/views.py",
        "write_change(code, change, version=posted_version())",
        "write_change(code, change)",
    ),
    Mistake(
        "a scorer may undo an owner’s change",
        _WRITING,
        "if not self.log.may_write(self.link.role, event):",
        "if False:",
    ),
    Mistake(
        "a phone that watches confirms a hand",
        "scorekeeper/matches/events.py",
        "if not stream.link.may_score:",
        "if False:",
    ),
    Mistake(
        "a phone that watches may write",
        "scorekeeper/web/security.py",
        "if allows(kind.load(code).role, role):",
        "if True:",
    ),
    Mistake(
        "a stopped match takes hands",
        _EVENTS,
        'if stream.log.is_stopped:\n            raise MatchClosed("stopped")\n        if stream.log.written',
        "if stream.log.written",
    ),
    Mistake(
        "an old page is kept",
        "scorekeeper/web/page_cache.py",
        "return match.id, match.setup.created_at, match.log.end",
        "return match.id, match.setup.created_at, match.log.version // 2",
    ),
    Mistake(
        "an old match is kept",
        "scorekeeper/matches/service.py",
        "cached is None or end != cached.log.end",
        "cached is None or end[0] > cached.log.version + 1",
    ),
    Mistake(
        "whoever sits in does not mind what came before",
        "scorekeeper/pages/players.py",
        "write_change(code, change, version=posted_version())",
        "write_change(code, change)",
    ),
    Mistake(
        "a removed phone is let in",
        "scorekeeper/access/links.py",
        "if head.is_ended:\n            raise LinkEnded(head.link)",
        "",
    ),
)

_OUTBOX = "static/js/outbox.js"
ON_PAGES = (
    Mistake(
        "a waiting hand has seen what its page had not",
        _OUTBOX,
        "    drop(entry.key);\n  };",
        "    drop(entry.key);\n    for (const it of kept()) keep(withFields(it, { version: versionIn(next) }));\n  };",
    ),
    Mistake("a hand that is in waits still", _OUTBOX, "    drop(entry.key);\n  };", "  };"),
    Mistake(
        "each try has a key of its own",
        _OUTBOX,
        "const fields = new URLSearchParams(entry.fields);",
        'const fields = new URLSearchParams(entry.fields);\n    fields.set("client_key", freshKey());',
    ),
    Mistake(
        "hands of the same page are not counted",
        _OUTBOX,
        '(data.get("index")) + savedBefore(sheet)',
        '(data.get("index"))',
    ),
    Mistake("what went in is not noted", _OUTBOX, "write(SENT, [...sent(), ", "write(SENT, [...[], "),
    Mistake(
        "a lost answer counts as one",
        _OUTBOX,
        "      answer = null;\n",
        "      answer = null;\n      drop(entry.key);\n",
    ),
    Mistake("what is discarded is sent", _OUTBOX, 'if (act === "drop") discard(key);', ""),
    Mistake(
        "a draft outlives its hand",
        "static/js/draft.js",
        '    localStorage.removeItem(hand() + field("version"));\n    delete main.dataset.typed;\n',
        "    delete main.dataset.typed;\n",
    ),
    Mistake(
        "a copy comes before the network",
        "static/sw.js",
        "return Promise.race([fresh, late]).catch(instead);",
        "return copyOf(url).then((copy) => copy ?? fresh).catch(instead);",
    ),
)
"""Mistakes in what a phone itself does, which only real pages show."""


def main() -> int:
    """Try every mistake, or those that one of some words is in; exit status 1 where more than one was not noticed."""
    missed, lines = 0, list[str]()
    for mistake in (*MISTAKES, *ON_PAGES):
        if any(word in mistake.what for word in sys.argv[1:] or [""]):
            begin, posts = monotonic(), tried(mistake)
            missed += posts is None
            noticed = "not noticed" if posts is None else f"after {posts} posts" if posts else "in the first match"
            lines.append(f"| {mistake.what} | {noticed} |")
            print(f"{lines[-1]} {monotonic() - begin:.0f} s", flush=True)
    print(f"{len(lines) - missed} of {len(lines)} noticed within {POSTS} posts.")
    return int(missed > 1)


def tried(mistake: Mistake, posts: int = POSTS) -> int | None:
    """Return after how many posts the storm noticed a mistake in a copy of the code; `None` where it did not."""
    with tempfile.TemporaryDirectory(prefix="scorekeeper-teeth-") as name:
        copy = Path(name)
        for folder in COPIED:
            shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
        (copy / "tests").symlink_to(ROOT / "tests")
        plant(mistake, copy)
        how = "--chromium" if mistake in ON_PAGES else "--in-process"
        command = [sys.executable, "-m", "tests.storm", how, "--posts", str(posts), "--seed", "1"]
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    found = _NOTICED.search(done.stderr)
    assert found, f"{mistake.what}: {done.stderr[-2000:]}"
    return int(found[1])


def plant(mistake: Mistake, folder: Path) -> None:
    """Make a mistake in a copy of the code."""
    for name, old, new in ((mistake.path, mistake.old, mistake.new), *mistake.more):
        path = folder / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{mistake.what}: {name} has it {text.count(old)} times"
        path.write_text(text.replace(old, new), encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
