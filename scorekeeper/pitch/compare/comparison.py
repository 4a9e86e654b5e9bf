"""A match scored again under other rules: who wins, which hand differs first, and which missing entry decides.

Where an entry does not show all that the other rules need, every hand that it may stand for is played. The result has
a question only where its answer decides who wins:

    compare(match, other)                                     # who wins, or what decides it
    compare(match, other, known_answers={(6, "off_jack"): ("s1",)})  # side s1 took the Off Jack in the sixth hand
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scorekeeper.pitch.compare.possible_hands import (
    ALL_TRICKS_KEY,
    OWN_RULES_SUFFIX,
    HandAnswer,
    InsufficientPoints,
    PossibleHand,
    RulePair,
    play_under_other_rules,
    possible_hands,
)
from scorekeeper.pitch.rules.questions import RuleKey, rule_keys
from scorekeeper.pitch.rules.schema import Answers, Ruleset
from scorekeeper.pitch.scoring.hand import SideIds
from scorekeeper.pitch.scoring.match import (
    HandResult,
    ImpossibleHand,
    MatchState,
    Start,
    change_rules,
    continuation_key,
    open_match,
    play,
    points_carried_after,
)
from scorekeeper.pitch.scoring.outcome import Outcome, outcome_by_hands
from scorekeeper.pitch.scoring.search_budget import Budget, BudgetExceeded
from scorekeeper.pitch.scoring.seats import seat_table
from scorekeeper.pitch.scoring.standing import Standing, leading_sides
from scorekeeper.pitch.text.phrases import Names
from scorekeeper.pitch.text.rule_changes import answer_sentences, changed_rule_sentences
from scorekeeper.pitch.text.what_if import (
    cannot_go_on_sentence,
    difference_sentence,
    hand_answer_label,
    hand_question_text,
    too_many_possibilities_sentence,
)

MAX_STATES = 256
"""The most states that a match may have after a hand. With more, the comparison stops with a `problem`."""

QuestionKey = tuple[int, str]
"""A hand's position in the match, from 1, and a key of `PossibleHand.answers`: `(6, "off_jack")`."""
KnownAnswers = Mapping[QuestionKey, HandAnswer]
"""The answers given so far to questions about hands, keyed by question: `{(6, "off_jack"): ("s1",)}`."""
StateKey = tuple[object, ...]
"""A key that is equal for two states of a match if all that may follow is equal too; see `continuation_key`."""
EndKeys = frozenset[object]
"""The keys of all ends that a match can reach from one state; see `_Replay._end_key`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch:
    """A match as it was played, with all that scoring it again needs."""

    rules: Ruleset
    """The rules at the start of the match."""
    base: Ruleset
    """The published ruleset that `rules` are based on."""
    start: Start
    """The scores, hands and sets carried over from paper."""
    first_dealer: str | None
    state: MatchState
    names: tuple[Names, ...]
    """The display names of players and sides, one mapping for each hand: they may change during a match."""


@dataclass(frozen=True, slots=True)
class AnswerChoice:
    """One possible answer to a question about a hand, with its label."""

    takers: HandAnswer
    """The takers of the award. For the question about every trick, the bidders stand for yes, and `()` for no."""
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandQuestion:
    """A question about a hand that its entry leaves open, and whose answer decides the winner under other rules."""

    key: QuestionKey
    reason: str
    """The reason for the question, as a sentence: "Hand 6 has points only."."""
    text: str
    """The question as a sentence: "Who took the Off Jack?"."""
    choices: tuple[AnswerChoice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The result of scoring a match under other rules."""

    other: Ruleset
    """The other rules, at the start of the match."""
    played_winners: SideIds
    """The winners of the match as it was played."""
    changes: tuple[str, ...] = ()
    """The other rules that differ from those of the match, as sentences: "Nobody scores the Off Jack."."""
    ends: tuple[MatchState, ...] = ()
    """The possible states of the match at its end under the other rules.

    With a `problem`, they are the possible states before the hand that cannot be scored.
    """
    first_differing_hand: int | None = None
    """The number of the first hand whose result differs or may differ; `None` if no hand differs.

    It is 0 if the scores already differ before the first hand, or end the match there under the other rules.
    """
    first_difference: str = ""
    """Why `first_differing_hand` differs: "Ann took 7, and one was the Off Jack: 6 of 7, set."; empty if not known."""
    question: HandQuestion | None = None
    """The question that decides the winner; of several, the one about the earliest hand."""
    problem: str = ""
    """Why the match cannot be scored to its end under the other rules, as a sentence; empty where it can."""
    notes: tuple[str, ...] = ()
    """Sentences on counts from before the first hand that the other rules need, but that nobody wrote down."""

    @property
    def winners(self) -> SideIds | None:
        """The winners under the other rules: `()` if nobody has won, `None` if not known."""
        winners = {None if state.question else state.winners for state in self.ends}
        return winners.pop() if len(winners) == 1 and not self.problem else None

    @property
    def state(self) -> MatchState | None:
        """The state at the end under the other rules; `None` if several are possible, or with a `problem`."""
        return self.ends[0] if len(self.ends) == 1 and not self.problem else None

    @property
    def changes_winner(self) -> bool | None:
        """Whether the winners differ from those of the match as played; `None` if not known."""
        return None if self.winners is None else self.winners != self.played_winners


