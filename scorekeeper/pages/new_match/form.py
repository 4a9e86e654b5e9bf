"""The form of a new match: its game, players, seats, first dealer, and the house rules that the players agree."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar
from urllib.parse import urlencode

from flask import abort, request, url_for

from scorekeeper.matches.fold import Match
from scorekeeper.matches.setup import DEFAULT_SIDE_NAMES
from scorekeeper.pitch.drawings.markers import NUMBER_OF_MARKERS
from scorekeeper.pitch.records.record import MAX_START_SCORE
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
"""The prefix of the form field for an option's number that has no button; the option follows."""
SEATING_FIELD, TITLE_FIELD, BOOK_FIELD = "seating", "title", "book"
DAY_FIELD, VENUE_FIELD, NOTE_FIELD = "played_on", "place", "note"
SEATS_FIELD, CHAIRS_FIELD = "seats", "chairs"
"""The fields for the number of players: as requested by a link or button, and as the posted page had it."""
PARTNERS, ALONE = "partners", "alone"
FIRST_OPTIONS = ("target", "win_rule")
"""The options whose questions stand above the names."""
DEALER_FIELD = "dealer"
CODE_FIELD = "r"
"""The field with the share code of the house rules."""
CUT_FOR_DEAL, LOSER_DEALS, NEXT_IN_TURN = "cut", "loser", "next"
DEALER_PICKS = (NEXT_IN_TURN, LOSER_DEALS, CUT_FOR_DEAL)
"""The ways to choose the first dealer of a rematch."""


