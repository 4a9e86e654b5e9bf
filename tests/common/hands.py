"""Hands to record, as they are stored: with ids in place of names."""

from dataclasses import replace

from scorekeeper.pitch.scoring.hand import Hand

HAND = Hand(bidder="p1", bid=3, trump="hearts", taken={"high": "s1", "low": "s1", "jack": "s1", "game": "s2"})
"""Ann bids 3 and makes it: 3 to 1."""

SET = replace(HAND, taken={"high": "s1", "low": "s2", "jack": "s2", "game": "s2"})
"""Ann bids 3 and is set: −3 to 3."""

THEIRS = Hand(bidder="p2", bid=2, taken={"high": "s2", "low": "s2", "jack": None, "game": "s1"})
"""Bo bids 2 and makes it, without a jack: 1 to 2."""

IMPOSSIBLE = replace(HAND, bid=9)
"""Nobody can bid 9 for four points."""
