"""The form of a new match: its rules, seats, first dealer, and the house rules that the table agreed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar
from urllib.parse import urlencode

from flask import abort, request, url_for

from scorekeeper.matches.fold import Match
from scorekeeper.matches.setup import DEFAULT_SIDE_NAMES
from scorekeeper.pitch.drawings.markers import NUMBER_OF_MARKS
from scorekeeper.pitch.records.record import MAX_SCORE
from scorekeeper.pitch.rules.awards import OWN_AWARD_IDS
from scorekeeper.pitch.rules.entered_text import (
    MAX_HANDS,
    fields_with_prefix,
    normalize_line_breaks,
    normalize_spaces,
    parse_whole_number,
)
from scorekeeper.pitch.rules.faults import Fault, shorten
from scorekeeper.pitch.rules.house_rules import HouseRules, add_answers, with_house, without_moot_answers
from scorekeeper.pitch.rules.options import LOW, moot_options, options, parse_award_answer
from scorekeeper.pitch.rules.phrases import player_counts_text
from scorekeeper.pitch.rules.questions import (
    QUESTIONS,
    RuleKey,
    answer_word,
    parse_word,
    possible_answers,
    unanswered_questions,
)
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import BadCode
from scorekeeper.pitch.scoring.match import first_loser_clockwise
from scorekeeper.pitch.scoring.seats import NAME_SEPARATOR
from scorekeeper.pitch.text.phrases import PRONOUN_LETTERS
from scorekeeper.web.library import ResolvedRules, library, shared_rules, variant_or_404

ANSWER_PREFIX, SEAT_PREFIX, SIDE_PREFIX = "house-", "seat-", "side-"
OTHER_PREFIX = "other-"
"""The prefix of the field for a number that is not among the usual ones; the option follows."""
SEATING_FIELD, TITLE_FIELD, BOOK_FIELD = "seating", "title", "book"
DAY_FIELD, VENUE_FIELD, NOTE_FIELD = "played_on", "place", "note"
SEATS_FIELD, CHAIRS_FIELD = "seats", "chairs"
"""The field of the number of players that a link or button requests, and of the number on the page."""
PARTNERS, ALONE = "partners", "alone"
DEALER_FIELD = "dealer"
CODE_FIELD = "r"
"""The field with the share code of the house rules."""
CUT_FOR_DEAL, LOSER_DEALS, NEXT_IN_TURN = "cut", "loser", "next"
DEALER_PICKS = (NEXT_IN_TURN, LOSER_DEALS, CUT_FOR_DEAL)
"""The ways to find the first dealer of a rematch."""


@dataclass(frozen=True, kw_only=True)
class PaperScores:
    """The scores, sets and hands of a match begun elsewhere, as typed."""

    prefix: str = ""
    """The prefix of the names of their fields."""
    highest_score: int
    """The highest score; the lowest is its negative."""
    fault_ending: str
    """The end of the error message after "type a whole number"."""
    typed: Mapping[str, str] = field(default_factory=dict)
    """The text of each field: the score of each side, how often each side was set, and the hands played."""
    count_length: ClassVar = len(str(MAX_HANDS))
    """The number of characters of the largest number of hands."""

    @property
    def score_prefix(self) -> str:
        """The prefix of the field for a side's score; the side's index follows."""
        return f"{self.prefix}score-"

    @property
    def sets_prefix(self) -> str:
        """The prefix of the field for how often a side was set; the side's index follows."""
        return f"{self.prefix}sets-"

    @property
    def hands_field(self) -> str:
        """The field for the number of hands played."""
        return f"{self.prefix}hands"

    @property
    def score_length(self) -> int:
        """The number of characters of the longest score."""
        return len(str(-self.highest_score))

    @property
    def is_typed(self) -> bool:
        """Whether any number is typed."""
        return any(self.typed.values())

    def read(self, fields: Mapping[str, str], side_count: int) -> "PaperScores":
        """Return the numbers in a posted form, as typed, for `side_count` sides."""
        by_side = (f"{prefix}{i}" for prefix in (self.score_prefix, self.sets_prefix) for i in range(side_count))
        return replace(
            self, typed={name: normalize_spaces(fields.get(name, "")) for name in (*by_side, self.hands_field)}
        )

    def start(self, sides: Sequence[str], *, asks_sets: bool = True) -> dict[str, object]:
        """Return the start of a match as in a record, given its sides' names; valid only if `faults` yields none."""

        def by_side(prefix: str) -> dict[str, int]:
            numbers = {side: parse_whole_number(self.typed[f"{prefix}{i}"]) for i, side in enumerate(sides)}
            return {side: number for side, number in numbers.items() if number is not None}

        sets = by_side(self.sets_prefix) if asks_sets else {}
        start = {
            "scores": by_side(self.score_prefix),
            "hands": parse_whole_number(self.typed[self.hands_field]),
            "sets": sets,
        }
        return {key: numbers for key, numbers in start.items() if numbers}

    def faults(self, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield the field and the message of each fault, given the names of the sides."""
        for i, name in enumerate(names):
            text = self.typed[f"{self.score_prefix}{i}"]
            number = parse_whole_number(text)
            if text and (number is None or abs(number) > self.highest_score):
                yield f"{self.score_prefix}{i}", f"The score of {name}: type a whole number{self.fault_ending}."
        often = ((f"{self.sets_prefix}{i}", f"How often {name} went set") for i, name in enumerate(names))
        for field_name, what in ((self.hands_field, "Hands played"), *often):
            text = self.typed[field_name]
            number = parse_whole_number(text)
            if text and (number is None or not 0 <= number <= MAX_HANDS):
                yield field_name, f"{what}: type a whole number from 0 to {MAX_HANDS}."


EMPTY_PAPER_SCORES = PaperScores(prefix="paper-", highest_score=MAX_SCORE, fault_ending=", like 12 or −3")
"""The scores that a new match carries over from paper, all empty."""


@dataclass(frozen=True, kw_only=True)
class NewMatchForm:
    """The form of a new match, as filled in so far."""

    ruleset: Ruleset
    """The rules before any answer: a published game, or house rules."""
    url_answers: Mapping[str, object] = field(default_factory=dict)
    """The answers in the URL that differ from `ruleset`; they are valid together."""
    answers: Mapping[str, str]
    """The answers tapped or typed, by option, as words of the form; they override `url_answers`."""
    names: tuple[str, ...]
    """The name at each seat, clockwise; empty where none is typed."""
    side_names: tuple[str, ...]
    """The name of each side of partners; empty for a side named after its players."""
    dealer: int | None
    """The index of the seat that deals first; `None` until the players have cut for the deal."""
    pick: str
    """How the first dealer of a rematch is found, one of `DEALER_PICKS`; empty for new players."""
    dealer_in_turn: int
    """The index of the seat that deals first in a rematch if the deal goes on in turn."""
    dealer_if_loser: int | None
    """The index of the seat that deals first in a rematch if the loser deals; `None` without a loser."""
    seating: str
    """`partners` or `alone`, where the game allows both."""
    unreadable: Mapping[str, str]
    """The texts typed for a number that are not valid ones, by option."""
    paper: PaperScores
    title: str
    played_on: str
    """The day as typed; empty for today."""
    venue: str
    note: str
    book: str
    """The code of the link to the chosen book; empty where none is chosen."""
    marks: tuple[int, ...]
    """The numbers of the sides' markers in the last match, in order."""

    @property
    def is_unnamed(self) -> bool:
        """Whether no seat has a name."""
        return not any(self.names)

    @property
    def has_choice_of_seating(self) -> bool:
        """Whether this number of players may play either with partners or alone."""
        table = self.ruleset.table
        return len(self.names) in table.partners and table.fewest <= len(self.names) <= table.most

    @property
    def side_count(self) -> int:
        """The number of sides of partners; 0 where everyone plays alone."""
        if self.has_choice_of_seating and self.seating == ALONE:
            return 0
        return self.ruleset.table.partners.get(len(self.names), 0)

    @property
    def score_count(self) -> int:
        """The number of scores: of sides of partners, or of players alone."""
        return self.side_count or len(self.names)

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The name at each seat when the match begins; "Seat 2" where none is typed."""
        return tuple(name or f"Seat {i}" for i, name in enumerate(self.names, 1))

    @property
    def teams(self) -> tuple[tuple[str, ...], ...]:
        """The players on each side of partners."""
        return tuple(() if self.is_unnamed else self.seat_names[i :: self.side_count] for i in range(self.side_count))

    @property
    def players(self) -> tuple[str, ...] | None:
        """The players by seat with which the match begins; `None` where only its sides are known."""
        return None if self.is_unnamed and self.side_count else self.seat_names

    @property
    def unnamed(self) -> tuple[str, ...]:
        """The players who have no name."""
        players_and_names = zip(self.players or (), self.names, strict=False)
        return tuple(player for player, name in players_and_names if not name)

    @property
    def sides(self) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
        """The sides and players with which the match begins; `None` where the rules derive them from the seats."""
        if not self.side_count:
            return None
        if not self.is_unnamed and not any(self.side_names) and not self.has_choice_of_seating:
            return None
        return self.named_sides

    @property
    def named_sides(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The name and the players of each side of partners."""
        return tuple(
            (name or NAME_SEPARATOR.join(team) or usual, team)
            for name, team, usual in zip(self.side_names, self.teams, self.usual_names, strict=True)
        )

    @property
    def usual_names(self) -> tuple[str, ...]:
        """The default names of the sides of partners."""
        if self.side_count == len(DEFAULT_SIDE_NAMES) and not any(self.side_names):
            return DEFAULT_SIDE_NAMES
        return tuple(f"Side {i}" for i in range(1, self.side_count + 1))

    @property
    def side_names_in_order(self) -> tuple[str, ...]:
        """The name of each side, or of each player alone, with which the match begins."""
        return tuple(name for name, _ in self.named_sides) if self.side_count else self.seat_names

    @property
    def shown_names(self) -> tuple[str, ...]:
        """The name of each side, or of each player alone, on the page: two sides without names are "We" and "They"."""
        has_pronouns = self.is_unnamed and self.usual_names == DEFAULT_SIDE_NAMES
        return tuple(PRONOUN_LETTERS["we"]) if has_pronouns else self.side_names_in_order

    @property
    def asks_sets(self) -> bool:
        """Whether the rules depend on how often a side was set, so that the form asks for it."""
        ruleset = self.played_rules
        return bool(ruleset.winning.set_limit or ruleset.money.set_stake_cents) or "set_stake_cents" in ruleset.to_agree

    @property
    def start(self) -> dict[str, object]:
        """The scores, sets and hands carried over from paper, as in a record; valid only without faults."""
        return self.paper.start(self.side_names_in_order, asks_sets=self.asks_sets)

    @property
    def first_dealer(self) -> str | None:
        """The player who deals first, or the side where only the sides are known; `None` before the cut."""
        if self.dealer is None:
            return None
        names = self.players or self.side_names_in_order
        return names[self.dealer % len(names)]

    @property
    def first_chair(self) -> int | None:
        """The index of the seat that deals first, if no side or player has a name; else `None`."""
        return None if self.players or any(self.side_names) else self.dealer

    def with_pick(self, pick: str) -> "NewMatchForm":
        """Return the form with this way of finding the first dealer, and the dealer found by it."""
        in_turn_if_nobody_lost = self.dealer_in_turn if self.dealer_if_loser is None else self.dealer_if_loser
        dealers = {CUT_FOR_DEAL: None, LOSER_DEALS: in_turn_if_nobody_lost}
        return replace(self, pick=pick, dealer=dealers.get(pick, self.dealer_in_turn))

    @cached_property
    def rules_with_url_answers(self) -> Ruleset:
        """The rules that the page's questions are about: `ruleset` with `url_answers`."""
        return with_house(self.ruleset, self.url_answers)[0]

    def is_moot(self, option: str, win_rule: str | None = None) -> bool:
        """Return whether an option decides nothing under this `win_rule`, or by default under every possible one."""
        ruleset = self.rules_with_url_answers
        answers = (win_rule,) if win_rule else possible_answers(ruleset, "win_rule")
        rules = [ruleset.copy_with(winning=ruleset.winning.copy_with(win_rule=rule)) for rule in answers]
        return all(option in moot_options(other, self.score_count) for other in rules or (ruleset,))

    @property
    def house(self) -> dict[str, object]:
        """The answers that differ from `ruleset` and decide something; an unknown option is kept, to be refused."""
        tapped = {
            name: parse_answer(self.ruleset, name, word)
            for name, word in self.answers.items()
            if name not in options() or answer_word(self.rules_with_url_answers.answer(name)) != word
        }
        stated = {**self.url_answers, **tapped}
        stated = without_moot_answers(self.ruleset, stated, self.score_count)
        agreed, faults = with_house(self.ruleset, stated)
        if faults:
            return stated
        for name in [name for name in self.url_answers if name in stated]:
            other_answers = {other: answer for other, answer in stated.items() if other != name}
            if _repeats_rules(self.ruleset, name, stated[name]) and with_house(self.ruleset, other_answers) == (
                agreed,
                [],
            ):
                stated = other_answers
        return stated

    @cached_property
    def played_rules(self) -> Ruleset:
        """The rules of the match: `ruleset` with all answers, or without any if these contradict each other."""
        changed, faults = with_house(self.ruleset, self.house)
        return self.ruleset if faults else changed

    def find_faults(self) -> Iterator[Fault]:
        """Yield the faults of the form: no first dealer, a question that has to be answered, or an invalid number."""
        if self.dealer is None:
            yield Fault(DEALER_FIELD, "no_dealer", "Cut for the deal, then tap the D of whoever deals first.")
        for question in unanswered_questions(self.rules_with_url_answers):
            if self.is_moot(question.option):
                continue
            if self.answers.get(question.option, "none") == "none" and question.option not in self.unreadable:
                message = f"{question.question_text(self.ruleset)} The printed rules leave it up to you."
                yield Fault(f"house.{question.option}", "to_agree", message)
        for option in self.unreadable:
            lowest, highest = RuleKey(option).limits
            title = QUESTIONS[option].title(self.ruleset)
            message = f"{title}: type a whole number from {lowest} to {highest}."
            yield Fault(f"house.{option}", "bad_value", message)
        for field_name, message in self.paper.faults(self.shown_names):
            yield Fault(field_name, "bad_value", message)


def parse_answer(ruleset: Ruleset, name: str, word: str) -> object:
    """Parse a word of the form as the answer to an option; for an award "yes" and "no" are booleans."""
    return word == "yes" if name in ruleset.awards and word in ("yes", "no") else parse_word(word)


def _repeats_rules(ruleset: Ruleset, name: str, answer: object) -> bool:
    """Return whether an answer is that of the rules anyway, or is about a point of a family's own."""
    if name in OWN_AWARD_IDS:
        return True
    key = RuleKey.of_answer(name, answer)
    read = parse_award_answer(answer) if key.is_worth else options()[name].parse_answer(answer)
    return bool(read == key.current_answer(ruleset))


def read_form(ruleset: Ruleset, posted: Mapping[str, str]) -> NewMatchForm:
    """Parse a posted form; what is missing or invalid is empty, or has the usual value of the game."""
    table, counts = ruleset.table, ruleset.table.player_counts
    seats = _parse_small_number(posted.get(SEATS_FIELD, "")) or _parse_small_number(posted.get(CHAIRS_FIELD, ""))
    if seats not in counts:
        seats = 4 if 4 in counts else counts[0]
    pick = posted.get("pick", "")
    pick = pick if pick in DEALER_PICKS else ""
    dealer = _posted_seat(posted, DEALER_FIELD, seats)
    seating = posted.get(SEATING_FIELD, ALONE if table.most and not table.open else PARTNERS)
    typed, unreadable = _typed_numbers(posted)
    return NewMatchForm(
        ruleset=ruleset,
        names=tuple(normalize_spaces(posted.get(f"{SEAT_PREFIX}{i}", "")) for i in range(seats)),
        side_names=tuple(
            normalize_spaces(posted.get(f"{SIDE_PREFIX}{i}", "")) for i in range(table.partners.get(seats, 0))
        ),
        dealer=0 if dealer is None and pick != CUT_FOR_DEAL else dealer,
        pick=pick,
        dealer_in_turn=_posted_seat(posted, "in-turn", seats) or 0,
        dealer_if_loser=_posted_seat(posted, "lost", seats),
        seating=ALONE if seating == ALONE else PARTNERS,
        answers={**fields_with_prefix(posted, ANSWER_PREFIX), **typed},
        unreadable=unreadable,
        paper=EMPTY_PAPER_SCORES.read(posted, seats),
        title=normalize_spaces(posted.get(TITLE_FIELD, "")),
        played_on=normalize_spaces(posted.get(DAY_FIELD, "")),
        venue=normalize_spaces(posted.get(VENUE_FIELD, "")),
        note=normalize_line_breaks(posted.get(NOTE_FIELD, "")),
        book=posted.get(BOOK_FIELD, ""),
        marks=tuple(
            _parse_small_number(posted[name]) or 0 for i in range(NUMBER_OF_MARKS) if (name := f"mark-{i}") in posted
        ),
    )


def _typed_numbers(posted: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the valid numbers in the fields for another number, by option, and the texts there that are not valid."""
    numbers: dict[str, str] = {}
    unreadable: dict[str, str] = {}
    for option, text in fields_with_prefix(posted, OTHER_PREFIX, options()).items():
        if QUESTIONS[option].is_number:
            lowest, highest = RuleKey(option).limits
            number = parse_whole_number(text)
            if number is not None and lowest <= number <= highest:
                numbers[option] = str(number)
            else:
                unreadable[option] = normalize_spaces(text)
    return numbers, unreadable


def _posted_seat(posted: Mapping[str, str], field: str, seat_count: int) -> int | None:
    """Return the index of the seat in a form field; `None` without a valid one."""
    number = _parse_small_number(posted.get(field, ""))
    return number if number is not None and number < seat_count else None


def form_of_match(match: Match, ruleset: Ruleset, pick: str) -> NewMatchForm:
    """Return the form of a rematch: all on the same seats, with the dealer found by `pick`, one of `DEALER_PICKS`."""
    seats, names = match.state.seats, match.names_now
    renamed = match.log.renamed
    players = tuple("" if match.setup.is_nameless(player, renamed) else names[player] for player in seats.players)
    if not players:
        sizes = (size for size, sides in ruleset.table.partners.items() if sides == len(seats.sides))
        players = ("",) * next(sizes, len(seats.sides))
    side_names = [match.setup.chosen_name(side, renamed) or "" for side in match.setup.sides]
    empty = read_form(ruleset, {SEATS_FIELD: str(len(players))})
    is_alone = all(side.seats == (side.id,) for side in seats.sides)
    chairs, lost = seats.chairs, first_loser_clockwise(match.state)
    form = replace(
        empty,
        names=players,
        side_names=tuple(side_names) if len(side_names) == len(empty.side_names) else empty.side_names,
        dealer_in_turn=chairs.index(match.state.dealer) if match.state.dealer in chairs else 0,
        dealer_if_loser=chairs.index(lost) if lost else None,
        seating=ALONE if is_alone else PARTNERS,
        title=match.title,
        venue=match.occasion.venue,
        marks=tuple(match.marks.values()),
    )
    return form.with_pick(pick)


def _parse_small_number(text: str) -> int | None:
    """Parse a number of one or two digits; `None` for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else None


# ---------- the rules of an address, and what its link answers otherwise ----------


@dataclass(frozen=True, kw_only=True)
class NewMatchRules(ResolvedRules):
    """The rules of a new match before its form is filled in: a variant or house rules, and the answers in the URL."""

    url_answers: Mapping[str, object] = field(default_factory=dict)
    """The answers in the URL that differ from `ruleset`, by option or award."""
    left_out: tuple[str, ...] = ()
    """A sentence for each part of the URL that is left out, as it cannot be played."""
    url: str
    """The URL of the form with these rules."""
    is_end_of_changes: bool = False
    """Whether these are the last rules of an earlier match that changed its rules."""

    @property
    def named_rules(self) -> HouseRules | None:
        """The house rules; `None` for a published game."""
        return self.house if self.share_code else None

    @property
    def has_worth_of_low(self) -> bool:
        """Whether the worth of Low is answered, so that the question who scores Low is hidden."""
        answer = {**self.house.options, **self.url_answers}.get(LOW)
        return RuleKey.of_answer(LOW, answer).is_worth

    def read_form(self, posted: Mapping[str, str]) -> NewMatchForm:
        """Parse a posted form of these rules."""
        return replace(read_form(self.ruleset, posted), url_answers=self.url_answers)


def requested_rules(ruleset_id: str) -> NewMatchRules:
    """Return the rules in the URL of the request, with the share code of the form; 404 where they cannot be played."""
    # A form may have the code without its address.
    code = request.args.get(CODE_FIELD, "") or request.form.get(CODE_FIELD, "")
    return new_match_rules(ruleset_id, code, request.args)


def new_match_rules(ruleset_id: str, code: str, args: Mapping[str, str]) -> NewMatchRules:
    """Return the rules of a published game, or of the share code `code`; 404 where they cannot be played.

    Where answers in `args` contradict each other, the later ones are left out.
    """
    resolved = _resolve_rules(ruleset_id, code)
    ruleset = resolved.ruleset
    answers = {
        name: parse_answer(ruleset, name, word) for name, word in fields_with_prefix(args, ANSWER_PREFIX).items()
    }
    left_out = _wrong_seats_sentences(ruleset, args.get(SEATS_FIELD, ""))
    while faults := add_answers(resolved.house, answers, library())[1]:
        wrong = {fault.field: fault for fault in reversed(faults)}
        name = next(name for name in reversed(answers) if name in wrong or not wrong.keys() & answers.keys())
        left_out.append(_left_out_sentence(ruleset, name, answers.pop(name), wrong.get(name, faults[0])))
    path, query = url_for("new.table", ruleset_id=ruleset_id), urlencode(args)
    return NewMatchRules(
        house=resolved.house,
        ruleset=ruleset,
        share_code=code,
        url_answers=answers,
        left_out=tuple(left_out),
        url=f"{path}?{query}" if query else path,
        is_end_of_changes=bool(args.get("changed")),
    )


def _resolve_rules(ruleset_id: str, code: str) -> ResolvedRules:
    """Return a published game, or the rules of a share code for it; 404 for any other game or code."""
    base = variant_or_404(ruleset_id)
    if not code:
        return ResolvedRules(HouseRules(base.name, base.id), base)
    try:
        rules = shared_rules(code)
    except BadCode:
        abort(404)
    return rules if rules.house.variant == ruleset_id else abort(404)


def _wrong_seats_sentences(ruleset: Ruleset, seats: str) -> list[str]:
    """Return a sentence if the game does not allow this number of players; none otherwise."""
    if not seats or seats in map(str, ruleset.table.player_counts):
        return []
    return [f"{shorten(seats)} players: {player_counts_text(ruleset.table)} play this game."]


def _left_out_sentence(ruleset: Ruleset, name: str, answer: object, fault: Fault) -> str:
    """Return why an answer in the URL is left out: the title of its question, and the fault."""
    if name in ruleset.awards and RuleKey.of_answer(name, answer).is_worth:
        title = ruleset.awards[name].name
    else:
        title = QUESTIONS[name].title(ruleset) if name in QUESTIONS else shorten(name)
    return f"{title}: {fault.message}"
