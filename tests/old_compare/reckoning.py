"""The reckoning of a match under other rules, in every way in which its hands may have been. See `what_if.py`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from scorekeeper.pitch.rules.fault_codes import FaultCode
from scorekeeper.pitch.rules.questions import QUESTIONS, RuleKey, rule_keys
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.budget import Budget, TooManyWays
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.match import (
    HandResult,
    ImpossibleHand,
    MatchState,
    Start,
    carried_after,
    changed_rules,
    open_match,
    play,
    standing_key,
)
from scorekeeper.pitch.scoring.outcome import Outcome
from scorekeeper.pitch.scoring.seats import HandSides
from scorekeeper.pitch.text.endings import verdict_sentence
from scorekeeper.pitch.text.phrases import Names, grouped
from tests.old_compare.alternatives import WonBefore, won_before
from tests.old_compare.possible_hands import (
    ALL_TRICKS,
    AS_PLAYED,
    Answer,
    NotCounted,
    PossibleHand,
    RulePair,
    play_otherwise,
    possible_hands,
)
from tests.old_compare.sentences import before_words
from tests.old_compare.words import (
    NOT_KNOWN,
    Asked,
    answer_words,
    cannot_go_on,
    difference_sentence,
    either_way_sentence,
    ending_heading,
    open_hand_sentence,
    question_words,
    too_much_open,
    undecided_sentence,
)

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
    """"We win", "Nobody yet, 40 to 40"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnd:
    """How a match stands after its last hand."""

    scores: Spans
    money: Spans | None
    """What each side is owed, in cents, where the rules pay."""
    possible: tuple[PossibleEnd, ...]
    """One, or several where the winner is not known; none where the reckoning stops."""
    heading: str
    """"We win", "Nobody yet, 40 to 40", "Not known"."""
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
    deltas: Spans = field(default_factory=dict)
    scores: Spans = field(default_factory=dict)
    otherwise: HandResult | None = None
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
    code: FaultCode
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
    plays: int = 0
    """Hands that were scored for it."""

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


MOST_BRANCHES = 256
"""Ways in which a match may stand after a hand, those that are equal counted once."""
MOST_PLAYS = 6000
"""Hands scored for one answer; where more are needed, too much is open."""


@dataclass(frozen=True, slots=True)
class _Tried:
    """One possible hand after one way in which the match may have stood before it."""

    before: MatchState
    after: MatchState
    possible: PossibleHand


