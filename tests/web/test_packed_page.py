"""A page that is compressed once is, filled in, what it would be compressed each time."""

import gzip

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.web.page_cache import PackedPage, joined

TEXT = st.text(alphabet="<a href=♠é", max_size=40).map(lambda text: text.encode() * 5)


@given(TEXT, st.lists(st.tuples(st.binary(max_size=30), TEXT), max_size=8))
def test_it_is_its_texts_with_what_fills_the_places(first: bytes, others: list[tuple[bytes, bytes]]) -> None:
    texts, own = [first, *(text for _, text in others)], [place for place, _ in others]
    page = PackedPage(texts, [len(place) for place in own])

    assert gzip.decompress(page.filled(own)) == joined(texts, own)


@given(TEXT, st.lists(st.tuples(st.binary(min_size=3, max_size=3), TEXT), min_size=1, max_size=4))
def test_it_is_filled_again_with_something_else(first: bytes, others: list[tuple[bytes, bytes]]) -> None:
    texts, own = [first, *(text for _, text in others)], [place for place, _ in others]
    page = PackedPage(texts, [3] * len(own))
    page.filled(own)

    assert gzip.decompress(page.filled([b"xyz"] * len(own))) == joined(texts, [b"xyz"] * len(own))
