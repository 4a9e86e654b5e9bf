"""The house options in plain words: what the table is asked, and what each answer says on the sheet.

`{n}` stands for a number that was answered; the other braces are filled by `words.phrases`. An answer is written as
forms and files write it: yes, no, none, or one of the option's own words. `n` is the answer of any number.
"""

from collections.abc import Mapping

from scorekeeper.rules.answers.bidding import BIDDING, MOON
from scorekeeper.rules.answers.cards import AWARD, AWARDS, PLAY, POINTS
from scorekeeper.rules.answers.winning import MONEY, SCORING, WINNING
from scorekeeper.rules.answers.wording import Wording

__all__ = ["AWARD", "AWARDS", "WORDINGS", "Wording"]

WORDINGS: Mapping[str, Mapping[str, Wording]] = {
    "points": POINTS,
    "bidding": BIDDING,
    "moon": MOON,
    "scoring": SCORING,
    "winning": WINNING,
    "money": MONEY,
    "play": PLAY,
}
