"""The form of a new match: names round the table, the first dealer, and what the table agreed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from scorekeeper.engine.match import dealer_who_lost
from scorekeeper.engine.seats import NAMES_JOINED
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.limits import MOST_HANDS
from scorekeeper.ledger.setup import MARKS, STANDING_NAMES
from scorekeeper.records.record import HIGHEST_SCORE
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.house_rules import with_house
from scorekeeper.rules.options import LOW, options, read_award
from scorekeeper.rules.questions import QUESTIONS, RuleKey, to_agree, value_of, word_of
from scorekeeper.rules.schema import Ruleset

ANSWER_PREFIX, SEAT_PREFIX, SIDE_PREFIX, MARK_PREFIX = "house-", "seat-", "side-", "mark-"
OTHER_PREFIX = "other-"
"""Before an option: a number that is typed, where the usual ones do not fit."""
PAPER_SCORE_PREFIX, PAPER_SETS_PREFIX, PAPER_HANDS_FIELD = "paper-score-", "paper-sets-", "paper-hands"
"""What a table brings from paper; a side's place from 0 follows the first two."""
SEATING_FIELD, TITLE_FIELD = "seating", "title"
SEATS_FIELD, CHAIRS_FIELD = "seats", "chairs"
"""How many sit down as a link or a button says it, and as the page has it."""
PARTNERS, ALONE = "partners", "alone"
PICK_FIELD, NEW_PICK_FIELD, DEALER_FIELD = "pick", "new-pick", "dealer"
IN_TURN_FIELD, LOSER_FIELD = "in-turn", "lost"
"""Who would deal first, from 0, when the deal goes on in turn, and when the loser deals."""
CUT, LOSER, NEXT = "cut", "loser", "next"
PICKS = (NEXT, LOSER, CUT)
"""How the first dealer of another match is found."""