def compare(
    played: PlayedMatch,
    other: Ruleset,
    *,
    answers: Answers | None = None,
    known_answers: KnownAnswers | None = None,
    budget: Budget | None = None,
) -> Comparison:
    """Score a match under the rules `other`. If that is impossible, the comparison has a `problem`.

    `answers` are the answers in `other` that hold for every hand, even if the match changed them midway. An answer in
    `known_answers` that fits no possible hand is ignored.
    """
    winners = played.state.winners
    if problem := _why_incomparable(played, other):
        return Comparison(other=other, played_winners=winners, problem=problem)
    replay = _Replay(played, other, answers or {}, known_answers or {}, budget or Budget())
    replay.run()
    return Comparison(
        other=other,
        played_winners=winners,
        changes=_changed_sentences(played, other, answers or {}, replay.states[0].ruleset),
        ends=tuple(replay.states),
        first_differing_hand=replay.first_differing_hand,
        first_difference=replay.first_difference,
        question=replay.find_question(),
        problem=replay.problem,
        notes=_missing_from_paper_notes(played, other),
    )


def _changed_sentences(played: PlayedMatch, other: Ruleset, answers: Answers, last_rules: Ruleset) -> tuple[str, ...]:
    """Return a sentence for each other rule that differs from the match's own, in the words of `last_rules`.

    The rules at the start of the match are compared; for the options of `answers`, those of every hand.
    """
    sentences = list(changed_rule_sentences(played.rules, other, last_rules))
    # Most hands have the rules of the one before, so that there are few rulesets: each is compared once.
    played_rulesets = {id(result.ruleset): result.ruleset for result in played.state.results if answers}
    for played_ruleset in played_rulesets.values():
        answered = answer_sentences(last_rules, answers, played_ruleset)
        sentences += [
            sentence for sentence in changed_rule_sentences(played_ruleset, other, last_rules) if sentence in answered
        ]
    return tuple(dict.fromkeys(sentences))


def _why_incomparable(played: PlayedMatch, other: Ruleset) -> str:
    """Return why a match cannot be scored under the rules `other` at all, as a sentence; empty if it can be."""
    own_rules, seats = played.rules, played.state.seats
    if own_rules.bidding.auction != other.bidding.auction:
        return "Nobody bids in one of the two games, so the hands can’t be compared."
    if own_rules.table.called != other.table.called:
        return "The bidder calls a partner in only one of the two games, so the hands can’t be compared."
    if own_rules.table != other.table:
        own_sides = [(side.id, side.seats) for side in seats.sides]
        other_seats, _ = seat_table(other, seats.players or None, own_sides, is_new=False)
        if other_seats is None:
            return f"{other.name} is not played with these sides."
    if own_rules.winning.count_down_from != other.winning.count_down_from and played.start.scores:
        return "The scores from paper count from another start, so they can’t be carried over."
    return ""


