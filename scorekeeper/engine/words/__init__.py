"""Results in sentences that a family can read."""

from scorekeeper.engine.words.letters import letters_of
from scorekeeper.engine.words.lines import line_words
from scorekeeper.engine.words.phrases import MINUS, bid_word, listed, plain, signed, verb
from scorekeeper.engine.words.verdict import because

__all__ = ["MINUS", "because", "bid_word", "letters_of", "line_words", "listed", "plain", "signed", "verb"]
