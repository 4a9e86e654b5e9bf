"""Uploaded files between preview and import: one for each phone and purpose, in a folder, for `KEPT_FOR`.

A file is kept as the phone sent it, so no link is in it. Once it is gone, it has to be chosen again.
"""

import hashlib
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from scorekeeper.database.file_lock import locked
from scorekeeper.matches.files.import_run import in_turn
from scorekeeper.operating_system import private_file

KEPT_FOR = 60 * 60
"""Seconds."""
MAX_KEPT = 20
"""Files in the folder; the oldest goes first."""


class FileRefused(Exception):
    """A file cannot be imported; the message has the reason and what to do."""


def keep_file(folder: Path, device: str, purpose: str, content: bytes) -> str:
    """Keep a file in place of the phone's last one for the same purpose, and return its digest."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _delete_old(folder)
    fresh = folder / f"{secrets.token_hex(8)}.new"
    with private_file(fresh) as file:
        file.write(content)
    fresh.replace(_path(folder, device, purpose))
    _answer_path(folder, device, purpose).unlink(missing_ok=True)
    return digest_of(content)


def kept_file(folder: Path, device: str, purpose: str, digest: str) -> bytes:
    """Return the kept file of a phone; raises `FileRefused` where it is not the one that was previewed."""
    content = b""
    with suppress(OSError):
        content = _path(folder, device, purpose).read_bytes()
    if not content or digest_of(content) != digest:
        raise FileRefused("The file that you chose is not kept any more. Choose it again.")
    return content


def drop_file(folder: Path, device: str, purpose: str) -> None:
    """Delete the kept file of a phone."""
    _path(folder, device, purpose).unlink(missing_ok=True)


def keep_answer(folder: Path, device: str, purpose: str, digest: str, answer: str) -> None:
    """Store the answer to the form that confirmed a file, in the place of the file."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _answer_path(folder, device, purpose).write_text(f"{digest}\n{answer}", encoding="utf-8")
    drop_file(folder, device, purpose)


def kept_answer(folder: Path, device: str, purpose: str, digest: str) -> str:
    """Return the answer to the form that confirmed a file; empty where it was not confirmed."""
    try:
        first, _, answer = _answer_path(folder, device, purpose).read_text(encoding="utf-8").partition("\n")
    except OSError:
        return ""
    return answer if first == digest else ""


@contextmanager
def one_at_a_time(folder: Path, device: str, purpose: str) -> Iterator[None]:
    """Let one form at a time confirm a file; a second one waits for the first; raises `ImportBusy`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = _path(folder, device, purpose)
    with in_turn(lambda timeout: locked(path, alone=True, timeout=timeout)):
        yield


def digest_of(content: bytes) -> str:
    """Return the digest by which the form that confirms a file names it."""
    return hashlib.sha256(content).hexdigest()


def _path(folder: Path, device: str, purpose: str) -> Path:
    return folder / f"{hashlib.sha256(f'{device} {purpose}'.encode()).hexdigest()}.book"


def _answer_path(folder: Path, device: str, purpose: str) -> Path:
    return _path(folder, device, purpose).with_suffix(".answer")


def _delete_old(folder: Path) -> None:
    files = []
    for file in folder.iterdir():
        try:
            files.append((file.stat().st_mtime, file))
        except FileNotFoundError:  # another process was faster
            continue
    files.sort()
    books, now = [file for _, file in files if file.suffix == ".book"], time.time()
    for at, file in files:
        if not 0 <= now - at < KEPT_FOR or file in books[: -MAX_KEPT + 1 or None]:
            file.unlink(missing_ok=True)
