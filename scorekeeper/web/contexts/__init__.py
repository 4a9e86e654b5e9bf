"""One frozen dataclass per page: all that its template may see, in words ready to print.

Nothing here is an engine object. Numbers are strings that already carry their sign (U+2212 for minus),
addresses are whole, and every choice says whether it is chosen. A suit inside a sentence is written as its
character (♠ ♥ ♦ ♣); the template draws it.
"""