def can_compare(played: PlayedMatch, other: Ruleset) -> bool:
    """Return whether a match can be scored under the rules `other`, up to a hand that they make impossible, if any."""
    return not _why_incomparable(played, other)


def _missing_from_paper_notes(played: PlayedMatch, other: Ruleset) -> tuple[str, ...]:
    """Return sentences on counts that only the other rules need, and that `played.start` does not have.

    An example is how often each side was set. There are none if the match has no scores or hands from paper.
    """
    start, own_rules = played.start, played.rules
    if not (start.scores or start.hands):
        return ()
    notes = []
    if other.winning.set_limit and not own_rules.winning.set_limit and not start.sets:
        notes.append("Sets from before the first hand are not counted: nobody wrote them down.")
    if other.winning.length == "hands" and own_rules.winning.length != "hands" and not start.hands:
        notes.append("Hands from before the first hand are not counted: nobody wrote down how many.")
    return tuple(notes)


@dataclass(frozen=True, slots=True)
class _Transition:
    """One possible hand, and the states of the match before and after it under the other rules."""

    before: MatchState
    after: MatchState
    possible_hand: PossibleHand


@dataclass(frozen=True, slots=True)
class _Step:
    """One hand of the replay: its result as played, and all that its entry may stand for under the other rules."""

    result: HandResult
    pair: RulePair
    transitions: Sequence[_Transition]
    ended_states: Sequence[MatchState]
    """The possible states before the hand in which the match was already over."""


