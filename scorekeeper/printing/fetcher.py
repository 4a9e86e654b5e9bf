"""What a sheet may load: our own static files, and nothing else."""

from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import pathname2url


def address(folder: Path) -> str:
    """Give the address that a folder's files are loaded from."""
    return f"file://{pathname2url(str(folder.resolve()))}/"


def allowed_file(url: str, folder: Path) -> Path:
    """Give the file behind an address inside the folder; raises `ValueError` for any other."""
    parts = urlsplit(url)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        raise ValueError(f"Only files of this program are printed, not {url}")
    file = Path(unquote(parts.path)).resolve()
    if not file.is_relative_to(folder.resolve()) or not file.is_file():
        raise ValueError(f"There is no such file to print: {url}")
    return file
