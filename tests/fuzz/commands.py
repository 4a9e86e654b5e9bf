"""Hostile words and files for every command, made from its parameters."""

import io
import os
from collections.abc import Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from unittest.mock import patch

import click

from scorekeeper.cli import main
from scorekeeper.commands.registry import COMMANDS
from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.pitch.rules.share_codes import BadCode, encode
from tests.common.commands import EVERY_COMMAND
from tests.fuzz.hostile import as_file, changed, changed_book, damaged, hostile_text
from tests.fuzz.world import RECORDS, house_file

LEFT_OUT = ("serve",)
"""Commands that do not end by themselves."""
STATUSES = (0, 1, 2)
CONTROL = frozenset(map(chr, (*range(9), *range(11, 32), *range(127, 160)))) | set("\u202a\u202e\u2066\u2069\u2028")
"""What would steer a terminal."""
FOLDER = "rulesets"
RULESET = b'format = 1\nname = "Mine"\nextends = "_pitch"\nsource = "pagat-auction"\n[winning]\ntarget = 11\n'
KNOWN = ("-", "partnership-pitch", FOLDER, "missing", "target=11", "jack=x", f"{FOLDER}/x.toml")

URLS = ("sqlite:///copy.sqlite3", "sqlite://", "sqlite:///", "postgresql://127.0.0.1:1/x", "postgresql://[x/y", "x://y")


@dataclass(frozen=True)
class Known:
    """What commands can name."""

    codes: Sequence[str] = ()
    """Of links to matches and books, house rules and invitations."""
    book: bytes = b""
    """The file of a book."""


@dataclass(frozen=True)
class HostileCommand:
    """The words of a command line, the content of the files they name, and its standard input."""

    words: list[str]
    files: dict[str, bytes] = field(default_factory=dict)
    typed: bytes = b""
    known: Known = Known()

    def __str__(self) -> str:
        files = "".join(f"\n  {name!r}: {content[:1000]!r}" for name, content in self.files.items())
        return f"scorekeeper {self.words!r}{files}\n  < {self.typed[:1000]!r}"


class CommandFault(Exception):
    """A command failed in a way that was not meant."""


def fuzz(folder: Path, rng: Random, count: int, known: Known = Known()) -> Iterator[tuple[HostileCommand, int]]:
    """Run hostile commands in a folder, and yield each with its status; raises `CommandFault`."""
    turn: list[str] = []
    for _ in range(count):
        if not turn:
            turn = [name for name in COMMANDS["scorekeeper"] if name not in LEFT_OUT]
            rng.shuffle(turn)
        command = hostile_command(rng, turn.pop(), known)
        try:
            yield command, run(folder, command)
        except CommandFault as fault:
            fault.add_note(str(command))
            raise


def run(folder: Path, command: HostileCommand) -> int:
    """Run a command where its files are, and return its exit status; raises `CommandFault`."""
    (folder / FOLDER).mkdir(exist_ok=True)
    for name, content in command.files.items():
        (folder / os.fsencode(name).decode("utf-8", "surrogateescape")).write_bytes(content)
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors=errors) for errors in ("strict", "replace"))
    typed = io.TextIOWrapper(io.BytesIO(command.typed), encoding="utf-8")
    try:
        with chdir(folder), redirect_stdout(out), redirect_stderr(err), patch("sys.stdin", typed):
            status = main(command.words)
    except Exception as error:
        raise CommandFault(f"{type(error).__name__}: {error}") from error
    finally:
        for name in command.files:
            (folder / name).unlink(missing_ok=True)
    _check(status, out, err)
    return status


def _check(status: int, out: io.TextIOWrapper, err: io.TextIOWrapper) -> None:
    if status not in STATUSES:
        raise CommandFault(f"exit status {status}")
    for stream in (out, err):
        stream.flush()
        output = stream.buffer.getvalue()  # type: ignore[attr-defined]
        text = output.decode("utf-8", "replace")
        if "Traceback" in text:
            raise CommandFault(f"a traceback: {text[-500:]}")
        lines = text.replace("\r\n", "\n")  # as those of CSV end
        if not output.startswith((b"%PDF", b"\x1f\x8b")) and (found := CONTROL & set(lines)):
            raise CommandFault(f"it prints {sorted(found)!r}")