@dataclass
class _Replay:
    """A match played again under other rules, with every hand that an entry may stand for."""

    played: PlayedMatch
    other: Ruleset
    answers: Answers
    """The answers in `other` that hold for every hand, even if the match changed them midway."""
    known_answers: KnownAnswers
    budget: Budget
    first_differing_hand: int | None = None
    """As `Comparison.first_differing_hand`, for the hands scored so far."""
    first_difference: str = ""
    problem: str = ""

    def __post_init__(self) -> None:
        played, other, self._exceeded_budget = self.played, self.other, False
        start_state, own_start_state = (
            open_match(rules, played.state.seats, played.start, played.first_dealer) for rules in (other, played.rules)
        )
        if other.winning == own_start_state.ruleset.winning:
            start_state = start_state._replace(outcome=None)  # a hand was played all the same
        self.states = [start_state]
        changed_keys = (
            key for key in rule_keys(other) if key.current_answer(played.rules) != key.current_answer(other)
        )
        self._differing_rule_keys = frozenset(
            (*changed_keys, *(RuleKey.of_answer(*item) for item in self.answers.items()))
        )
        self._current_rules = other
        self._steps: list[_Step] = []
        self._own_state: MatchState | None = None
        """The match as played, continued past its end to score the hands that were entered after the end."""
        self._own_carried_points = played.start.carried
        """The points that a tied Game carried over to the next hand, in the match as played."""
        self._rule_pair = RulePair(played.rules, other)
        self._winners_at_start = winners_by_score(other, start_state) if other.winning != played.rules.winning else None
        if start_state.scores != own_start_state.scores or self._winners_at_start is not None:
            self.first_differing_hand = 0

    def run(self) -> None:
        """Score the hands under the other rules, until the match is over or a `problem` is found."""
        if self._winners_at_start is not None:
            if not self._winners_at_start:
                self.problem = "The match was over before the first hand, and the scores do not say who had won."
            start_state = self.states[0]
            self.states = [
                start_state._replace(outcome=start_state.outcome or Outcome(self._winners_at_start, "first_to_target"))
            ]
            return
        results = self.played.state.results
        for result in results:
            own_result = self._score_under_own_rules(result)
            if not any(state.goes_on for state in self.states):
                return
            self._apply_changes(result)
            if not self.problem:
                self._score_under_other_rules(result, own_result, may_be_open=result is results[-1])
            if self.problem:
                return
            if own_result.status == "scored":
                self._own_carried_points = points_carried_after(self._own_carried_points, own_result)
            if self.first_differing_hand is None:
                self._note_difference(result)

    def _score_under_own_rules(self, result: HandResult) -> HandResult:
        """Return a hand's result under the match's own rules.

        A hand that was entered after the end of the match is scored as if the match went on, if possible.
        """
        if result.status != "after_end":
            return result
        state_before = self._own_state or self.played.state._replace(outcome=None, question=None, results=())
        try:
            state_after = play(state_before, result.hand, budget=self.budget)
        except ImpossibleHand:
            self._own_state = state_before
            return result
        self._own_state = state_after._replace(outcome=None, question=None, results=())
        return state_after.results[-1]

    def _apply_changes(self, result: HandResult) -> None:
        """Make the rule changes of a hand in the other rules as well, or set `problem`.

        Rules that the comparison is about, since they differ from the start, stay as they are.
        """
        changed_answers = (result.hand.house or {}).items()
        answers_to_apply = {
            option: answer
            for option, answer in changed_answers
            if RuleKey.of_answer(option, answer) not in self._differing_rule_keys
        }
        rules, faults = change_rules(self._current_rules, answers_to_apply)
        if faults:
            self.problem = cannot_go_on_sentence(result.number, faults[0].code, faults[0].message)
        else:
            self._current_rules = rules

    def _score_under_other_rules(self, result: HandResult, own_result: HandResult, *, may_be_open: bool) -> None:
        """Score every hand that an entry may stand for, and set `states` to those after it.

        Only hands that fit `known_answers` count. If none can be scored, this sets `problem`.
        """
        ended_states = [state for state in self.states if not state.goes_on]
        try:
            for in_order in (False, True):
                transitions = self._play_possible_hands(own_result, may_be_open=may_be_open, in_order=in_order)
                if not any(transition.after.question for transition in transitions):  # points do not show who was first
                    break
            for (position, question), answer in self.known_answers.items():
                if position == result.position:  # an answer that fits none is ignored
                    fitting = [
                        transition
                        for transition in transitions
                        if transition.possible_hand.answers.get(question) == answer
                    ]
                    transitions = fitting or transitions
            states = {
                continuation_key(state): state
                for state in (*ended_states, *(transition.after for transition in transitions))
            }
            if len(states) > MAX_STATES:
                raise BudgetExceeded
        except BudgetExceeded:
            self._exceeded_budget = True
            self.problem = too_many_possibilities_sentence(result.number)
        except InsufficientPoints:
            self.problem = cannot_go_on_sentence(result.number, "not_counted", "its points do not tell enough.")
        except ImpossibleHand as impossible:
            fault = impossible.faults[0].fault
            why = fault.with_names(self.played.names[result.position - 1]).message
            self.problem = cannot_go_on_sentence(result.number, fault.code, why)
        else:
            self._steps.append(_Step(result, self._rule_pair, transitions, ended_states))
            self.states = list(states.values())

    def _rule_pair_for(self, own_result: HandResult, carried_points: int) -> RulePair:
        """Return the own and the other rules, each with the points that earlier tied Games add to Game in a hand.

        `carried_points` are those points under the other rules.
        """
        own_rules = own_result.ruleset.with_carried_points(self._own_carried_points)
        other_rules = self._current_rules.with_carried_points(carried_points)
        if self._rule_pair.own_rules is not own_rules or self._rule_pair.other_rules is not other_rules:
            self._rule_pair = RulePair(own_rules, other_rules)
        return self._rule_pair

    def _play_possible_hands(
        self, own_result: HandResult, *, may_be_open: bool, in_order: bool
    ) -> Sequence[_Transition]:
        """Play every hand that an entry may stand for, from every possible state of the match.

        `own_result` is the hand's result under the match's own rules; for `in_order`, see `possible_hands`. Raises
        `ImpossibleHand` if no hand fits the other rules, `InsufficientPoints` or `BudgetExceeded`.
        """
        hands_by_carried_points: dict[int, Sequence[PossibleHand]] = {}
        transitions: list[_Transition] = []
        first_refusal: ImpossibleHand | None = None
        for state in self.states:
            if not state.goes_on:
                continue
            if state.carried not in hands_by_carried_points:
                rule_pair = self._rule_pair_for(own_result, state.carried)
                hands_by_carried_points[state.carried] = possible_hands(
                    rule_pair, self.played.state.seats, own_result, self.budget, in_order=in_order
                )
            before = state if state.ruleset is self._current_rules else state._replace(ruleset=self._current_rules)
            for possible_hand in hands_by_carried_points[state.carried]:
                try:
                    state_after = play_under_other_rules(
                        before, possible_hand.hand, own_result, self.budget, may_be_open=may_be_open
                    )
                    transitions.append(_Transition(state, state_after, possible_hand))
                except ImpossibleHand as impossible:
                    first_refusal = first_refusal or impossible
        if not transitions:
            raise first_refusal or InsufficientPoints
        return transitions

    def _note_difference(self, result: HandResult) -> None:
        """Set `first_differing_hand` to this hand if scores, payments or winners after it may differ, and note why."""
        played, last = self.played.state, self.played.state.last_scored
        has_ended = last is not None and not played.goes_on and result.position >= last.position
        if has_ended and played.question:
            return  # the match as played has the same open question
        own_end = (result.scores, played.winners if has_ended else ())
        other_results = [transition.after.results[-1] for transition in self._steps[-1].transitions]
        is_paid_alike = all(other.payments == result.payments for other in other_results)
        if is_paid_alike and all(
            (state.scores, state.winners) == own_end and not state.question for state in self.states
        ):
            return
        self.first_differing_hand = result.number
        first, *others = other_results
        is_alike = all(other.deltas == first.deltas and other.made == first.made for other in others)
        if is_alike and (first.deltas, first.made, first.payments) != (result.deltas, result.made, result.payments):
            self.first_difference = difference_sentence(result, first, self.played.names[result.position - 1])

    # What decides the winner

    def find_question(self) -> HandQuestion | None:
        """Return the question about the earliest hand whose answer decides who wins; `None` if there is none."""
        if self.problem and not self._exceeded_budget:
            return None
        ends: dict[StateKey, EndKeys] = {
            continuation_key(state): frozenset([self._end_key(state)]) for state in self.states
        }
        open_question: tuple[_Step, str] | None = None
        # Backwards from the last hand, collect the ends that the match can reach from each state.
        for step in reversed(self._steps):
            # A state that a later hand cannot follow reaches no end: that version of the hand was not played.
            transitions = [transition for transition in step.transitions if continuation_key(transition.after) in ends]
            questions = [
                question
                for question in _deciding_questions(transitions, ends)
                if (step.result.position, question) not in self.known_answers
            ]
            if questions:
                open_question = replace(step, transitions=transitions), questions[0]
            ends_before = {continuation_key(state): ends[continuation_key(state)] for state in step.ended_states}
            for transition in transitions:
                key = continuation_key(transition.before)
                ends_before[key] = ends_before.get(key, frozenset()) | ends[continuation_key(transition.after)]
            ends = ends_before
        return self._question_about(*open_question) if open_question else None

    def _end_key(self, state: MatchState) -> object:
        """Return a key that is equal for states in which the match ends with the same winners and question."""
        # A match that exceeded the budget has no end: the key has all that distinguishes its state.
        return continuation_key(state) if self._exceeded_budget else (state.winners, state.question)

    def _question_about(self, step: _Step, question: str) -> HandQuestion:
        """Return a question about a hand in words, with a choice for each answer that a possible hand gives."""
        result = step.result
        names, hand_sides = self.played.names[result.position - 1], step.transitions[0].after.results[-1].hand_sides
        award_id, other_rules = question.removesuffix(OWN_RULES_SUFFIX), step.pair.other_rules
        hands = list(
            {id(transition.possible_hand): transition.possible_hand for transition in step.transitions}.values()
        )
        is_own = question.endswith(OWN_RULES_SUFFIX) or award_id not in other_rules.in_play
        card_points = hands[0].hand.card_points
        is_tie = other_rules.points.game_tie == "joker_breaks" and award_id == other_rules.card_points_award
        ruleset = step.pair.own_rules if is_own else other_rules
        award = None if question == ALL_TRICKS_KEY else award_id
        # Where Game is known to be tied, the question is about the joker alone.
        is_joker = is_tie and len(set((card_points or {}).values())) == 1
        reason = f"Hand {result.number} {'has points only' if result.hand.points is not None else 'does not say'}."
        seat_order = self.played.state.seats.ids.index
        possible_answers = sorted(
            dict.fromkeys(hand.answers[question] for hand in hands if question in hand.answers),
            key=lambda takers: (len(takers) == 0, len(takers), [seat_order(side) for side in takers]),
        )
        groups = hand_sides.groups
        choices = tuple(
            AnswerChoice(takers, hand_answer_label(ruleset, award, groups, takers, names))
            for takers in possible_answers
        )
        text = hand_question_text(ruleset, award, is_joker=is_joker)
        return HandQuestion(key=(result.position, question), reason=reason, text=text, choices=choices)


