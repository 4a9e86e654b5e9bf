"""The other readings of one hand: what comes of it where a table plays a fought-over rule otherwise.

Each is the hand scored anew by the engine, under the rules in force with one answer changed. What the hand does not
tell is never guessed: then a reading names what is missing, and has what may have come out.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from itertools import product
from typing import Any

from scorekeeper.pitch.rules.awards import AwardId, is_optional
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.moot import moot_options
from scorekeeper.pitch.rules.options import Option, options
from scorekeeper.pitch.rules.questions import DISPUTED, QUESTIONS, usual_numbers
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.budget import Budget, TooManyWays
from scorekeeper.pitch.scoring.game_count import leading_groups
from scorekeeper.pitch.scoring.hand import PASS, Hand, SideId
from scorekeeper.pitch.scoring.hand_faults import HandFault
from scorekeeper.pitch.scoring.match import HandResult, ImpossibleHand, MatchState, play, standing_key
from scorekeeper.pitch.scoring.outcome import HandEnd, OpenEnd, by_hands, decide
from scorekeeper.pitch.scoring.seats import sums_by_group
from scorekeeper.pitch.scoring.standing import Standing, comparable, has_reached_target, leading, second_best, target_of
from scorekeeper.pitch.scoring.taken import without_game
from tests.old_compare.possible_hands import (
    NotCounted,
    PossibleHand,
    RulePair,
    open_awards,
    play_otherwise,
    possible_hands,
)

MOST_READINGS = 6
_ENDS_THE_MATCH = ("win_rule", "tie_rule")
"""Options that are worth a line where they might have decided, even if they change nothing."""
_REFUSES_ALIKE = ("dealer_steal",)
"""Options whose answers refuse a bid alike, so that one is said."""
_SCORES_NOTHING = ("play", "money")
"""Groups of options that change nothing in what a hand scores or who wins by it."""

_CHANGED_BY_HOUSES = (
    *("game_rule", "moon_counts_burned", "moon_needs", "score_on_made", "defenders_score", "partner_set_too", "on_set"),
    *("four_points_win_game", "defenders_stop_at_one", "defenders_stop_short"),
)
"""Options that are read as published where the table answers them otherwise, also where no table argues about them."""


class Effect(IntEnum):
    """What a reading changes, in the order in which readings are shown."""

    WINNER = 1
    PERHAPS_WINNER = 2
    SCORE = 3
    PERHAPS_SCORE = 4
    NOTHING = 5


class Missing(StrEnum):
    """What a reading needs to know and the hand does not tell."""

    CARDS = "cards"
    """Only points were entered."""
    TAKER = "taker"
    """An award is won in another way, perhaps by somebody else."""
    DEFENDER = "defender"
    """The defenders were counted together."""
    JOKER = "joker"
    """Who has the joker."""
    CARD_POINTS = "card_points"
    """Who is tied."""
    TRICKS = "tricks"
    """Whether the bidding side took every trick."""
    FIRST_THERE = "first_there"
    """Who pegged the target first."""
    PLAY = "play"
    """The hand, which was not played and would have been."""
    DEAL = "deal"
    """The deal before this one, which everybody passed and which would have been played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WonBefore:
    """That a match would have been over before a hand."""

    winners: tuple[SideId, ...]
    """Who had won; empty where that is not known."""
    scores: Mapping[SideId, int]
    """The scores by which it was over."""
    after: int | None = None
    """The number of the hand that ended it; `None` where the match, or its rule of winning, began with these scores."""
    until: int | None = None
    """The number of the first hand after it; `None` where that is the very hand that is read."""
    took_all: bool = False
    """Whether it ended because somebody took every point of a hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What comes of a whole match by a reading that scores another hand than the one that is read otherwise."""

    winners: tuple[SideId, ...] | None
    """Who wins; empty where nobody does yet, `None` where that is not known."""
    scores: Mapping[SideId, int] | None
    """The scores at its end; `None` where they are not known."""
    after: int | None
    """The number of the last hand that counts."""
    untold: tuple[int, ...] = ()
    """The numbers of the hands that do not tell enough."""
    is_more_untold: bool = False
    """Whether there may be others after them."""
    stop: str = ""
    """Why it cannot go on past a hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherReading:
    """What comes of a hand where one option is answered otherwise."""

    house: Mapping[str, Any]
    """The house answer that makes it so; several for the jokers, and where several rules are still to be agreed."""
    ruleset: Ruleset
    """The rules with that answer."""
    effect: Effect
    possible: tuple[MatchState, ...] = ()
    """The match after the hand: where something is missing, in as many ways as tell what the reading changes.

    None where the hand cannot have been so.
    """
    missing: Missing | None = None
    awards: tuple[AwardId, ...] = ()
    """The awards that score otherwise, or no more."""
    faults: tuple[Fault, ...] = ()
    """Why the hand cannot have been so."""
    won_before: WonBefore | None = None
    """Who had won before this hand where the match was over by then."""
    replayed: Replayed | None = None
    """What comes of the whole match, where hands before this one come out otherwise as well."""
    is_agreed: bool = False
    """Whether the table has agreed on the answer in force."""
    is_changed: bool = False
    """Whether that answer is another than the standard one."""

    @property
    def option(self) -> str:
        """The option or award that is answered otherwise."""
        return next(iter(self.house))

    @property
    def state(self) -> MatchState | None:
        """The match after the hand; `None` where that is not known, or the hand cannot have been so."""
        is_known = self.missing is None and self.replayed is None
        return self.possible[0] if self.possible and is_known else None

    @property
    def is_either_way(self) -> bool:
        """Whether who wins is the same whatever is not known."""
        if self.replayed is not None:
            return self.replayed.scores is None
        return self.state is None and self.won_before is None

    @property
    def winners(self) -> tuple[SideId, ...] | None:
        """Who wins; empty where nobody does yet, `None` where that is not known."""
        if self.replayed is not None:
            return self.replayed.winners
        if self.won_before is not None:
            return self.won_before.winners or None
        if any(state.question for state in self.possible):
            return None
        ends = {state.winners for state in self.possible}
        return ends.pop() if len(ends) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What comes of one hand, and what would have under other readings of the rules."""

    before: MatchState
    """The match before the hand, under the rules in force in it."""
    state: MatchState
    """The match after it."""
    undecided: tuple[OtherReading, ...]
    """Every answer to what the table has still to agree, where the ruling turns on that."""
    others: tuple[OtherReading, ...]
    """The other readings that matter, those that change the winner first."""

    @property
    def result(self) -> HandResult:
        """What came of the hand."""
        return self.state.results[-1]

    @property
    def is_same_in_all(self) -> bool:
        """Whether no other reading changes anything, nor might."""
        return all(reading.effect is Effect.NOTHING for reading in self.others)