@dataclass(frozen=True, kw_only=True)
class TableForm:
    """What has been typed and tapped so far."""

    ruleset: Ruleset
    """The rules that the table came with: those of the book, or a house's own."""
    own: Mapping[str, Any] = field(default_factory=dict)
    """What a house's own rules answer otherwise than the book."""
    link: Mapping[str, Any] = field(default_factory=dict)
    """What a link answers otherwise than these rules; it fits together."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """What the table tapped or typed, by option, in the words of the form. It goes before the link."""
    names: tuple[str, ...]
    """One for each seat, clockwise; empty where nothing was typed."""
    side_names: tuple[str, ...]
    """One for each side of partners; empty where it is named after its players."""
    dealer: int | None = 0
    """The seat that deals first, from 0; `None` until somebody has cut for it."""
    pick: str = ""
    """How the first dealer is found where the same people play again; empty at a new table."""
    in_turn: int = 0
    """The seat that deals first when the deal goes on in turn."""
    lost: int | None = None
    """The seat that deals first when the loser deals; `None` where nobody lost."""
    seating: str = PARTNERS
    """How a table sits that may play with partners or alone."""
    unreadable: Mapping[str, str] = field(default_factory=dict)
    """What was typed for another number, by option, and is none that can be agreed."""
    paper_scores: tuple[str, ...] = ()
    """The scores so far, as they were typed, for each side in its order."""
    paper_sets: tuple[str, ...] = ()
    paper_hands: str = ""
    title: str = ""
    marks: tuple[int, ...] = ()
    """The markers that the sides had last time, in their order."""

    @property
    def is_unnamed(self) -> bool:
        """Whether nobody said who sits where."""
        return not any(self.names)

    @property
    def has_choice_of_seating(self) -> bool:
        """Whether so many may play with partners or alone."""
        table = self.ruleset.table
        return len(self.names) in table.partners and table.fewest <= len(self.names) <= table.most

    @property
    def side_count(self) -> int:
        """How many sides of partners there are; 0 where everyone plays alone."""
        if self.has_choice_of_seating and self.seating == ALONE:
            return 0
        return self.ruleset.table.partners.get(len(self.names), 0)

    @property
    def teams(self) -> tuple[tuple[str, ...], ...]:
        """Who plays on each side of partners."""
        return tuple(() if self.is_unnamed else self.names[i :: self.side_count] for i in range(self.side_count))

    @property
    def players(self) -> tuple[str, ...] | None:
        """Who sits where, as a match begins with it."""
        return None if self.is_unnamed and self.side_count else self.names

    @property
    def sides(self) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
        """The sides and who plays on them, as a match begins with them; `None` where the rules say it all."""
        if not self.side_count:
            return None
        if not self.is_unnamed and not any(self.side_names) and not self.has_choice_of_seating:
            return None
        return self.named_sides

    @property
    def named_sides(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The sides of partners, each under its name, and who plays on them."""
        return tuple(
            (name or NAMES_JOINED.join(filter(None, team)) or usual, team)
            for name, team, usual in zip(self.side_names, self.teams, self.usual_names, strict=True)
        )

    @property
    def usual_names(self) -> tuple[str, ...]:
        """What the sides of partners are called where nobody types a name."""
        if self.side_count == len(STANDING_NAMES):
            return STANDING_NAMES
        return tuple(f"Side {i}" for i in range(1, self.side_count + 1))

    @property
    def side_names_in_order(self) -> tuple[str, ...]:
        """What each side, or each player alone, is called as the match begins; a seat without a name by its number."""
        if self.side_count:
            return tuple(name for name, _ in self.named_sides)
        return tuple(name or f"Seat {i}" for i, name in enumerate(self.names, 1))

    @property
    def asks_sets(self) -> bool:
        """Whether it matters in this game how often a side was set."""
        ruleset = self.played
        return bool(ruleset.winning.set_limit or ruleset.money.set_stake_cents) or "set_stake_cents" in ruleset.to_agree

    @property
    def start(self) -> dict[str, Any]:
        """What the match brings from paper, as a record has it; only where there is no fault in it."""
        names = self.side_names_in_order

        def by_side(typed: Sequence[str]) -> dict[str, int]:
            numbers = zip(names, map(_whole, typed), strict=False)
            return {name: number for name, number in numbers if number is not None}

        start = {
            "scores": by_side(self.paper_scores),
            "hands": _whole(self.paper_hands),
            "sets": by_side(self.paper_sets if self.asks_sets else ()),
        }
        return {key: told for key, told in start.items() if told}

    @property
    def first_dealer(self) -> str | None:
        """Who deals first: a player, or a side where nobody said who sits where."""
        if self.dealer is None:
            return None
        if not self.is_unnamed:
            return self.names[self.dealer] or None
        return self.sides[self.dealer % len(self.sides)][0] if self.sides else None

    def picked(self, pick: str) -> "TableForm":
        """Return the form with the first dealer that this way of finding one comes to."""
        in_turn_if_nobody_lost = self.in_turn if self.lost is None else self.lost
        dealers = {CUT: None, LOSER: in_turn_if_nobody_lost}
        return replace(self, pick=pick, dealer=dealers.get(pick, self.in_turn))

    @cached_property
    def asked_about(self) -> Ruleset:
        """The rules that the page asks about: those that the table came with, as the link has them."""
        return with_house(self.ruleset, self.link)[0]

    @property
    def has_worth_of_low(self) -> bool:
        """Whether it is answered already what Low is worth: beside it nobody is asked who scores it."""
        answer = {**self.own, **self.link}.get(LOW)
        return RuleKey.of_answer(LOW, answer).is_worth

    @property
    def house(self) -> dict[str, Any]:
        """The answers that differ from the rules; one to an option that does not exist is left to be refused."""
        tapped = {
            name: value_in(self.ruleset, name, word)
            for name, word in self.answers.items()
            if name not in options() or word_of(self.asked_about.answer(name)) != word
        }
        stated = {**self.link, **tapped}
        wanted, faults = with_house(self.ruleset, stated)
        if faults:
            return stated
        for name in self.link:
            rest = {other: answer for other, answer in stated.items() if other != name}
            if _restates(self.ruleset, name, stated[name]) and with_house(self.ruleset, rest) == (wanted, []):
                stated = rest
        return stated

    @property
    def played(self) -> Ruleset:
        """The rules with everything that was answered."""
        return _with_answers(self.ruleset, self.house)

    def find_faults(self) -> Iterator[Fault]:
        """Find the seats that still need a name, and what the sources leave open and nobody agreed on yet."""
        if self.players is not None:
            for i, name in enumerate(self.names):
                if not name:
                    yield Fault(f"players.{i}", "no_name", f"Seat {i + 1} needs a name.")
        if self.dealer is None:
            yield Fault(DEALER_FIELD, "no_dealer", "Cut for the deal, then tap the D of whoever deals first.")
        for question in to_agree(self.asked_about):
            if self.answers.get(question.option, "none") == "none" and question.option not in self.unreadable:
                message = f"{question.ask(self.ruleset)} The standard rules leave it up to you."
                yield Fault(f"house.{question.option}", "to_agree", message)
        for option in self.unreadable:
            lowest, highest = RuleKey(option).limits
            title = QUESTIONS[option].title(self.ruleset)
            message = f"{title}: type a whole number from {lowest} to {highest}."
            yield Fault(f"house.{option}", "bad_value", message)
        yield from self._paper_faults()

    def _paper_faults(self) -> Iterator[Fault]:
        names = self.side_names_in_order
        for i, (name, text) in enumerate(zip(names, self.paper_scores, strict=False)):
            number = _whole(text)
            if text and (number is None or abs(number) > HIGHEST_SCORE):
                message = f"The score of {name}: type a whole number, like 12 or −3."
                yield Fault(f"start.scores.{i}", "bad_value", message)
        counts = [
            (f"start.sets.{i}", f"How often {name} went set", text)
            for i, (name, text) in enumerate(zip(names, self.paper_sets, strict=False))
        ]
        for path, what, text in (("start.hands", "Hands played", self.paper_hands), *counts):
            number = _whole(text)
            if text and (number is None or not 0 <= number <= MOST_HANDS):
                yield Fault(path, "bad_value", f"{what}: type a whole number from 0 to {MOST_HANDS}.")


