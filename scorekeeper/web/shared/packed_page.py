"""A page compressed once for many phones, with places that are filled with what is each one's own.

A gzip file is a sequence of blocks, and some of them are not compressed: what fills a place becomes one of these. The
text between two places is compressed by itself, and may repeat whatever came before it but what fills the places.
"""

import zlib
from collections.abc import Iterable, Sequence
from struct import pack

_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
_EMPTY_BLOCK = b"\0\0\xff\xff"
"""The length of a block that is not compressed, 0, as it ends what was compressed so far."""
_NEVER = b"\xff"
"""No text has this byte, so that none repeats what stands for something else."""
_WINDOW = 1 << zlib.MAX_WBITS


class PackedPage:
    """The text before, between and after places that are filled with so many bytes each."""

    def __init__(self, texts: Sequence[bytes], lengths: Sequence[int]) -> None:
        self._texts, self._blocks, before = texts, [], b""
        for text, length in zip(texts, (*lengths, None), strict=True):
            packer = zlib.compressobj(wbits=-zlib.MAX_WBITS, zdict=before[-_WINDOW:])
            block = packer.compress(text) + packer.flush(zlib.Z_FINISH if length is None else zlib.Z_SYNC_FLUSH)
            if length is not None:
                block = block.removesuffix(_EMPTY_BLOCK) + pack("<HH", length, length ^ 0xFFFF)
                before += text + _NEVER * length
            self._blocks.append(block)

    def filled(self, own: Sequence[bytes]) -> bytes:
        """Return the page as a gzip file, with these in the places."""
        plain = joined(self._texts, own)
        return b"".join((_HEAD, joined(self._blocks, own), pack("<II", zlib.crc32(plain), len(plain))))


def joined(texts: Iterable[bytes], own: Sequence[bytes]) -> bytes:
    """Return texts with something between each two."""
    parts = [part for pair in zip(texts, (*own, b""), strict=True) for part in pair]
    return b"".join(parts)