def rule_on(
    before: MatchState,
    hand: Hand,
    base: Ruleset,
    agreed: Collection[str] = (),
    *,
    budget: Budget | None = None,
    also: Sequence[Mapping[str, Any]] = (),
    is_new: bool = False,
) -> Ruling:
    """Return what comes of a hand, under the rules in force and under others; raises `ImpossibleHand`.

    A reading that takes more than the `budget` says that it needs the cards.

    One that `is_new` is checked as those are that a phone enters.

    `base` is the variant as published, and `agreed` names what the table answered: also what is standard. What is
    `also` answered otherwise is among the readings where tables argue about it, even if it changes nothing in the hand.
    """
    budget = budget or Budget()
    if hand.house:
        ruleset, faults = with_house(before.ruleset, hand.house)
        if faults:
            raise ImpossibleHand(len(before.results) + 1, faults)
        agreed = {*agreed, *hand.house}
        before, hand = before._replace(ruleset=ruleset), replace(hand, house=None, house_on=None)
    state = play(before, hand, is_new=is_new, budget=budget)
    reader = _Reader(before, hand, state, base, frozenset(agreed), budget)
    if state.results[-1].status not in ("scored", "thrown_in"):
        return Ruling(before=before, state=state, undecided=(), others=())
    others = sorted(reader.others(also), key=lambda reading: reading.effect)
    most = MOST_READINGS + len(also)
    return Ruling(before=before, state=state, undecided=reader.undecided(), others=tuple(others[:most]))