def value_in(ruleset: Ruleset, name: str, word: str) -> object:
    """Return an answer as the rules have it: an award is on or off, and not "yes" or "no"."""
    return word == "yes" if name in ruleset.awards and word in ("yes", "no") else value_of(word)


def _restates(ruleset: Ruleset, name: str, answer: object) -> bool:
    """Return whether an answer that can be read is the one that the rules have."""
    key = RuleKey.of_answer(name, answer)
    read = read_award(answer) if key.is_worth else options()[name].read(answer)
    return bool(read == key.answer_in(ruleset))


def _with_answers(ruleset: Ruleset, answers: Mapping[str, Any]) -> Ruleset:
    """Return rules with a house's answers; without them where they cannot stand together."""
    changed, faults = with_house(ruleset, answers)
    return ruleset if faults else changed


def empty_form(ruleset: Ruleset, seats: int | None = None) -> TableForm:
    """Return an empty table, of the usual size unless so many may sit down."""
    table, counts = ruleset.table, ruleset.table.player_counts
    if seats not in counts:
        seats = 4 if 4 in counts else counts[0]
    return TableForm(
        ruleset=ruleset,
        names=("",) * seats,
        side_names=("",) * table.partners.get(seats, 0),
        seating=ALONE if table.most and not table.open else PARTNERS,
    )