@dataclass(frozen=True, kw_only=True)
class PaperScores:
    """The scores, sets and hands from before the first hand entered here: their form fields, and what was typed."""

    prefix: str = ""
    """The prefix of the names of all form fields for these numbers."""
    highest_score: int
    """The highest valid score; the lowest is its negative."""
    fault_ending: str
    """The end of the message for an invalid score, after "type a whole number"."""
    typed: Mapping[str, str] = field(default_factory=dict)
    """The typed text of each form field, by the field's name."""
    count_length: ClassVar = len(str(MAX_HANDS))
    """The most digits of a number of hands or sets."""

    @property
    def score_prefix(self) -> str:
        """The prefix of the form field for a side's score; the side's index follows."""
        return f"{self.prefix}score-"

    @property
    def sets_prefix(self) -> str:
        """The prefix of the form field for how often a side was set; the side's index follows."""
        return f"{self.prefix}sets-"

    @property
    def hands_field(self) -> str:
        """The form field for the number of hands played."""
        return f"{self.prefix}hands"

    @property
    def score_length(self) -> int:
        """The most characters of a score, with its minus sign."""
        return len(str(-self.highest_score))

    @property
    def is_typed(self) -> bool:
        """Whether anything was typed in any of the form fields."""
        return any(self.typed.values())

    def read(self, fields: Mapping[str, str], side_count: int) -> "PaperScores":
        """Return the scores in a posted form, as typed, for `side_count` sides."""
        by_side = (f"{prefix}{i}" for prefix in (self.score_prefix, self.sets_prefix) for i in range(side_count))
        return replace(
            self, typed={name: normalize_spaces(fields.get(name, "")) for name in (*by_side, self.hands_field)}
        )

    def start(self, names: Sequence[str], *, asks_sets: bool = True) -> dict[str, object]:
        """Return the typed numbers as the `start` of a record, given the sides' names.

        They are valid only if `faults` yields none. Without `asks_sets`, the numbers of sets are left out.
        """

        def by_side(prefix: str) -> dict[str, int]:
            numbers = {name: parse_whole_number(self.typed[f"{prefix}{i}"]) for i, name in enumerate(names)}
            return {name: number for name, number in numbers.items() if number is not None}

        sets = by_side(self.sets_prefix) if asks_sets else {}
        start = {
            "scores": by_side(self.score_prefix),
            "hands": parse_whole_number(self.typed[self.hands_field]),
            "sets": sets,
        }
        return {key: numbers for key, numbers in start.items() if numbers}

    def faults(self, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield the form field and the message of each fault, given the sides' names."""
        for i, name in enumerate(names):
            text = self.typed[f"{self.score_prefix}{i}"]
            number = parse_whole_number(text)
            if text and (number is None or abs(number) > self.highest_score):
                yield f"{self.score_prefix}{i}", f"The score of {name}: type a whole number{self.fault_ending}."
        sets_fields = ((f"{self.sets_prefix}{i}", f"How often {name} went set") for i, name in enumerate(names))
        for field_name, what in ((self.hands_field, "Hands played"), *sets_fields):
            text = self.typed[field_name]
            number = parse_whole_number(text)
            if text and (number is None or not 0 <= number <= MAX_HANDS):
                yield field_name, f"{what}: type a whole number from 0 to {MAX_HANDS}."


EMPTY_PAPER_SCORES = PaperScores(prefix="paper-", highest_score=MAX_START_SCORE, fault_ending=", like 12 or −3")
"""The scores that a new match carries over from paper, before any are typed."""


@dataclass(frozen=True, kw_only=True)
class NewMatchForm:
    """The input of the form of a new match so far."""

    ruleset: Ruleset
    """The rules before any answer changes them: a published game, or house rules."""
    url_answers: Mapping[str, object] = field(default_factory=dict)
    """The answers in the URL, by option or award, without those that are impossible or contradict others."""
    answers: Mapping[str, str]
    """The tapped or typed answers as words, by option or award; they override `url_answers`."""
    names: tuple[str, ...]
    """The typed name of the player at each seat, clockwise; empty for a seat without one."""
    side_names: tuple[str, ...]
    """The typed name of each side of partners; empty for a side without one."""
    dealer: int | None
    """The index of the first dealer's seat; `None` until the players have cut for the deal."""
    pick: str
    """How the first dealer of a rematch is chosen, one of `DEALER_PICKS`; empty if this is no rematch."""
    dealer_in_turn: int
    """The index of the first dealer's seat in a rematch if the deal goes on in turn."""
    dealer_if_loser: int | None
    """The index of the first dealer's seat in a rematch if the loser deals; `None` if nobody lost."""
    seating: str
    """The chosen seating, `partners` or `alone`; it matters only if the game allows both."""
    invalid_texts: Mapping[str, str]
    """The typed texts that are no valid numbers, by option."""
    paper: PaperScores
    title: str
    played_on: str
    """The day on which the match is played, as typed; empty for today."""
    venue: str
    note: str
    book: str
    """The code of the access link to the chosen book; empty if none is chosen."""
    markers: tuple[int, ...]
    """The numbers of the sides' markers in the earlier match, in order; empty if this is no rematch."""

    @property
    def is_unnamed(self) -> bool:
        """Whether no player's name is typed."""
        return not any(self.names)

    @property
    def has_choice_of_seating(self) -> bool:
        """Whether the game lets this number of players play with partners as well as alone."""
        table = self.ruleset.table
        return len(self.names) in table.partners and table.fewest <= len(self.names) <= table.most

    @property
    def side_count(self) -> int:
        """The number of sides of partners; 0 if each plays alone."""
        if self.has_choice_of_seating and self.seating == ALONE:
            return 0
        return self.ruleset.table.partners.get(len(self.names), 0)

    @property
    def score_count(self) -> int:
        """The number of scores in the match: one for each side of partners, or one for each player alone."""
        return self.side_count or len(self.names)

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The name of each player for the match, by seat; "Seat 2" if none is typed."""
        return tuple(name or f"Seat {i}" for i, name in enumerate(self.names, 1))

    @property
    def teams(self) -> tuple[tuple[str, ...], ...]:
        """The players' names on each side of partners; each side is empty if no name is typed."""
        return tuple(() if self.is_unnamed else self.seat_names[i :: self.side_count] for i in range(self.side_count))

    @property
    def players(self) -> tuple[str, ...] | None:
        """The players of the match to start, by seat; `None` if only its sides are known."""
        return None if self.is_unnamed and self.side_count else self.seat_names

    @property
    def unnamed(self) -> tuple[str, ...]:
        """Those of `players` without a typed name, such as "Seat 2"."""
        players_and_names = zip(self.players or (), self.names, strict=False)
        return tuple(player for player, name in players_and_names if not name)

    @property
    def sides(self) -> tuple[tuple[str, tuple[str, ...]], ...] | None:
        """The sides of the match to start, each with its name and players; `None` if they follow from the seats."""
        if not self.side_count:
            return None
        if not self.is_unnamed and not any(self.side_names) and not self.has_choice_of_seating:
            return None
        return self.named_sides

    @property
    def named_sides(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The name of each side of partners, and the names of its players.

        A side without a typed name has its players' names, or if nobody is named its usual name.
        """
        return tuple(
            (name or NAME_SEPARATOR.join(team) or usual, team)
            for name, team, usual in zip(self.side_names, self.teams, self.usual_names, strict=True)
        )

    @property
    def usual_names(self) -> tuple[str, ...]:
        """The default names of the sides of partners: "Us" and "Them" if both lack a typed name, else "Side 1" …"""
        if self.side_count == len(DEFAULT_SIDE_NAMES) and not any(self.side_names):
            return DEFAULT_SIDE_NAMES
        return tuple(f"Side {i}" for i in range(1, self.side_count + 1))

    @property
    def side_names_in_order(self) -> tuple[str, ...]:
        """The name for the match of each side, or of each player alone."""
        return tuple(name for name, _ in self.named_sides) if self.side_count else self.seat_names

    @property
    def shown_names(self) -> tuple[str, ...]:
        """The name to show for each side, or for each player alone; two unnamed sides are We and They."""
        has_pronouns = self.is_unnamed and self.usual_names == DEFAULT_SIDE_NAMES
        return tuple(PRONOUN_LETTERS["we"]) if has_pronouns else self.side_names_in_order

    @property
    def asks_sets(self) -> bool:
        """Whether the form asks how often each side was set, as the rules depend on that."""
        ruleset = self.played_rules
        return bool(ruleset.winning.set_limit or ruleset.money.set_stake_cents) or "set_stake_cents" in ruleset.to_agree

    @property
    def start(self) -> dict[str, object]:
        """The numbers from paper as the `start` of a record; valid only if the form has no faults."""
        return self.paper.start(self.side_names_in_order, asks_sets=self.asks_sets)

    @property
    def first_dealer(self) -> str | None:
        """The name of the first dealer, or of the dealing side if players are unknown; `None` before the cut."""
        if self.dealer is None:
            return None
        names = self.players or self.side_names_in_order
        return names[self.dealer % len(names)]

    @property
    def first_chair(self) -> int | None:
        """The index of the first dealer's seat, if the match starts with unnamed sides only; else `None`."""
        return None if self.players or any(self.side_names) else self.dealer

    def with_pick(self, pick: str) -> "NewMatchForm":
        """Return the form with the first dealer chosen by `pick`, one of `DEALER_PICKS`.

        If nobody lost, the next in turn deals in place of the loser.
        """
        in_turn_if_nobody_lost = self.dealer_in_turn if self.dealer_if_loser is None else self.dealer_if_loser
        dealers = {CUT_FOR_DEAL: None, LOSER_DEALS: in_turn_if_nobody_lost}
        return replace(self, pick=pick, dealer=dealers.get(pick, self.dealer_in_turn))

    @cached_property
    def rules_with_url_answers(self) -> Ruleset:
        """The rules about which the page asks its questions: `ruleset` changed by `url_answers`."""
        return with_house(self.ruleset, self.url_answers)[0]

    def is_moot(self, option: str, win_rule: str | None = None) -> bool:
        """Return whether an option has no effect under this `win_rule`, or by default under every possible one."""
        ruleset = self.rules_with_url_answers
        answers = (win_rule,) if win_rule else possible_answers(ruleset, "win_rule")
        rules = [ruleset.copy_with(winning=ruleset.winning.copy_with(win_rule=rule)) for rule in answers]
        return all(option in moot_options(other, self.score_count) for other in rules or (ruleset,))

    @property
    def changed_answers(self) -> dict[str, object]:
        """The answers that change `ruleset`, by option or award; also invalid ones, for the rules to refuse."""
        entered = {
            name: parse_answer(self.ruleset, name, word)
            for name, word in self.answers.items()
            if name not in options() or answer_word(self.rules_with_url_answers.answer(name)) != word
        }
        stated = {**self.url_answers, **entered}
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
        """The rules of the match: `ruleset` changed by all answers, or unchanged if these contradict each other."""
        changed, faults = with_house(self.ruleset, self.changed_answers)
        return self.ruleset if faults else changed

    def find_faults(self) -> Iterator[Fault]:
        """Yield the faults of the form: a missing first dealer, a missing answer, or an invalid number."""
        if self.dealer is None:
            yield Fault(DEALER_FIELD, "no_dealer", "Cut for the deal, then tap the D of whoever deals first.")
        questions = unanswered_questions(self.rules_with_url_answers)
        # In the order of the page.
        for question in sorted(questions, key=lambda asked: (asked.option not in FIRST_OPTIONS, not asked.is_number)):
            if self.is_moot(question.option):
                continue
            if self.answers.get(question.option, "none") == "none" and question.option not in self.invalid_texts:
                message = f"{question.question_text(self.ruleset)} The printed rules leave it up to you."
                yield Fault(f"house.{question.option}", "to_agree", message)
        for option in self.invalid_texts:
            lowest, highest = RuleKey(option).limits
            title = QUESTIONS[option].title(self.ruleset)
            message = f"{title}: type a whole number from {lowest} to {highest}."
            yield Fault(f"house.{option}", "bad_value", message)
        for field_name, message in self.paper.faults(self.shown_names):
            yield Fault(field_name, "bad_value", message)


def parse_answer(ruleset: Ruleset, name: str, word: str) -> object:
    """Parse the answer to an option or award; for an award, "yes" and "no" become booleans."""
    return word == "yes" if name in ruleset.awards and word in ("yes", "no") else parse_word(word)


def _repeats_rules(ruleset: Ruleset, name: str, answer: object) -> bool:
    """Return whether the rules have this answer already, or `name` is an award that house rules invented."""
    if name in OWN_AWARD_IDS:
        return True
    key = RuleKey.of_answer(name, answer)
    parsed = parse_award_answer(answer) if key.is_worth else options()[name].parse_answer(answer)
    return bool(parsed == key.current_answer(ruleset))


def read_form(ruleset: Ruleset, posted: Mapping[str, str]) -> NewMatchForm:
    """Parse a posted form, without the answers in the URL.

    A missing or invalid field is empty or has a usual value. Invalid numbers are in `invalid_texts` or `paper`.
    """
    table, counts = ruleset.table, ruleset.table.player_counts
    seats = _parse_small_number(posted.get(SEATS_FIELD, "")) or _parse_small_number(posted.get(CHAIRS_FIELD, ""))
    if seats not in counts:
        seats = 4 if 4 in counts else counts[0]
    pick = posted.get("pick", "")
    pick = pick if pick in DEALER_PICKS else ""
    dealer = _posted_seat(posted, DEALER_FIELD, seats)
    seating = posted.get(SEATING_FIELD, ALONE if table.most and not table.open else PARTNERS)
    typed, invalid_texts = _typed_numbers(posted)
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
        invalid_texts=invalid_texts,
        paper=EMPTY_PAPER_SCORES.read(posted, seats),
        title=normalize_spaces(posted.get(TITLE_FIELD, "")),
        played_on=normalize_spaces(posted.get(DAY_FIELD, "")),
        venue=normalize_spaces(posted.get(VENUE_FIELD, "")),
        note=normalize_line_breaks(posted.get(NOTE_FIELD, "")),
        book=posted.get(BOOK_FIELD, ""),
        markers=tuple(
            _parse_small_number(posted[name]) or 0 for i in range(NUMBER_OF_MARKERS) if (name := f"mark-{i}") in posted
        ),
    )


def _typed_numbers(posted: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the numbers typed in the `OTHER_PREFIX` fields, and the invalid texts there, each by option."""
    numbers: dict[str, str] = {}
    invalid_texts: dict[str, str] = {}
    for option, text in fields_with_prefix(posted, OTHER_PREFIX, options()).items():
        if QUESTIONS[option].is_number:
            lowest, highest = RuleKey(option).limits
            number = parse_whole_number(text)
            if number is not None and lowest <= number <= highest:
                numbers[option] = str(number)
            else:
                invalid_texts[option] = normalize_spaces(text)
    return numbers, invalid_texts


def _posted_seat(posted: Mapping[str, str], field: str, seat_count: int) -> int | None:
    """Return the index of a seat in a posted form field; `None` without a valid one."""
    number = _parse_small_number(posted.get(field, ""))
    return number if number is not None and number < seat_count else None


def form_of_match(match: Match, ruleset: Ruleset, pick: str) -> NewMatchForm:
    """Return the form of a rematch by `ruleset`, with the first dealer chosen by `pick`, one of `DEALER_PICKS`.

    It has the players, seats, names of sides, markers, title and venue of `match`.
    """
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
        markers=tuple(match.markers.values()),
    )
    return form.with_pick(pick)


def _parse_small_number(text: str) -> int | None:
    """Parse a number of one or two digits; `None` for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else None


# ---------- the rules of an address, and what its link answers otherwise ----------


@dataclass(frozen=True, kw_only=True)
class NewMatchRules(ResolvedRules):
    """The rules in the URL of the form of a new match: a variant or house rules, and answers that change them."""

    url_answers: Mapping[str, object] = field(default_factory=dict)
    """The answers in the URL that are possible, by option or award."""
    left_out: tuple[str, ...] = ()
    """A sentence for each answer or number of players in the URL that is ignored as impossible."""
    url: str
    """The URL of the form with these rules."""
    is_from_changed_match: bool = False
    """Whether these are the rules with which an earlier match ended, after it had changed its rules."""

    @property
    def named_rules(self) -> HouseRules | None:
        """The house rules, without the URL's answers; `None` for a published game."""
        return self.house_rules if self.share_code else None

    @property
    def has_worth_of_low(self) -> bool:
        """Whether the house rules or the URL set Low's points; the form then does not ask who scores Low."""
        answer = {**self.house_rules.options, **self.url_answers}.get(LOW)
        return RuleKey.of_answer(LOW, answer).is_worth

    def read_form(self, posted: Mapping[str, str]) -> NewMatchForm:
        """Parse the posted form of a match by these rules."""
        return replace(read_form(self.ruleset, posted), url_answers=self.url_answers)


def requested_rules(ruleset_id: str) -> NewMatchRules:
    """Return the rules in the requested URL; 404 if they are invalid.

    The share code may be in the posted form instead.
    """
    # A form may have the code without its address.
    code = request.args.get(CODE_FIELD, "") or request.form.get(CODE_FIELD, "")
    return new_match_rules(ruleset_id, code, request.args)


def new_match_rules(ruleset_id: str, code: str, args: Mapping[str, str]) -> NewMatchRules:
    """Return the rules of a published game, or of the share code if there is one, with the answers in `args`.

    `args` are URL parameters; what is impossible in them is in `left_out`. 404 for an unknown game or code.
    """
    resolved = _resolve_rules(ruleset_id, code)
    ruleset = resolved.ruleset
    answers = {
        name: parse_answer(ruleset, name, word) for name, word in fields_with_prefix(args, ANSWER_PREFIX).items()
    }
    seats, left_out = args.get(SEATS_FIELD, ""), list[str]()
    if seats and seats not in map(str, ruleset.table.player_counts):
        left_out.append(f"{shorten(seats)} players: {player_counts_text(ruleset.table)} play this game.")
    while faults := add_answers(resolved.house_rules, answers, library())[1]:
        wrong = {fault.field: fault for fault in reversed(faults)}
        name = next(name for name in reversed(answers) if name in wrong or not wrong.keys() & answers.keys())
        left_out.append(_left_out_sentence(ruleset, name, answers.pop(name), wrong.get(name, faults[0])))
    path, query = url_for("new.table", ruleset_id=ruleset_id), urlencode(args)
    return NewMatchRules(
        house_rules=resolved.house_rules,
        ruleset=ruleset,
        share_code=code,
        url_answers=answers,
        left_out=tuple(left_out),
        url=f"{path}?{query}" if query else path,
        is_from_changed_match=bool(args.get("changed")),
    )


def _resolve_rules(ruleset_id: str, code: str) -> ResolvedRules:
    """Return the rules of a published game, or of a share code for that game; 404 if unknown."""
    base = variant_or_404(ruleset_id)
    if not code:
        return ResolvedRules(HouseRules(base.name, base.id), base)
    try:
        rules = shared_rules(code)
    except BadCode:
        abort(404)
    return rules if rules.house_rules.variant == ruleset_id else abort(404)


def _left_out_sentence(ruleset: Ruleset, name: str, answer: object, fault: Fault) -> str:
    """Return a sentence on why an answer in the URL is ignored: the title of its question, and the fault."""
    if name in ruleset.awards and RuleKey.of_answer(name, answer).is_worth:
        title = ruleset.awards[name].name
    else:
        title = QUESTIONS[name].title(ruleset) if name in QUESTIONS else shorten(name)
    return f"{title}: {fault.message}"