def hostile_command(rng: Random, name: str, known: Known) -> HostileCommand:
    """Return a command with words and files that nobody would give it."""
    command = HostileCommand([name], typed=_content(rng, name, known), known=known)
    _add_words(rng, command, name)
    if rng.random() < 0.1:
        command.words.insert(rng.randrange(1, len(command.words) + 1), _word(rng))
    return command


def _add_words(rng: Random, command: HostileCommand, name: str) -> None:
    for param in EVERY_COMMAND[name].params:
        if isinstance(param, click.Option):
            if param.required or rng.random() < 0.35:
                command.words.append(rng.choice(param.opts))
                if not param.is_flag:
                    command.words.append(_value(rng, command, param, name))
        elif param.required or rng.random() < 0.8:
            for _ in range(rng.choice((1, 1, 2)) if param.nargs < 0 else 1):
                command.words.append(_value(rng, command, param, name))
    if within := COMMANDS.get(f"scorekeeper {name}"):
        chosen = rng.choice(list(within))
        command.words.append(chosen)
        _add_words(rng, command, f"{name} {chosen}")


def _value(rng: Random, command: HostileCommand, param: click.Parameter, name: str) -> str:
    if param.name in ("source", "target") and rng.random() < 0.7:
        return rng.choice((*URLS, os.environ.get("SCOREKEEPER_DATABASE_URL", ""), f"sqlite:///{_word(rng)}"))
    if isinstance(param.type, click.Choice) and rng.random() < 0.9:
        return str(rng.choice(param.type.choices))
    if param.name in ("code", "book", "into") and command.known.codes and rng.random() < 0.5:
        return rng.choice(command.known.codes)
    if param.name in ("output", "folder"):
        return _file(rng, command, name) if param.name == "output" and rng.random() < 0.3 else FOLDER
    if rng.random() < 0.6:
        return _file(rng, command, name)
    return rng.choice((_word(rng), rng.choice(KNOWN), rng.choice(KNOWN), _code(rng)))


def _file(rng: Random, command: HostileCommand, name: str) -> str:
    """Write a file that the command may be given, under a name that is hostile as well."""
    ending = rng.choice((".json", ".toml", ""))
    letters = "".join(found for found in hostile_text(rng)[:20] if found not in "/\0") if rng.random() < 0.4 else "file"
    named = f"f{letters.encode('utf-8', 'replace').decode()}{ending}"
    command.files[named] = _content(rng, "rules" if ending == ".toml" else name, command.known)
    return named


def _code(rng: Random) -> str:
    """Return a share code that is whole, of rules that may be no rules."""
    name, note = (rng.choice(("Ours", hostile_text(rng)[:80])) for _ in range(2))
    try:
        code = encode(HouseRules(name, "partnership-pitch", {"target": rng.choice((11, "x", 10**20))}, (note,)))
    except BadCode:
        return "x"
    return code if rng.random() < 0.8 else damaged(rng, code.encode()).decode("ascii", "replace")


def _word(rng: Random) -> str:
    return hostile_text(rng)[:300].replace("\0", "").encode("utf-8", "replace").decode().lstrip("/") or "x"


def _content(rng: Random, name: str, known: Known) -> bytes:
    """Return what a command may read: records, rules, a book or a share code, mostly with something wrong in it."""
    if name.startswith("books") and known.book:
        return changed_book(rng, known.book)
    if name.startswith(("rules", "sheet")):
        content = rng.choice(
            (house_file(rng), RULESET, _code(rng).encode(), hostile_text(rng).encode("utf-8", "replace"))
        )
        return damaged(rng, content) if rng.random() < 0.5 else content
    records = [changed(rng, rng.choice(RECORDS), rng.choice((0, 1, 1, 2, 4))) for _ in range(rng.choice((1, 1, 3)))]
    return b"\n".join(as_file(rng, record) for record in records)