def _deciding_questions(transitions: Iterable[_Transition], ends: Mapping[StateKey, EndKeys]) -> list[str]:
    """Return the keys of questions about a hand that together decide how the match ends, without needless ones."""
    outcomes = [
        (
            continuation_key(transition.before),
            transition.possible_hand.answers,
            ends[continuation_key(transition.after)],
        )
        for transition in transitions
    ]
    questions = list(dict.fromkeys(key for _, answers, _ in outcomes for key in answers))

    def distinguishes(questions: Sequence[str]) -> bool:
        ends_by_answers: dict[tuple[object, ...], EndKeys] = {}
        return all(
            ends_by_answers.setdefault((key, *(answers.get(question) for question in questions)), end_keys) == end_keys
            for key, answers, end_keys in outcomes
        )

    for question in reversed(tuple(questions)):
        fewer_questions = [other for other in questions if other != question]
        if distinguishes(fewer_questions):
            questions = fewer_questions
    return questions


def winners_by_score(ruleset: Ruleset, state_before: MatchState) -> SideIds | None:
    """Return the winners if a match is already over by the scores of `state_before`; `None` if it is not.

    The result is `()` if it is over, but the scores do not show who won.
    """
    winning = ruleset.winning
    if winning.length == "hands":
        outcome = outcome_by_hands(ruleset, state_before.scores, state_before.hands_scored)
        return outcome.winners if outcome else None
    if winning.win_rule != "first_to_target":
        return None
    standing = Standing(ruleset, state_before.scores, state_before.scores, reached_by_two=state_before.reached_by_two)
    candidates, tie_rule = standing.candidates, winning.tie_rule
    if not candidates or (tie_rule in ("another_hand", "bidder_or_play_on") and len(standing.at_target) > 1):
        return None
    leaders = leading_sides(ruleset, state_before.scores, candidates)
    if len(candidates) == 1 or (tie_rule in ("higher_score", "higher_score_or_play_on") and len(leaders) == 1):
        return leaders
    return None if tie_rule == "higher_score_or_play_on" else ()
