"""PINs: letters to be read out across a table, in a noise, and typed by somebody who sits upside down to them."""

import secrets
from collections.abc import Mapping

FEWEST_LETTERS, MOST_LETTERS = 6, 10
WRONG_A_DAY = 30
"""So many wrong PINs may come from one network in any 24 hours."""
SAFETY = 1000
"""A stranger who types all of these hits a PIN on fewer than one of so many days, however many are open."""
ALPHABET = "ACFHKMRTXY"
"""No two of these are taken for each other, by eye or by ear; and with one vowel among them they spell next to nothing.

Left out for what they look like: B (8 and R), D, O and Q (0), E (F), G (C), I, J and L (1), P (R), S (5), U and V (Y),
W (M, from across the table), Z (2). Left out for what they sound like: B, D, E, G, P, V and Z (T), J (K), N (M), S (F).
"""


def new_pin(letters: int) -> str:
    """Return a new PIN; no letter comes three times in a row, for then nobody knows how often it was said."""
    while True:
        pin = "".join(secrets.choice(ALPHABET) for _ in range(letters))
        if not any(letter * 3 in pin for letter in ALPHABET):
            return pin


def read_pin(typed: str) -> str:
    """Return a PIN as it was meant: typed in capitals or not, with whatever between the letters."""
    return "".join(letter for letter in typed.upper() if letter.isalnum())


def how_many(letters: int) -> int:
    """Return how many PINs there are of so many letters."""
    # A PIN ends with one letter after a PIN that is one shorter, or with the same letter twice after one two shorter.
    before, pins = 1, len(ALPHABET)
    for length in range(2, letters + 1):
        before, pins = pins, len(ALPHABET) ** 2 if length == 2 else (len(ALPHABET) - 1) * (before + pins)
    return pins


def most_open(letters: int) -> int:
    """Return how many PINs of so many letters may be open at once."""
    return how_many(letters) // (WRONG_A_DAY * SAFETY)


def letters_of_next(open_pins: Mapping[int, int]) -> int | None:
    """Return how many letters a new PIN has, given how many of each length are open; `None` where there is no room."""
    lengths = range(FEWEST_LETTERS, MOST_LETTERS + 1)
    return next((letters for letters in lengths if open_pins.get(letters, 0) < most_open(letters)), None)
