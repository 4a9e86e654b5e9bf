"""Score a match from its setup and its log; no other module scores stored matches.

Scoring continues from the state before the last event where possible, so that a new hand scores one hand, not forty.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from scorekeeper.access.roles import Link
from scorekeeper.matches.deleted_names import deleted_name_replacements, replace_deleted_names
from scorekeeper.matches.events import HandAdded, HandCorrected, HandRemoved, HandRestored
from scorekeeper.matches.log import LoggedHand, MatchLog, Occasion, fold, occasion_of
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.pitch.compare.comparison import PlayedMatch
from scorekeeper.pitch.rules.faults import SETTLE_FIRST_MESSAGE, Fault, FaultsFound, HandFault
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import Hand
from scorekeeper.pitch.scoring.match import (
    HandResult,
    ImpossibleHand,
    MatchState,
    MatchStatus,
    match_status,
    open_match,
    play,
    replay,
)
from scorekeeper.pitch.scoring.outcome import Outcome
from scorekeeper.pitch.scoring.search_budget import Budget
from scorekeeper.pitch.scoring.seats import dealer_by_calls
from scorekeeper.pitch.text.phrases import Pronouns


@dataclass(frozen=True, slots=True)
class Ending:
    """The status, winners and scores of a match; stored when it ends, to check later versions of the scoring."""

    status: str
    """`over` or `stopped`; in `Match.standing` also `in_progress`."""
    winners: tuple[str, ...]
    scores: Mapping[str, int]
    """The scores, keyed by side id; `winners` are side ids, too."""


@dataclass(frozen=True)
class Match:
    """A match as loaded by an access link: its setup, its log, and the scores computed from them.

    Seats and sides are ids, such as "p1" and "s2"; `names` has their names.
    """

    setup: MatchSetup
    link: Link
    log: MatchLog
    rules: Ruleset
    """The rules that the match began with."""
    state: MatchState
    """The scores and the results of all hands, with the rules and the dealer of the next hand."""
    pronouns: Pronouns = ""
    """How a page calls two sides that nobody named; empty for the names that are stored."""

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The present names, keyed by seat or side id; once a match is won, the names in its last scored hand.

        An unnamed side is named after its players: "Ann & Cal".
        """
        if self.state.outcome is None:
            return self.names_now
        last_hand = self.state.last_scored
        return self.names_at(self.log.hands[last_hand.position - 1].substitution_count if last_hand else 0)

    @cached_property
    def names_now(self) -> Mapping[str, str]:
        """The present names, keyed by id, including players who sat down after the end of the match."""
        return self.setup.shown_names(self.log.renamed, self.pronouns)

    def names_at(self, substitution_count: int) -> Mapping[str, str]:
        """Return the names, keyed by id, of those at the table after the first `substitution_count` substitutions.

        A player who was renamed has the present name.
        """
        if substitution_count == len(self.log.substitutions):
            return self.names_now
        return self.setup.shown_names(self.log.renamed_at(substitution_count), self.pronouns)

    def with_pronouns(self, pronouns: Pronouns) -> "Match":
        """Return the match with unnamed sides called by `pronouns`: "We" and "They".

        In its names, private-use characters stand for the pronouns; `resolve_pronouns` turns these into words.
        """
        if self.pronouns == pronouns or not self.setup.has_pronoun_names(self.log.renamed):
            return self
        return replace(self, pronouns=pronouns)

    def names_of(self, logged: LoggedHand) -> Mapping[str, str]:
        """Return the names, keyed by id, of those who played a hand."""
        return self.names_at(logged.substitution_count)

    def names_in(self, position: int) -> Mapping[str, str]:
        """Return the names, keyed by id, of those who played the hand at `position`, from 1.

        For position 0, return the names at the start; after the last hand, the present ones.
        """
        hands = self.log.hands
        if position > len(hands):
            return self.names_now
        return self.names_of(hands[position - 1]) if position else self.names_at(0)

    def names_when(self, seq: int) -> Mapping[str, str]:
        """Return the names, keyed by id, of those at the table when the event with a `seq` was written.

        A player who was renamed has the present name.
        """
        return self.names_at(sum(substitution.seq <= seq for substitution in self.log.substitutions))

    def substitutes(self, position: int) -> dict[str, str]:
        """Return who first played in the hand at `position`, from 1, keyed by whom they replaced: `{"Ann": "Eva"}`.

        A position after the last hand is the next hand.
        """
        hands = self.log.hands
        counts = [0, *(hand.substitution_count for hand in hands), len(self.log.substitutions)]
        return substitutes_between(self.setup, self.log, counts[position - 1], counts[position])

    @cached_property
    def markers(self) -> Mapping[str, int]:
        """The number of every side's marker, keyed by side id."""
        return self.setup.markers(self.log.changed_markers)

    @property
    def id(self) -> int:
        """The id of the match in the database."""
        return self.setup.id

    @property
    def code(self) -> str:
        """The code of the access link by which the match was loaded."""
        return self.link.code

    @property
    def title(self) -> str:
        """The title of the match; empty where none was entered."""
        return self.occasion.title

    @cached_property
    def occasion(self) -> Occasion:
        """The title, day, venue and note of the match, with all changes."""
        return occasion_of(self.setup, self.log)

    @property
    def version(self) -> int:
        """The `seq` of the last event; forms send it back, which shows whether another phone wrote meanwhile."""
        return self.log.version

    @property
    def status(self) -> MatchStatus:
        """The status: `in_progress`, `over` or `stopped`."""
        return match_status(self.state, stopped=self.log.is_stopped)

    def without_deleted_names(self) -> "Match":
        """Return the match with numbered names, such as "Player 3", in place of names that its book deleted.

        A spelling that is still the name of a player stays.
        """
        replacements = deleted_name_replacements(self.setup, self.log.events)
        if not replacements:
            return self
        setup, events = replace_deleted_names(self.setup, self.log.events, replacements)
        return replace(self, setup=setup, log=fold(events))

    def closed_reason(self, before: int | None = None) -> str:
        """Return why no hand can be added: "deleted", "over", "stopped" or "asks"; empty if one can.

        "asks" means that the cards of a hand have to be entered first. `before` is the uid of the hand before which to
        insert; `None` for the end.
        """
        if self.log.is_deleted:
            return "deleted"
        next_result = None if before is None else self.result(before)
        if next_result.status == "after_end" if next_result else not self.state.goes_on:
            return "over" if self.state.outcome else "asks"
        return "stopped" if self.log.is_stopped else ""

    def with_stored_ending(self, ending: Ending | None) -> "Match":
        """Return the match with its stored winners if today's scoring would need cards to decide who won.

        The match stays as it is if no question is open, or if the stored ending does not fit the scores.
        """
        question, last_hand = self.state.question, self.state.last_scored
        if not (question and last_hand and ending) or ending.scores != self.state.scores:
            return self
        if ending.status != "over" or not set(ending.winners) <= set(question.winners):
            return self
        outcome = Outcome(ending.winners, last_hand.ruleset.winning.tie_rule, chosen_by="points")
        return replace(self, state=self.state._replace(outcome=outcome, question=None))

    @property
    def ending(self) -> Ending | None:
        """The status, winners and scores at the end; `None` for a match in progress."""
        return None if self.status == "in_progress" else self.standing

    @property
    def standing(self) -> Ending:
        """The present status, winners and scores, also while the match goes on."""
        outcome = self.state.outcome
        return Ending(self.status, outcome.winners if outcome else (), self.state.scores)

    def result(self, uid: int) -> HandResult | None:
        """Return the result of the hand with a uid; `None` if no hand in force has that uid."""
        position = self.log.hand_position(uid)
        return self.state.results[position - 1] if position else None

    def state_before(self, position: int) -> MatchState:
        """Return the state after the hand before `position`, from 1; what was set for the hand itself is left out.

        For the next hand, return the present state, which has the dealer and the rules that were set for it.
        """
        if position > len(self.state.results):
            return self.state
        return replay(
            _initial_state(self.setup, self.rules), [result.hand for result in self.state.results[: position - 1]]
        )

    def state_at(self, position: int) -> MatchState:
        """Return the state in which the hand at `position`, from 1, was played, with its rules and its dealer.

        For the next hand, return the present state.
        """
        state = self.state_before(position)
        if position > len(self.state.results):
            return state
        moved_dealer, result = self.log.hands[position - 1].pending.dealer, self.state.results[position - 1]
        return state._replace(ruleset=result.ruleset, dealer=moved_dealer or state.dealer)

    def check_hand(self, position: int) -> None:
        """Raise `UnscorableMatch` if the hand at `position`, from 1, breaks a rule; rules for new hands count, too.

        A hand after the end of the match is not checked.
        """
        result = self.state.results[position - 1]
        if result.status != "after_end":
            hand = result.hand if result.dealer is None else replace(result.hand, dealer=result.dealer)
            try:
                play(self.state_before(position), hand, may_be_open=position == len(self.state.results), is_new=True)
            except ImpossibleHand as impossible:
                raise UnscorableMatch(_faults_with_names(impossible, self.setup, self.log)) from None

    def house_answers_at(self, position: int) -> dict[str, object]:
        """Return the house answers in force in the hand at `position`, from 1, keyed by option."""
        answers = dict(self.setup.house)
        for result in self.state.results[:position]:
            answers.update(result.hand.house or {})
        return answers

    @property
    def ruleset_of_last_hand(self) -> Ruleset:
        """The rules of the last hand; if there is no hand yet, the first rules."""
        return self.state.results[-1].ruleset if self.state.results else self.rules

    @property
    def state_carried_over(self) -> MatchState | None:
        """The state before the first hand if scores were carried over from paper; else `None`."""
        return _initial_state(self.setup, self.rules) if any(self.setup.start.values()) else None

    def as_of(self, event_count: int) -> "Match | None":
        """Return the match as it was after its first `event_count` events; `None` if that cannot be scored."""
        try:
            match = derive_match(self.setup, self.link, self.log.as_of(event_count), self.rules)
            return match.with_pronouns(self.pronouns)
        except UnscorableMatch:
            return None

    def before_last_change(self) -> "Match | None":
        """Return the match before its last event if that event corrected, deleted, restored or inserted a hand.

        `None` after any other event, or if the earlier match cannot be scored.
        """
        events = self.log.events
        event = events[-1].data if events else None
        is_inserted = isinstance(event, HandAdded) and event.before is not None
        if not is_inserted and not isinstance(event, HandCorrected | HandRemoved | HandRestored):
            return None
        return self.as_of(len(events) - 1)


