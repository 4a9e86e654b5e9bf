"""Wrong grammar about a side: "Us win", "Them’s", "They has", "to We", "Side 1 have"."""

import re

_VERBS = (
    "win wins won have has had are is were was do does did can reach reaches reached lead leads led lose loses lost "
    "need needs needed bid bids take takes took make makes get gets got score scores share shares shot went stole owe "
    "owes pay pays deal deals dealt hold holds held stand stands keep keeps peg pegged beg begged sit sits must"
)
_ANY_VERB = "|".join(_VERBS.split())
_WRONG = re.compile(
    rf"\b(?:Us|Them)(?:’s|'s|&#39;s| (?:{_ANY_VERB})\b| and (?:Us|Them) (?:{_ANY_VERB})\b)"
    rf"|(?<!\bto )(?<!\bof )(?<!\bfor )\b(?:us|them) (?:win|wins|have|has|are|were|reach|lead|lose|bid|made|need)\b"
    r"|\b(?:[Ww]e|[Tt]hey)(?:’s| (?:has|is|was|wins|bids|does|leads|loses|needs|reaches|shares|gets|deals)\b)"
    r"|\b(?:to|of|for|with|by|from|let|makes|costs) (?:We|They|we|they)\b(?! (?:are|have|had|do|did|bid|won|need|can))"
    r"|\bSide [1-9] (?:have|are|were|do|win|lead|lose|need|reach|bids|share|get|deal)\b"
    r"|[\ue000-\uf8ff]"
)


def wrong_words(text: str) -> list[str]:
    """Return what is wrong in a text about sides called Us, Them, We, They or by a number, with what is around it."""
    return [text[max(found.start() - 40, 0) : found.end() + 30] for found in _WRONG.finditer(text)]