class Reckoning:
    """Scores the hands of a match under other rules, in every way in which they may have been."""

    def __init__(
        self,
        played: PlayedMatch,
        other: Ruleset,
        told: Told,
        budget: Budget,
        most_plays: int,
        answered: Mapping[str, Any],
    ) -> None:
        self.played, self.told, self.budget = played, told, budget
        self._most_plays = self._plays_left = most_plays
        self.seats = played.state.seats
        self.branches = [open_match(other, self.seats, played.start, played.first_dealer)]
        self.rows: list[Row] = []
        self.stop: Stop | None = None
        self.first_difference: FirstDifference | None = None
        changed = (it for it in rule_keys(other) if it.answer_in(played.rules) != it.answer_in(other))
        self._otherwise = frozenset((*changed, *(RuleKey.of_answer(*it) for it in answered.items())))
        self._rules = other
        self._own: MatchState | None = None
        """How the match as played would stand after its end, so that the hands after it can be read."""
        self._own_carried = 0
        """What the Game of the next hand is worth more in the match as played."""
        self._pair = RulePair(played.rules, other)

        self.won_before = won_before(self.branches[0], played.rules, other, budget)
        """Who had won by what was carried over from paper, where the other rules end the match there."""

    @property
    def plays(self) -> int:
        """Hands that were scored."""
        return self._most_plays - max(self._plays_left, 0)

    def run(self) -> None:
        """Score every hand, up to one that the other rules cannot have."""
        if self.won_before is not None:
            said = _had_sentence(self._rules, self.won_before, self.played.names[0])
            self.first_difference = FirstDifference(place=0, kind="start", sentence=said)
            self.rows = [self._already_over(result) for result in self.played.state.results]
            return
        if self.branches[0].scores != open_match(self.played.rules, self.seats, self.played.start).scores:
            rule = QUESTIONS["count_down_from"].rule(self._rules)
            self.first_difference = FirstDifference(place=0, kind="start", sentence=rule)
        results = self.played.state.results
        for result in results:
            is_last = result is results[-1]
            own = self._read(result, is_last=is_last)
            if self.stop is None:
                self._apply_changes(result)
            live = [state for state in self.branches if state.goes_on]
            row = self._scored(result, own, live, is_last=is_last) if self.stop is None and live else None
            self._own_carried = carried_after(self._own_carried, own)
            self.rows.append(row or (self._not_reached(result) if live else self._already_over(result)))
            if not self.first_difference and (found := self._difference(self.rows[-1])):
                kind, sentence = found
                self.first_difference = FirstDifference(place=result.place, kind=kind, sentence=sentence)
            if self.stop is not None:
                self.rows += map(self._not_reached, results[len(self.rows) :])
                return

    def _read(self, result: HandResult, *, is_last: bool) -> HandResult:
        """Return what came of a hand under its own rules, also where that match was over before."""
        if result.status != "after_end":
            return result
        before = self._own or self.played.state._replace(outcome=None, question=None, results=())
        try:
            after = play(before, result.hand, is_last=is_last, budget=self.budget)
        except ImpossibleHand:
            self._own = before
            return result
        self._own = after._replace(outcome=None, question=None, results=())
        return after.results[-1]

    def _apply_changes(self, result: HandResult) -> None:
        """Change the rules as the table did with a hand, but for what the other rules answer otherwise."""
        house = result.hand.house or {}
        kept = {it: answer for it, answer in house.items() if RuleKey.of_answer(it, answer) not in self._otherwise}
        if not kept or not any(state.goes_on for state in self.branches):
            return
        rules, faults = changed_rules(self._rules, kept)
        if faults:
            self._stop(result, faults[0].code, faults[0].message)
        else:
            self._rules = rules

    def _stop(self, result: HandResult, code: FaultCode, why: str) -> None:
        sentence = cannot_go_on(result.number, code, why)
        self.stop = Stop(place=result.place, number=result.number, code=code, sentence=sentence)

    def _stop_too_much(self, result: HandResult) -> None:
        asked = list(dict.fromkeys(question.number for row in self.rows for question in row.questions))
        sentence = too_much_open(result.number, asked)
        self.stop = Stop(place=result.place, number=result.number, code="too_many", sentence=sentence)

    def _scored(self, result: HandResult, own: HandResult, live: Sequence[MatchState], *, is_last: bool) -> Row | None:
        """Score a hand in every way in which it may have been; nothing where the reckoning stops."""
        for in_order in (False, True):
            tried = self._try(result, own, live, is_last=is_last, in_order=in_order)
            if not any(it.after.question for it in tried):  # points alone do not tell who got there first
                break
        if not tried:
            return None
        questions, kept = self._asked(result, tried)
        over = [state for state in self.branches if not state.goes_on]
        merged = {standing_key(state): state for state in (*over, *(it.after for it in kept))}
        if len(merged) > MOST_BRANCHES:
            self._stop_too_much(result)
            return None
        self.branches = list(merged.values())
        results = [it.after.results[-1] for it in kept]
        first, *others = results
        is_one = all(it.deltas == first.deltas and it.made == first.made for it in others)
        is_open = (bool(over) and any(first.deltas.values())) or not is_one
        is_same = own.deltas == first.deltas and own.made == first.made and own.status == first.status
        moved = [*(it.deltas for it in results), *([dict.fromkeys(self.seats.ids, 0)] if over else [])]
        return self._not_reached(
            result,
            status="open" if is_open else "same" if is_same and result is own else "differs",
            deltas=_spans(self.seats.ids, moved),
            scores=_scores(self.branches),
            otherwise=first if is_one else None,
            questions=questions,
            ends_otherwise=all(state.outcome for state in self.branches),
        )

    def _pair_of(self, own: HandResult, carried: int) -> RulePair:
        """Return the rules of a hand, its Game worth more by what was carried over in the match as played, and here."""
        own_rules, other = own.ruleset.carrying(self._own_carried), self._rules.carrying(carried)
        if self._pair.own is not own_rules or self._pair.other is not other:
            self._pair = RulePair(own_rules, other)
        return self._pair

    def _try(
        self,
        result: HandResult,
        own: HandResult,
        live: Sequence[MatchState],
        *,
        is_last: bool,
        in_order: bool,
    ) -> list[_Tried]:
        """Play every hand that it may have been in every way; none where the reckoning stops."""
        possible: dict[int, Sequence[PossibleHand]] = {}
        tried, refused = [], None
        try:
            for state in live:
                if state.carried not in possible:
                    pair = self._pair_of(own, state.carried)
                    possible[state.carried] = possible_hands(pair, self.seats, own, self.budget, in_order=in_order)
            self._plays_left -= sum(len(possible[state.carried]) for state in live)
            if self._plays_left < 0:
                raise TooManyWays
            for state in live:
                before = state if state.ruleset is self._rules else state._replace(ruleset=self._rules)
                for it in possible[state.carried]:
                    try:
                        after = play_otherwise(before, it.hand, own, self.budget, is_last=is_last)
                        tried.append(_Tried(before, after, it))
                    except ImpossibleHand as impossible:
                        refused = refused or impossible
        except TooManyWays:
            self._stop_too_much(result)
            return []
        except NotCounted:
            self._stop(result, "not_counted", "the hand has points only, and not for everybody.")
            return []
        if not tried and refused:
            fault = refused.faults[0].fault
            self._stop(result, fault.code, fault.named(self.played.names[result.place - 1]).message)
        return tried

    def _asked(self, result: HandResult, tried: Sequence[_Tried]) -> tuple[tuple[HandQuestion, ...], Sequence[_Tried]]:
        """Return what is asked of a hand, and the possible hands that agree with what was told."""
        possible = list({id(it.possible): it.possible for it in tried}.values())
        if len(possible) < 2:
            return (), tried
        asked = self._telling(tried, possible)
        if not asked:
            return (), tried[:1] if len({id(it.before) for it in tried}) == 1 else tried
        left = possible
        told: dict[str, Answer] = {}
        for what in asked:
            answer = self.told.get((result.place, what))
            agreeing = [it for it in left if it.answers.get(what) == answer]
            if answer is not None and agreeing:
                left, told[what] = agreeing, tuple(answer)
        kept = {id(it) for it in left}
        sides = tried[0].after.results[-1].hand_sides
        return (
            tuple(self._question(result, what, possible, told, sides) for what in asked),
            [it for it in tried if id(it.possible) in kept],
        )

    def _telling(self, tried: Sequence[_Tried], possible: Sequence[PossibleHand]) -> list[str]:
        """Return what has to be asked: what tells possible hands apart that come to something else."""
        whats = [
            what
            for what in dict.fromkeys(key for it in possible for key in it.answers)
            if len({it.answers.get(what) for it in possible}) > 1
        ]
        comes_to = grouped((id(it.possible), standing_key(it.after)) for it in tried)
        rows = [(it.answers, tuple(comes_to[id(it)])) for it in possible]

        def tells(asked: Sequence[str]) -> bool:
            known: dict[tuple[object, ...], object] = {}
            return all(
                known.setdefault(tuple(answers.get(what) for what in asked), after) == after for answers, after in rows
            )

        for what in tuple(reversed(whats)):
            fewer = [it for it in whats if it != what]
            if tells(fewer):
                whats = fewer
        return whats

    def _question(
        self,
        result: HandResult,
        what: str,
        possible: Sequence[PossibleHand],
        told: Mapping[str, Answer],
        sides: HandSides | None,
    ) -> HandQuestion:
        names = self.played.names[result.place - 1]
        others = {it: answer for it, answer in told.items() if it != what}
        agreeing = [it for it in possible if all(it.answers.get(key) == answer for key, answer in others.items())]
        answers = sorted(
            dict.fromkeys(it.answers[what] for it in agreeing if what in it.answers),
            key=lambda who: (len(who) == 0, len(who), [self.seats.ids.index(side) for side in who]),
        )
        award_id = what.removesuffix(AS_PLAYED)
        is_own = what.endswith(AS_PLAYED) or award_id not in self._rules.in_play
        asked = Asked(
            ruleset=self._pair.own if is_own else self._rules,
            award=None if what == ALL_TRICKS else award_id,
            has_points_only=result.hand.points is not None,
            number=result.number,
            groups=sides.groups if sides else (),
            is_joker=self._is_joker(award_id, possible),
        )
        lead, ask = question_words(asked)
        return HandQuestion(
            key=(result.place, what),
            number=result.number,
            lead=lead,
            ask=ask,
            choices=tuple(AnswerChoice(who=who, label=answer_words(asked, who, names)) for who in answers),
            told=told.get(what),
        )

    def _is_joker(self, award_id: str, possible: Sequence[PossibleHand]) -> bool:
        """Return whether Game is known to be tied, so that the joker alone is asked for."""
        rules = self._rules
        is_tie = rules.points.game_tie == "joker_breaks" and award_id == rules.counted_award
        counts = possible[0].hand.card_points
        return is_tie and bool(counts) and len(set(counts.values() if counts else ())) == 1

    def _not_reached(self, result: HandResult, *, status: RowStatus = "not_reached", **scored: Any) -> Row:
        """Return a hand that is not scored yet, or what is known of one that is."""
        results, place, has_ended = self.played.state.results, result.place, self.played.state.outcome is not None
        is_last = result.status != "after_end" and (place == len(results) or results[place].status == "after_end")
        return Row(
            place=place,
            number=result.number,
            played=result,
            status=status,
            names=self.played.names[place - 1],
            ends_as_played=has_ended and is_last,
            **scored,
        )

    def _already_over(self, result: HandResult) -> Row:
        zeros = dict.fromkeys(self.seats.ids, Span(0, 0))
        return self._not_reached(result, status="already_over", deltas=zeros, scores=_scores(self.branches))

    def _difference(self, row: Row) -> tuple[DifferenceKind, str] | None:
        """Return how and why the two sides part with a hand, if they do."""
        if row.status == "not_reached":
            return ("stop", self.stop.sentence) if self.stop else None
        if row.status == "open":
            return "open", open_hand_sentence(row.number, [it.ask for it in row.questions])
        if row.status == "differs" and row.otherwise:
            return "hand", difference_sentence(row.played, row.otherwise, row.names)
        is_over = row.ends_as_played or row.played.status == "after_end"
        if self.played.state.question and (is_over or row.played is self.played.state.last_scored):
            return None  # the match as played asks the same
        if any(state.question for state in self.branches):
            return "open", ending_of(self.branches, self.played.names[-1], stopped=False).why
        ended = self.played.state.outcome if is_over else None
        if all((state.outcome and state.outcome.winners) == (ended and ended.winners) for state in self.branches):
            return None
        kind: DifferenceKind = "over" if any(state.outcome for state in self.branches) else "goes_on"
        return kind, ending_of(self.branches, self.played.names[-1], stopped=False).why


