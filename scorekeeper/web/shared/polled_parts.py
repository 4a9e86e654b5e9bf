"""What is new in a match, as it was sent to a phone that asked, for the next one that asks the same."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from threading import Lock

from scorekeeper.web.shared.packed_page import PackedPage, joined
from scorekeeper.web.shared.page_cache import filling

_MOST_KEPT = 32
_UNLIKE = ("content-length", "content-encoding", "date")
"""Headers that each answer has its own of."""

Headers = list[tuple[str, str]]


@dataclass(slots=True)
class PolledParts:
    """The parts of a page, with the places that are each phone's own."""

    headers: Headers
    pieces: Sequence[bytes]
    """Every second one stands for a place."""
    is_packed: bool
    _packed: tuple[list[int], PackedPage] | None = field(default=None, init=False)

    def filled(self, code: str, token: str) -> tuple[Headers, bytes]:
        """Return the headers and the content for a phone with this link and this token; raises `KeyError`."""
        own = [filling(place, code, token).encode() for place in self.pieces[1::2]]
        headers = [*self.headers, ("Content-Encoding", "gzip")] if self.is_packed else [*self.headers]
        content = (
            self._pack([len(text) for text in own]).filled(own) if self.is_packed else joined(self.pieces[::2], own)
        )
        return [*headers, ("Content-Length", str(len(content)))], content

    def _pack(self, lengths: list[int]) -> PackedPage:
        packed = self._packed
        if packed is None or packed[0] != lengths:  # the codes of nearly all links are of one length
            packed = self._packed = lengths, PackedPage(self.pieces[::2], lengths)
        return packed[1]


class KeptParts:
    """Those that were sent last, by all that was asked."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, PolledParts] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> PolledParts | None:
        """Return what was sent to the last one who asked this."""
        return self._kept.get(key)

    def keep(self, key: Hashable, headers: Headers, pieces: Sequence[bytes], *, is_packed: bool) -> None:
        """Keep what was sent, for a while."""
        common = [(name, value) for name, value in headers if name.lower() not in _UNLIKE]
        with self._lock:
            self._kept[key] = PolledParts(common, pieces, is_packed)
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
