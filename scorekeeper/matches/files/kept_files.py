"""Keep uploaded files between preview and import, one for each phone and purpose.

After `FILE_LIFETIME_S`, a file is deleted, and has to be uploaded again.
"""

import hashlib
import time
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path

from scorekeeper.database.file_lock import hold_file_lock
from scorekeeper.matches.files.import_run import wait_in_turn
from scorekeeper.operating_system import replace_private_file

FILE_LIFETIME_S = 60 * 60
"""The age from which an uploaded file is deleted, the next time that any file is stored."""
MAX_KEPT_FILES = 20
"""The most uploaded files in the folder; the oldest are deleted first."""


class FileRefused(Exception):
    """A file cannot be imported; the message has the reason and what to do."""


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A phone's uploaded file for one purpose, such as an import; after it, the URL to redirect to.

    All phones share `folder`. `device` is the phone's device code.
    """

    folder: Path
    device: str
    purpose: str

    def keep(self, content: bytes) -> str:
        """Store a file in place of this phone's last one for the purpose, and return the digest of `content`.

        Before that, files of all phones that are too old are deleted.
        """
        self._make_folder()
        _delete_old_files(self.folder)
        with replace_private_file(self._path) as file:
            file.write(content)
        self._result_path.unlink(missing_ok=True)
        return digest_of(content)

    def read(self, digest: str) -> bytes:
        """Return the content of the file; raises `FileRefused` if it is no longer there, or has another `digest`."""
        content = b""
        with suppress(OSError):
            content = self._path.read_bytes()
        if not content or digest_of(content) != digest:
            raise FileRefused("The file that you chose is not kept any more. Choose it again.")
        return content

    def drop(self) -> None:
        """Delete the file."""
        self._path.unlink(missing_ok=True)

    def keep_result_url(self, digest: str, url: str) -> None:
        """Store the URL to redirect to after the import of the file with a `digest`, and delete that file."""
        self._make_folder()
        self._result_path.write_text(f"{digest}\n{url}", encoding="utf-8")
        self.drop()

    def result_url(self, digest: str) -> str:
        """Return the URL to redirect to after the import of the file with a `digest`; empty if none is stored."""
        try:
            stored_digest, _, url = self._result_path.read_text(encoding="utf-8").partition("\n")
        except OSError:
            return ""
        return url if stored_digest == digest else ""

    def wait_in_turn(self) -> AbstractContextManager[None]:
        """Return a context in which only this request may import the file; raises as `import_run.wait_in_turn` does."""
        self._make_folder()
        return wait_in_turn(lambda timeout: hold_file_lock(self._path, exclusive=True, timeout_s=timeout))

    def _make_folder(self) -> None:
        """Make the folder for the files, readable by this user only, unless it exists."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    @property
    def _path(self) -> Path:
        return self.folder / f"{hashlib.sha256(f'{self.device} {self.purpose}'.encode()).hexdigest()}.book"

    @property
    def _result_path(self) -> Path:
        return self._path.with_suffix(".answer")


def digest_of(content: bytes) -> str:
    """Return the SHA-256 of a file's content, by which the form that confirms an import identifies the file."""
    return hashlib.sha256(content).hexdigest()


def _delete_old_files(folder: Path) -> None:
    """Delete files that are too old or dated in the future, and the oldest uploads until one more fits."""
    files = []
    for file in folder.iterdir():
        try:
            files.append((file.stat().st_mtime, file))
        except FileNotFoundError:  # another process was faster
            continue
    files.sort()
    uploads, now = [file for _, file in files if file.suffix == ".book"], time.time()
    for modified_at, file in files:
        if not 0 <= now - modified_at < FILE_LIFETIME_S or file in uploads[: -MAX_KEPT_FILES + 1 or None]:
            file.unlink(missing_ok=True)