class UnscorableMatch(FaultsFound):
    """A stored match cannot be scored; `faults` has the reasons."""


def derive_match(
    setup: MatchSetup,
    link: Link,
    log: MatchLog,
    rules: Ruleset,
    earlier: Match | None = None,
    budget: Budget | None = None,
) -> Match:
    """Return a match scored from its log; raises `UnscorableMatch`.

    `rules` are those that the match began with. Where possible, only the hands after those of `earlier` are scored. If
    `budget` runs out, a hand scores as entered, and an undecided match waits for the cards.
    """
    try:
        if earlier and _can_continue(earlier, log):
            state, scored_count = earlier.state, len(earlier.log.hands)
        else:
            state, scored_count = _initial_state(setup, rules), 0
        hands = [hand_as_played(setup, hand, n) for n, hand in enumerate(log.hands[scored_count:], scored_count + 1)]
        state = _apply_next_hand_settings(log, replay(state, hands, budget=budget))
    except ImpossibleHand as impossible:
        raise UnscorableMatch(_faults_with_names(impossible, setup, log)) from None
    return Match(setup, link, log, rules, state)


def _faults_with_names(impossible: ImpossibleHand, setup: MatchSetup, log: MatchLog) -> Iterator[HandFault]:
    """Yield the faults of an impossible hand, with names in place of ids in their messages."""
    names = setup.shown_names(log.renamed, "names")
    return (HandFault(item.hand, item.fault.with_names(names)) for item in impossible.faults)


