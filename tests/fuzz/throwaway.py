"""A root folder that is thrown away: the machine's own files are seen there, and what is written is gone in the end.

In it, commands may be given any name, of a device or of the root itself, with the rights of root.
"""

import os
import stat
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scorekeeper.paths import CHECKOUT

_ENTER = """
root=$1; shift
mount -t tmpfs none "$root"
mkdir "$root/above" "$root/work" "$root/all"
mount -t overlay none -o "lowerdir=/,upperdir=$root/above,workdir=$root/work" "$root/all"
cd "$root/all"
mount -t proc none proc
mount -t tmpfs none tmp
mount -t tmpfs none dev
mknod dev/null c 1 3
mknod dev/zero c 1 5
mknod dev/full c 1 7
mknod dev/urandom c 1 9
mknod dev/disk b 250 7
mkdir dev/shm
exec chroot . "$@"
"""
"""No driver has this disk: whoever opens it is told so."""
SPECIAL = {"/dev/null": stat.S_IFCHR, "/dev/full": stat.S_IFCHR, "/dev/disk": stat.S_IFBLK}
"""What has to be there as it was after every command, and with which kind."""
_INSIDE = "SCOREKEEPER_FUZZ_INSIDE"


def is_possible() -> bool:
    """Return whether this machine lets us make such a root."""
    return os.geteuid() == 0 and run(["true"]).returncode == 0


def run(words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a program in a root of its own, without a network."""
    with tempfile.TemporaryDirectory(prefix="scorekeeper-root-") as root:
        enter = [
            "unshare",
            "--mount",
            "--pid",
            "--net",
            "--ipc",
            "--fork",
            "--kill-child",
            "sh",
            "-ec",
            _ENTER,
            "sh",
            root,
            *words,
        ]
        environ = {**os.environ, _INSIDE: "yes", "PYTHONPATH": str(CHECKOUT)}
        return subprocess.run(enter, env=environ, cwd="/", capture_output=True, text=True)


def is_inside() -> bool:
    """Return whether this is such a root, where anything may be tried."""
    return os.environ.get(_INSIDE) == "yes" and stat.S_ISBLK(os.stat("/dev/disk").st_mode)


def changed() -> list[str]:
    """Return which of the special files are no longer what they were."""
    return [name for name, kind in SPECIAL.items() if not _is_kind(Path(name), kind)]


def _is_kind(file: Path, kind: int) -> bool:
    return file.exists() and stat.S_IFMT(file.stat().st_mode) == kind
