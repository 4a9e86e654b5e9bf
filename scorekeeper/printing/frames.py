"""Pieces of bytes over a pipe, each after its length."""

from struct import Struct
from typing import BinaryIO

_LENGTH = Struct(">Q")


def write_frame(stream: BinaryIO, content: bytes) -> None:
    """Write one piece."""
    stream.write(_LENGTH.pack(len(content)))
    stream.write(content)
    stream.flush()


def read_frame(stream: BinaryIO) -> bytes | None:
    """Read one piece; `None` where the stream ended before it was whole."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    content = stream.read(length)
    return content if len(content) == length else None