def _can_continue(earlier: Match, log: MatchLog) -> bool:
    """Return whether scoring can continue from `earlier`, because its hands are unchanged in `log`.

    False if `earlier` had settings for its next hand, or an open hand that new ones follow.
    """
    old_hands, pending = earlier.log.hands, earlier.log.pending
    return (
        pending.dealer is None
        and pending.house is None
        and len(old_hands) <= len(log.hands)
        and all(
            old is new or (old.hand is new.hand and old.pending == new.pending)
            for old, new in zip(old_hands, log.hands, strict=False)
        )
        and (len(old_hands) == len(log.hands) or not earlier.state.open_hand)
    )


def hand_as_played(setup: MatchSetup, logged: LoggedHand, position: int) -> Hand:
    """Return a hand with the dealer, house answers and substitutes that were set before it.

    A dealer or an answer that was entered with the hand itself takes precedence.
    """
    hand, settings = logged.hand, logged.pending
    dealer = settings.dealer or (setup.first_dealer if position == 1 else None)
    if dealer is not None and hand.dealer is None:
        # The first caller determines the dealer, though the deal was moved for another hand.
        hand = replace(hand, dealer=dealer_by_calls(setup.seating, hand.auction or ()) or dealer)
    if settings.house is not None:
        house = {**settings.house, **(hand.house or {})}
        hand = replace(hand, house=house, house_on=hand.house_on or settings.house_on)
    return hand if settings.substitutes is None else replace(hand, sits_in=settings.substitutes)