@dataclass(frozen=True)
class _Reader:
    """Reads one hand under other rules than those in force."""

    before: MatchState
    hand: Hand
    state: MatchState
    base: Ruleset
    agreed: frozenset[str]
    budget: Budget

    @property
    def ruleset(self) -> Ruleset:
        return self.before.ruleset

    @property
    def result(self) -> HandResult:
        return self.state.results[-1]

    def others(self, also: Sequence[Mapping[str, Any]]) -> Iterator[OtherReading]:
        """Yield the readings that matter, in the order in which tables argue about them, and those asked for."""
        unchanged: set[str] = set()
        refused: set[str] = set()
        houses: list[Mapping[str, Any]] = [*self._other_answers(), *self._without_awards()]
        houses += [house for house in also if house not in houses and self._is_argued(*house)]
        for house in houses:
            reading = self._read(house)
            if reading is None:
                continue
            if reading.effect is Effect.NOTHING and house not in also:
                if reading.option not in _ENDS_THE_MATCH or reading.option in unchanged:
                    continue
                unchanged.add(reading.option)
            if reading.faults and reading.won_before is None and reading.option in _REFUSES_ALIKE:
                if reading.option in refused:
                    continue
                refused.add(reading.option)
            yield reading

    def _other_answers(self) -> Iterator[dict[str, Any]]:
        open_options = self.ruleset.open_options
        burned = ("moon_counts_burned",) if isinstance(self.result.bid, str) else ()
        led = ("double_loss_on_overtake",) if self.result.overtook_pitch else ()
        for name in dict.fromkeys((*self.base.sheet.argued, *burned, *led, *DISPUTED)):
            option = options().get(name)
            if option is None or name in open_options or option.group in _SCORES_NOTHING:
                continue
            if self._applies(name):
                yield from ({name: answer} for answer in self._answers(option))
        for name in _CHANGED_BY_HOUSES:
            if name not in (*self.base.sheet.argued, *burned, *open_options) and self._is_changed(name):
                yield {name: self.base.answer(name)}

    def _is_argued(self, name: str) -> bool:
        """Return whether tables argue about an answer: not about a number, nor what every table scores alike."""
        option = options().get(name)
        if option is None:
            return is_optional(self.ruleset.kinds[name])
        is_open = name in self.ruleset.open_options
        return not (is_open or option.group in _SCORES_NOTHING or QUESTIONS[name].is_number)

    def _applies(self, name: str) -> bool:
        """Return whether an option applies to the hand; most change nothing in a hand to which they do not apply."""
        match name:
            case "win_rule":
                seen = (self.state.scores, self.before.scores, *(hand.scores for hand in self.before.results))
                return any(has_reached_target(self.ruleset, score) for scores in seen for score in scores.values())
            case "tie_rule":
                return self.is_tied
            case "dealer_steal":
                return bool(self.hand.auction)
            case "all_pass":
                return self.has_all_passed or bool(self.passed_out)
            case "game_tie":
                return self.is_game_tied
        return True

    def _answers(self, option: Option) -> Iterator[Any]:
        now = self.ruleset.answer(option.name)
        if option.is_flag:
            yield not now
        elif option.name == "low":
            # Who holds a card and who plays it is the same side.
            yield "held" if now == "captured" else "captured"
        elif option.name == "score_on_made" and not self.ruleset.pays_by_hand:
            yield "bid" if now == "points" else "points"
        elif option.name == "tie_rule" and self.ruleset.winning.length == "hands":
            # After the last hand the best scores share the win, unless one more hand is played.
            yield "bidder_first" if self.ruleset.winning.plays_on_when_tied else "another_hand"
        else:
            alike = _TOLD_ALIKE.get(option.name, ())
            yield from (answer for answer in option.choices if answer != now and answer not in alike)

    def _without_awards(self) -> Iterator[dict[str, Any]]:
        """Yield each award that families switch off, where somebody took it or may have; all jokers together."""
        ruleset, taken = self.ruleset, self.hand.taken
        if not self.hand.is_played:
            return
        seen = [
            award_id
            for award_id in ruleset.award_rows
            if is_optional(ruleset.kinds[award_id]) and (taken is None or taken.get(award_id) is not None)
        ]
        jokers = [award_id for award_id in seen if award_id in ruleset.joker_awards]
        for award_id in seen:
            if award_id not in jokers:
                yield {award_id: False}
            elif award_id == jokers[0]:
                yield dict.fromkeys(jokers, False)

    def _read(self, house: Mapping[str, Any]) -> OtherReading | None:
        """Score the hand under another answer; `None` where there is no such rule, or nothing to tell."""
        changed, faults = with_house(self.ruleset, house)
        if faults or any(award_id not in self.ruleset.in_play for award_id in changed.in_play):
            return None
        if house.keys() <= moot_options(changed).keys():
            return None
        if self.passed_out and house.get("all_pass", "redeal") not in ("redeal", "pass_deal"):
            return self._reading(house, changed, missing=Missing.DEAL)
        before = self.before._replace(ruleset=changed)
        pair = RulePair(self.ruleset.carrying(before.carried), changed.carrying(before.carried))
        try:
            possible = possible_hands(pair, before.seats, self.result, self.budget)
            found, refused = self._play_each(before, possible)
        except (TooManyWays, NotCounted):
            missing = Missing.CARDS if self.hand.taken is None else Missing.DEFENDER
            return self._reading(house, changed, missing=missing)
        if len(found) > 1 or any(state.question for state in found):
            awards = open_awards(possible)
            return self._reading(house, changed, found, missing=self._missing(pair, awards), awards=awards)
        if found:
            return self._reading(house, changed, found)
        option = options().get(next(iter(house)))
        is_about_calls = option is not None and option.group in ("bidding", "moon")
        # Whether there is such a bid at all was plain to everybody when it was made.
        if not is_about_calls or any(item.fault.code == "no_such_bid" for item in refused):
            return None
        return self._reading(house, changed, faults=tuple(item.fault for item in refused))

    def _play_each(
        self, before: MatchState, possible: Sequence[PossibleHand]
    ) -> tuple[tuple[MatchState, ...], tuple[HandFault, ...]]:
        """Return in which ways the match may stand after the hand, and why it cannot have been so.

        A hand is played only as long as it may tell more: that the score is not known, or who wins is not.
        """
        states: dict[tuple[object, ...], MatchState] = {}
        refused: tuple[HandFault, ...] = ()
        deciding = frozenset(before.scores)
        tried: set[tuple[object, ...]] = set()
        for it in possible:
            what = _what_tells(it, deciding)
            if what in tried:
                continue
            tried.add(what)
            try:
                state = play_otherwise(before, it.hand, self.result, self.budget)
            except ImpossibleHand as impossible:
                refused = refused or impossible.faults
                continue
            if standing_key(state) in states:
                continue
            states[standing_key(state)] = state
            if state.question or len({found.winners for found in states.values()}) > 1:
                break
            if len(states) == 2 and not all(_counts_alike(found, self.state) for found in states.values()):
                # The score is not known, and is another: from here on only who wins is of interest.
                deciding = self._deciding(state, possible)
        return tuple(states.values()), refused

    def _deciding(self, after: MatchState, possible: Iterable[PossibleHand]) -> frozenset[SideId]:
        """Return the sides on whose points it depends who wins, given one of the ways in which the match may stand.

        Of those who count together it is the first. Where a match goes to a target, it is the bidders, and whoever may
        take every point, reach the target, or come too close to it for another to lead by enough; and `_SOMEBODY_ELSE`
        where it matters whether one side has all.
        """
        ruleset, sides = after.ruleset, after.results[-1].hand_sides
        winning, target = ruleset.winning, target_of(ruleset)
        assert sides is not None
        if (
            winning.length == "hands"
            or winning.set_limit
            or ruleset.given_awards
            or ruleset.in_place_of
            or ruleset.scoring.on_set == "bid_to_defenders"
            or ruleset.moon.moon in ("win_or_lose", "win_or_minus_target")
            or self.hand.card_points
            or (ruleset.counts_in_order and self.hand.points)
        ):
            return frozenset(after.scores)
        most: Counter[SideId] = Counter()
        for it in possible:
            most |= _took(ruleset, it)
        found = set(sides.bidders)
        if winning.four_points_win_game or isinstance(after.results[-1].bid, str):
            found.add(_SOMEBODY_ELSE)
        for lead, *others in sides.groups:
            if winning.four_points_win_game and most[lead] >= ruleset.points_per_hand:
                found.add(lead)
            if target is None or (winning.win_rule == "made_bid" and not winning.win_by):
                continue
            goal = comparable(ruleset, target)
            for now in (comparable(ruleset, self.before.scores[side]) for side in (lead, *others)):
                best = now + most[lead]
                if winning.defenders_stop_short:
                    best = min(best, max(goal - 1, now))
                if now < best >= goal - (winning.win_by or 0):
                    found.add(lead)
        return frozenset(found)

    def _missing(self, pair: RulePair, awards: Collection[AwardId]) -> Missing:
        """Return what is to be known where a hand may have been several."""
        if self.hand.taken is None:
            return Missing.CARDS
        if not self.state.results[-1].was_played:
            return Missing.PLAY
        if not awards:
            return Missing.FIRST_THERE if self.ruleset.winning.pegged else Missing.TRICKS
        is_counted = set(awards) == {pair.other.counted_award}
        if is_counted and self.ruleset.counted_award is None:
            return Missing.CARD_POINTS
        if any(pair.source.get(award_id) is None for award_id in awards):
            return Missing.TAKER
        if not is_counted:
            return Missing.DEFENDER
        return Missing.JOKER if pair.other.points.game_tie == "joker_breaks" else Missing.CARD_POINTS

    def _reading(
        self,
        house: Mapping[str, Any],
        changed: Ruleset,
        possible: tuple[MatchState, ...] = (),
        *,
        missing: Missing | None = None,
        awards: tuple[AwardId, ...] = (),
        faults: tuple[Fault, ...] = (),
    ) -> OtherReading:
        won_before = self._won_before(changed)
        if won_before is not None:
            # Whoever had won before is not always known; that somebody had is another end.
            is_same = bool(won_before.winners) and won_before.winners == self.state.winners
            effect = Effect.NOTHING if is_same else Effect.WINNER
        elif faults or missing is Missing.DEAL or (missing and not possible and "tie_rule" in house):
            effect = Effect.PERHAPS_WINNER
        else:
            effect = self._effect(possible, is_known=missing is None)
        return OtherReading(
            house=house,
            ruleset=changed,
            effect=effect,
            possible=possible,
            missing=missing,
            awards=awards or tuple(award_id for award_id in self.ruleset.in_play if award_id not in changed.in_play),
            faults=faults,
            won_before=won_before,
            is_agreed=any(map(self._is_agreed, house)),
            is_changed=any(map(self._is_changed, house)),
        )

    def _is_agreed(self, name: str) -> bool:
        if name in self.ruleset.joker_awards and "jokers" in self.agreed:
            return True
        return name in self.agreed or self._is_changed(name)

    def _is_changed(self, name: str) -> bool:
        return bool(self.ruleset.answer(name) != self.base.answer(name))

    def _effect(self, possible: Collection[MatchState], *, is_known: bool) -> Effect:
        ends = {state.winners for state in possible}
        if any(state.question for state in possible):
            return Effect.PERHAPS_WINNER
        if ends - {self.state.winners}:
            return Effect.WINNER if len(ends) == 1 else Effect.PERHAPS_WINNER
        if possible and all(_counts_alike(state, self.state) for state in possible):
            return Effect.NOTHING
        return Effect.SCORE if is_known else Effect.PERHAPS_SCORE

    def _won_before(self, changed: Ruleset) -> WonBefore | None:
        """Return who had won before the hand, where that is new under the other rules."""
        return won_before(self.before, self.ruleset, changed, self.budget)

    def undecided(self) -> tuple[OtherReading, ...]:
        """Return every answer to what is still to be agreed, where the answers decide something."""
        open_options = self.ruleset.open_options
        choices: dict[str, list[Any]] = {}
        if "target" in open_options:
            choices["target"] = list(usual_numbers(self.ruleset, QUESTIONS["target"]))
        if "win_rule" in open_options:
            choices["win_rule"] = list(options()["win_rule"].choices)
        houses = [dict(zip(choices, answers, strict=True)) for answers in product(*choices.values())]
        readings = [reading for house in houses if house and (reading := self._read(house))]
        # The table was still playing: it had no rule by which the match was over.
        readings = [reading for reading in readings if reading.won_before is None]
        decides = any(reading.winners for reading in readings)
        found = readings if decides else []
        if "all_pass" in open_options and self.has_all_passed:
            answers = options()["all_pass"].choices
            houses = [{"all_pass": answer} for answer in answers if answer not in _TOLD_ALIKE["all_pass"]]
            found += [reading for house in houses if (reading := self._read(house))]
        return tuple(found)

    @property
    def passed_out(self) -> HandResult | None:
        """The deal before this one, where everybody passed and it was dealt again."""
        last = self.before.results[-1] if self.before.results else None
        if last is None or last.status != "thrown_in":
            return None
        return None if last.hand.thrown_in in ("misdeal", "ran_out") else last

    @property
    def has_all_passed(self) -> bool:
        """Whether nobody bid, or the dealer alone when everybody else had passed."""
        auction = self.hand.auction or ()
        return self.hand.thrown_in == "all_passed" or bool(auction and all(call == PASS for _, call in auction[:-1]))

    @property
    def is_game_tied(self) -> bool:
        """Whether it is known that Game was tied: as it was entered, or by the card points of everybody."""
        game, taken, hand_sides = self.ruleset.counted_award, self.hand.taken or {}, self.result.hand_sides
        if game is None or hand_sides is None:
            return False
        sums = sums_by_group(self.state.seats, hand_sides, self.hand.card_points) or {}
        is_level = len(sums) == len(hand_sides.groups) and len(leading_groups(sums)) > 1
        return is_level or (game in taken and taken[game] is None)

    @property
    def is_tied(self) -> bool:
        """Whether several have reached the target, or the best scores after the last hand are tied."""
        winning = self.ruleset.winning
        if winning.length == "hands":
            is_last = self.state.scored >= (winning.hands or 0)
            return is_last and len(leading(self.ruleset, self.state.scores, self.state.scores)) > 1
        if winning.win_rule == "made_bid" and not (self.result.made and len(self.result.bidders) > 1):
            return False
        return len(self.state.standing.at_target) > 1


