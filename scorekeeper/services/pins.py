"""PINs: five letters to be read out across a table, in a noise, and typed by somebody who sits upside down to them."""

import secrets

PIN_LETTERS = 5
ALPHABET = "ACFHKMRTXY"
"""No two of these are taken for each other, by eye or by ear; and with one vowel among them they spell next to nothing.

Left out for what they look like: B (8 and R), D, O and Q (0), E (F), G (C), I, J and L (1), P (R), S (5), U and V (Y),
W (M, from across the table), Z (2). Left out for what they sound like: B, D, E, G, P, V and Z (T), J (K), N (M), S (F).
"""


def new_pin() -> str:
    """Make a PIN; no letter comes three times in a row, for then nobody knows how often it was said."""
    while True:
        pin = "".join(secrets.choice(ALPHABET) for _ in range(PIN_LETTERS))
        if not any(letter * 3 in pin for letter in ALPHABET):
            return pin


def read_pin(typed: str) -> str:
    """Read a PIN as it was typed: in capitals or not, with whatever between the letters."""
    return "".join(letter for letter in typed.upper() if letter.isalnum())
