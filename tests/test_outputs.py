"""What a command writes with `-o`: a whole file in the place of an older one, and in the place of nothing else."""

import os
import stat
import threading
from pathlib import Path

import pytest

from scorekeeper.commands.files import open_output
from scorekeeper.commands.terminal import CommandRefused


def write(name: Path, content: bytes = b"new", *, is_private: bool = False) -> None:
    with open_output(name, is_private=is_private) as file:
        file.write(content)


def test_an_older_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    file = tmp_path / "sheet.pdf"
    file.write_bytes(b"older")
    file.chmod(0o640)
    before = file.stat().st_ino

    with open_output(file) as output:
        output.write(b"new")
        output.flush()
        assert file.read_bytes() == b"older"

    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"new", 0o640)
    assert file.stat().st_ino != before
    assert os.listdir(tmp_path) == ["sheet.pdf"]


def test_what_cannot_be_written_whole_leaves_the_older_one(tmp_path: Path) -> None:
    file = tmp_path / "book.json"
    file.write_bytes(b"older")

    with pytest.raises(TypeError), open_output(file) as output:
        output.writelines([b"half", None])  # type: ignore[list-item]

    assert file.read_bytes() == b"older"
    assert os.listdir(tmp_path) == ["book.json"]


def test_only_its_owner_may_read_what_is_private(tmp_path: Path) -> None:
    file = tmp_path / "book.json"
    file.write_bytes(b"older")
    file.chmod(0o644)

    write(file, is_private=True)

    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_link_stays_one(tmp_path: Path) -> None:
    link, file = tmp_path / "link", tmp_path / "folder" / "file"
    file.parent.mkdir()
    link.symlink_to(file)

    write(link)
    write(link, b"newer")

    assert link.is_symlink()
    assert file.read_bytes() == b"newer"


def test_the_longest_name_is_taken(tmp_path: Path) -> None:
    file = tmp_path / ("x" * 255)

    write(file)

    assert file.read_bytes() == b"new"


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()

    write(pipe)

    reader.join(timeout=30)
    assert read == [b"new"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_what_nobody_wants_goes_nowhere() -> None:
    write(Path(os.devnull))

    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


@pytest.mark.parametrize(
    "name", ["", "/", ".", "folder", "folder/", "loop", "file/x", "missing/x", "x" * 300, "d/" * 3000]
)
def test_nothing_else_is_replaced(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("file").touch()
    Path("loop").symlink_to("loop")
    before = sorted(os.listdir())

    with pytest.raises(CommandRefused, match=r"cannot be written: (?!None)"):
        write(Path(name))

    assert sorted(os.listdir()) == before