_TOLD_ALIKE: Mapping[str, tuple[str, ...]] = {
    "tie_rule": ("bidder_then_point_order", "higher_score_or_play_on"),
    "game_tie": ("non_dealer", "carried_over"),
    "all_pass": ("unobliged",),
}
"""Answers that say the same of most hands as another one does, or that a hand as it was written tells nothing of."""


_SOMEBODY_ELSE = ""
"""Any side that does not decide who wins."""


def _what_tells(possible: PossibleHand, deciding: frozenset[SideId]) -> tuple[object, ...]:
    """Return what tells a possible hand from the others, where all sides are alike but those that decide."""
    points = possible.hand.points
    if points is None:
        rows = possible.answers.values()
        return tuple(frozenset(it if it in deciding else _SOMEBODY_ELSE for it in row) & deciding for row in rows)
    named = [(side, number) for side, number in points.items() if side in deciding]
    rest = sorted(number for side, number in points.items() if side not in deciding)
    return (*named, *rest, possible.hand.all_tricks)


def _took(ruleset: Ruleset, possible: PossibleHand) -> Counter[SideId]:
    """Return how many points each side took in a possible hand; of those who count together, the first."""
    took = Counter(possible.hand.points)
    if possible.hand.points is None:
        for award_id, sides in possible.answers.items():
            worth = ruleset.awards[award_id].points if award_id in ruleset.in_play else 0
            took.update(dict.fromkeys(sides, worth))
    return took