def substitutes_between(setup: MatchSetup, log: MatchLog, before: int, after: int) -> dict[str, str]:
    """Return the new players of some substitutions, keyed by whom they replaced: `{"Ann": "Eva"}`.

    These are the substitutions with the indexes from `before` up to, but without, `after`.
    """
    if before == after:
        return {}
    old_names, new_names = (setup.record_names(log.renamed_at(count)) for count in (before, after))
    changed_seats = dict.fromkeys(substitution.who for substitution in log.substitutions[before:after])
    return {old_names[who]: new_names[who] for who in changed_seats if old_names[who] != new_names[who]}


def _initial_state(setup: MatchSetup, rules: Ruleset) -> MatchState:
    """Return the state of a match before its first hand, with the scores carried over from paper."""
    return open_match(rules, setup.seating, setup.carried_over, setup.first_dealer)


def _apply_next_hand_settings(log: MatchLog, state: MatchState) -> MatchState:
    """Return the state with the dealer and rules that were set for the next hand.

    Raises `UnscorableMatch` for invalid rules, and for substitutes in a game for money.
    """
    settings = log.pending
    if settings.dealer is not None:
        state = state._replace(dealer=settings.dealer)
    if settings.house is not None:
        ruleset, faults = with_house(state.ruleset, settings.house)
        if faults:
            raise UnscorableMatch(faults)
        state = state._replace(ruleset=ruleset)
    if settings.substitutes and state.ruleset.is_for_money:
        raise UnscorableMatch([Fault("sits_in", "settle_first", SETTLE_FIRST_MESSAGE)])
    return state


def unplayed_hand(entered: Hand, **fields: Any) -> Hand:
    """Return an unplayed hand that keeps the penalties and forfeits of `entered`, and has these `fields` besides."""
    return Hand(penalties=entered.penalties, penalties_to=entered.penalties_to, forfeits=entered.forfeits, **fields)


def played_match(match: Match, base: Ruleset) -> PlayedMatch:
    """Return a match in the form in which it is compared with other rules; `base` is its published variant."""
    return PlayedMatch(
        rules=match.rules,
        base=base,
        start=match.setup.carried_over,
        first_dealer=match.setup.first_dealer,
        state=match.state,
        names=tuple(match.names_in(result.position) for result in match.state.results),
    )
