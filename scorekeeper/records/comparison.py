"""What a match beside itself under other rules is made of; `what_if.py` says how to read it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.match import HandResult, MatchState, Start
from scorekeeper.engine.outcome import Outcome
from scorekeeper.engine.possible_hands import Answer
from scorekeeper.narration.phrases import Names
from scorekeeper.rules.schema import Ruleset

QuestionKey = tuple[int, str]
"""The place of a hand in the match, from 1, and what is asked of it."""
Told = Mapping[QuestionKey, Answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch:
    """A match as it was played, whether kept here or in a record."""

    rules: Ruleset
    """The rules that it began with."""
    start: Start
    """What was carried over from paper."""
    first_dealer: str | None
    state: MatchState
    names: tuple[Names, ...]
    """Everybody's name in each hand, and last their names now."""
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """A number, or as long as something is open the least and the most that it may be."""

    lowest: int
    highest: int

    @property
    def is_known(self) -> bool:
        """Whether it is one number."""
        return self.lowest == self.highest

    @classmethod
    def over(cls, numbers: Iterable[int]) -> "Span":
        """Return the span of some numbers, at least one."""
        found = tuple(numbers)
        return cls(min(found), max(found))


Spans = Mapping[SideId, Span]


@dataclass(frozen=True, slots=True, kw_only=True)
class PossibleEnd:
    """One way in which a match stands at its end."""

    winners: tuple[SideId, ...]
    """Empty where nobody has won."""
    outcome: Outcome | None
    """How somebody won; `None` where nobody has, or it may have been in several ways."""
    heading: str
    """"Us win", "Nobody yet, 40 to 40"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnd:
    """How a match stands after its last hand."""

    scores: Spans
    money: Spans | None
    """What each side is owed, in cents, where the rules pay."""
    possible: tuple[PossibleEnd, ...]
    """One, or several where the winner is not known; none where the reckoning stops."""
    heading: str
    """"Us win", "Nobody yet, 40 to 40", "Not known"."""
    why: str
    """By which rule, or why nobody has won; what it may be where that is open."""

    @property
    def is_known(self) -> bool:
        """Whether it is known who has won, or that nobody has."""
        return len(self.possible) == 1

    @property
    def winners(self) -> tuple[SideId, ...] | None:
        """Who has won, nobody yet where it is empty; `None` where that is not known."""
        return self.possible[0].winners if self.is_known else None

    @property
    def is_either_way(self) -> bool:
        """Whether it is known who has won although the scores are not."""
        return self.is_known and not all(span.is_known for span in self.scores.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChoice:
    """One possible answer to a question."""

    who: Answer
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandQuestion:
    """What the other rules need to know of a hand, and nobody wrote down."""

    key: QuestionKey
    number: int
    """The hand, as the table calls it."""
    lead: str
    """"Hand 6 has points only."."""
    ask: str
    """"Who took the Off Jack?"."""
    choices: tuple[AnswerChoice, ...]
    """The answers that agree with what was written, and with what else was told."""
    told: Answer | None
    """`None` where it is open."""


RowStatus = Literal["same", "differs", "open", "already_over", "not_reached"]
DifferenceKind = Literal["start", "hand", "open", "over", "goes_on", "stop"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One hand on both sides."""

    place: int
    number: int
    played: HandResult
    """As played; its `status` is `after_end` where that match was over already."""
    status: RowStatus
    """`same` and `differs` are of the hand itself: the totals may differ all the same."""
    deltas: Spans
    scores: Spans
    otherwise: HandResult | None
    """What came of it under the other rules, where that is not open; its scores may still be."""
    names: Names
    questions: tuple[HandQuestion, ...] = ()
    ends_as_played: bool = False
    ends_otherwise: bool = False
    """Whether the match is over with this hand, whatever the answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstDifference:
    """The hand from which on the two sides are not the same."""

    place: int
    """0 where the scores differ before the first hand."""
    kind: DifferenceKind
    """`over`: the other match is over here; `goes_on`: only the match as played is."""
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """Why the reckoning does not go on past a hand."""

    place: int
    number: int
    code: str
    """That of the fault; `too_many`, `not_counted`."""
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """A match as played, and under other rules."""

    refusal: str = ""
    """Why the two cannot be compared at all; then there is nothing else."""
    other: Ruleset
    changes: tuple[str, ...] = ()
    """What is otherwise, each as a rule: "Nobody scores the Off Jack."."""
    as_played: MatchEnd
    otherwise: MatchEnd
    rows: tuple[Row, ...] = ()
    first_difference: FirstDifference | None = None
    stop: Stop | None = None
    notes: tuple[str, ...] = ()
    """What the other rules count that was not carried over from paper."""

    @property
    def questions(self) -> tuple[HandQuestion, ...]:
        """Everything that is asked, told or not."""
        return tuple(question for row in self.rows for question in row.questions)

    @property
    def is_too_much(self) -> bool:
        """Whether the reckoning stops for want of what was not written down."""
        return self.stop is not None and self.stop.code in ("too_many", "not_counted")

    @property
    def changes_winner(self) -> bool | None:
        """Whether somebody else has won, or nobody; `None` where that is not known."""
        if self.otherwise.winners is None:
            return None
        return self.otherwise.winners != self.as_played.winners