def _counts_alike(one: MatchState, other: MatchState) -> bool:
    is_paid_alike = one.results[-1].payments == other.results[-1].payments
    return one.scores == other.scores and one.sets == other.sets and is_paid_alike


def won_before(before: MatchState, own: Ruleset, other: Ruleset, budget: Budget) -> WonBefore | None:
    """Return who had won before a hand, where that is new under other rules than a match's own.

    It looks at the scores from paper and at the end of every hand, as far back as the same rules of winning held.
    """
    if other.winning == own.winning:
        return None
    hands = [it for it in before.results if it.standing and it.status == "scored"]
    changed = next((at for at in range(len(hands), 0, -1) if hands[at - 1].ruleset.winning != own.winning), 0)
    hands = hands[changed:]
    begun, until = before, None
    if hands and (first := hands[0]).standing:
        scores, until = first.standing.before, first.number
        best_of_two = second_best(own, scores.values())
        begun = before._replace(scores=scores, scored=first.hands - 1, best_of_two=best_of_two)
    if _won_by(own, begun) is None and (winners := _won_by(other, begun)) is not None:
        return WonBefore(winners=winners, scores=begun.scores, until=until)
    for hand in hands:
        if hand.standing and hand.score and hand.hand_sides:
            standing, dealing = replace(hand.standing, ruleset=other), before.seats.side_of(hand.dealer)
            without, first_there = without_game(hand.hand), before.seats.side_of(hand.hand.first_there)
            sides, taken = hand.hand_sides, hand.taken
            end = HandEnd(standing, hand.score, sides, taken, {}, hand.hands, dealing, without, first_there)
            if decided := decide(end, budget):
                winners, rule = ((), "") if isinstance(decided, OpenEnd) else (decided.winners, decided.rule)
                return WonBefore(winners=winners, scores=hand.scores, after=hand.number, took_all=rule == "all_points")
    return None


def _won_by(ruleset: Ruleset, before: MatchState) -> tuple[SideId, ...] | None:
    """Return who had won by the scores before a hand; empty where somebody had, but they do not tell who."""
    winning = ruleset.winning
    if winning.length == "hands":
        ended = by_hands(ruleset, before.scores, before.scored)
        return ended.winners if ended else None
    if winning.win_rule != "first_to_target":
        return None
    standing = Standing(ruleset, before.scores, before.scores, best_of_two=before.best_of_two)
    is_open = winning.tie_rule in ("another_hand", "bidder_or_play_on") and len(standing.at_target) > 1
    there = [side.side for side in standing.candidates]
    if is_open or not there:
        return None
    leaders = leading(ruleset, before.scores, there)
    if winning.tie_rule == "higher_score_or_play_on" and len(leaders) > 1:
        return None
    by_score = winning.tie_rule in ("higher_score", "higher_score_or_play_on")
    is_told = len(there) == 1 or (by_score and len(leaders) == 1)
    return leaders if is_told else ()