def _spans(sides: Iterable[SideId], numbers: Sequence[Mapping[SideId, int]]) -> Spans:
    return {side: Span.over(it[side] for it in numbers) for side in sides}


def _scores(branches: Sequence[MatchState]) -> Spans:
    return _spans(branches[0].scores, [state.scores for state in branches])


def _had_sentence(rules: Ruleset, won: WonBefore, names: Names) -> str:
    return f"{before_words(rules, won, names, start='before the first hand')}."


def ended_before(rules: Ruleset, start: MatchState, won: WonBefore, names: Names) -> MatchEnd:
    """Return how a match stands that was over before its first hand."""
    winners = won.winners
    heading = ending_heading(start.seats, winners, list(start.scores.values()), names) if winners else NOT_KNOWN
    return MatchEnd(
        scores=_scores([start]),
        money=_spans(start.scores, [start.money]) if start.money is not None else None,
        possible=(PossibleEnd(winners=winners, outcome=None, heading=heading),) if winners else (),
        heading=heading,
        why=_had_sentence(rules, won, names),
    )


def ending_of(branches: Sequence[MatchState], names: Names, *, stopped: bool, stop: Stop | None = None) -> MatchEnd:
    """Return how a match stands, in whatever way it may have come there."""
    by_winners = grouped((state.winners, state) for state in branches)
    possible: tuple[PossibleEnd, ...] = ()
    for winners, states in by_winners.items():
        spans, outcomes = _scores(states).values(), {state.outcome for state in states}
        known = [span.lowest for span in spans] if all(span.is_known for span in spans) else []
        heading = ending_heading(states[0].seats, winners, known, names)
        outcome = outcomes.pop() if len(outcomes) == 1 else None
        possible = (*possible, PossibleEnd(winners=winners, outcome=outcome, heading=heading))
    if stop:
        possible, heading, why = (), NOT_KNOWN, stop.sentence
    elif any(state.question for state in branches):
        possible, heading, why = (), NOT_KNOWN, verdict_sentence(branches[0], names, stopped=stopped)
    elif len(branches) == 1:
        heading, why = possible[0].heading, verdict_sentence(branches[0], names, stopped=stopped)
    elif len(possible) == 1:
        heading, why = possible[0].heading, either_way_sentence(possible[0].heading)
    else:
        heading, why = NOT_KNOWN, undecided_sentence([it.heading for it in possible])
    owed = [state.money for state in branches]
    money = [cents for cents in owed if cents is not None]
    return MatchEnd(
        scores=_scores(branches),
        money=_spans(branches[0].scores, money) if len(money) == len(owed) else None,
        possible=possible,
        heading=heading,
        why=why,
    )