def read_form(
    ruleset: Ruleset,
    posted: Mapping[str, str],
    *,
    own: Mapping[str, Any] | None = None,
    link: Mapping[str, Any] | None = None,
) -> TableForm:
    """Return the form that was posted; seats that it did not have yet are empty.

    `own` is what a house's own rules answer, `link` what the link does that led here.
    """
    empty = empty_form(ruleset, _number(posted.get(SEATS_FIELD, "")) or _number(posted.get(CHAIRS_FIELD, "")))
    pick = posted.get(PICK_FIELD, "")
    pick = pick if pick in PICKS else ""
    dealer = _seat(posted, DEALER_FIELD, len(empty.names))
    seating = posted.get(SEATING_FIELD, empty.seating)
    answers = {
        name.removeprefix(ANSWER_PREFIX): word for name, word in posted.items() if name.startswith(ANSWER_PREFIX)
    }
    typed, unreadable = _typed_numbers(posted)
    count = len(empty.names)
    marks = [posted[name] for i in range(MARKS) if (name := f"{MARK_PREFIX}{i}") in posted]
    return replace(
        empty,
        names=tuple(_tidy(posted.get(f"{SEAT_PREFIX}{i}", "")) for i in range(len(empty.names))),
        side_names=tuple(_tidy(posted.get(f"{SIDE_PREFIX}{i}", "")) for i in range(len(empty.side_names))),
        dealer=0 if dealer is None and pick != CUT else dealer,
        pick=pick,
        in_turn=_seat(posted, IN_TURN_FIELD, len(empty.names)) or 0,
        lost=_seat(posted, LOSER_FIELD, len(empty.names)),
        seating=ALONE if seating == ALONE else PARTNERS,
        answers={name: word for name, word in {**answers, **typed}.items() if word},
        unreadable=unreadable,
        paper_scores=tuple(_tidy(posted.get(f"{PAPER_SCORE_PREFIX}{i}", "")) for i in range(count)),
        paper_sets=tuple(_tidy(posted.get(f"{PAPER_SETS_PREFIX}{i}", "")) for i in range(count)),
        paper_hands=_tidy(posted.get(PAPER_HANDS_FIELD, "")),
        title=_tidy(posted.get(TITLE_FIELD, "")),
        marks=tuple(_number(mark) or 0 for mark in marks),
    )


def _typed_numbers(posted: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the numbers that were typed, by option: those that can be agreed, and what is none."""
    typed = {
        name.removeprefix(OTHER_PREFIX): _tidy(text) for name, text in posted.items() if name.startswith(OTHER_PREFIX)
    }
    numbers: dict[str, str] = {}
    unreadable: dict[str, str] = {}
    for option, text in typed.items():
        if text and option in options() and QUESTIONS[option].is_number:
            lowest, highest = RuleKey(option).limits
            number = _whole(text)
            if number is not None and lowest <= number <= highest:
                numbers[option] = str(number)
            else:
                unreadable[option] = text
    return numbers, unreadable


def _seat(posted: Mapping[str, str], field: str, seats: int) -> int | None:
    """Return the seat that a field names, from 0; `None` where there is none like that."""
    number = _number(posted.get(field, ""))
    return number if number is not None and number < seats else None


def form_of_match(match: Match, ruleset: Ruleset, pick: str) -> TableForm:
    """Return everybody's seat in a match, and the first dealer of the next one as it is found by `pick`."""
    seats, names = match.state.seats, match.names_now
    players = tuple(names[seat] for seat in seats.players) or ("",) * next(
        iter(ruleset.table.partners), len(seats.sides)
    )
    side_names = [match.setup.chosen_name(side, match.log.renamed) or "" for side in match.setup.sides]
    empty = empty_form(ruleset, len(players))
    is_alone = all(side.seats == (side.id,) for side in seats.sides)
    chairs, lost = seats.chairs, dealer_who_lost(match.counted)
    form = replace(
        empty,
        names=players,
        side_names=tuple(side_names) if len(side_names) == len(empty.side_names) else empty.side_names,
        in_turn=chairs.index(match.state.dealer) if match.state.dealer in chairs else 0,
        lost=chairs.index(lost) if lost else None,
        seating=ALONE if is_alone else PARTNERS,
        title=match.title,
        marks=tuple(match.marks.values()),
    )
    return form.picked(pick)


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else None


def _whole(text: str) -> int | None:
    """Read a whole number, which may be below zero; `None` where it is none."""
    plain = text.replace("−", "-").replace("–", "-").replace(" ", "")
    return int(plain) if re.fullmatch(r"[+-]?[0-9]{1,9}", plain) else None
