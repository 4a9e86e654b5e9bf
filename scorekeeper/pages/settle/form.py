"""The form of "Who won?", read from a URL: rules, players, scores and one hand; and the ruling on the hand.

The URL has the fingerprint of the rules, so that the page can say if this version plays them differently.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from werkzeug.datastructures import MultiDict

from scorekeeper.access.roles import Link
from scorekeeper.eventlog.stream import WATCHER, HandRefused
from scorekeeper.matches.fold import Match, unplayed_hand
from scorekeeper.matches.log import fold
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.matches.start import new_setup
from scorekeeper.pages.hand.form import HandForm
from scorekeeper.pages.hand.in_progress import HandInProgress
from scorekeeper.pages.hand.input import NOBODY, EntryMode, HandInput
from scorekeeper.pages.hand.page import SaveBar, unfinished_bar
from scorekeeper.pages.new_match.form import (
    CUT_FOR_DEAL,
    SEATING_FIELD,
    SEATS_FIELD,
    NewMatchForm,
    PaperScores,
    form_of_match,
)
from scorekeeper.pages.new_match.form import read_form as read_table
from scorekeeper.pitch.compare.ruling import Ruling, make_ruling
from scorekeeper.pitch.records.record import Record
from scorekeeper.pitch.rules.entered_text import MAX_NAME_LENGTH, name_faults, normalize_spaces, parse_whole_number
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.house_rules import HouseRules, with_house
from scorekeeper.pitch.rules.phrases import digits
from scorekeeper.pitch.rules.questions import (
    QUESTIONS,
    answer_word,
    parse_word,
)
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import MAX_SHARE_CODE_LENGTH, BadCode, encode, fingerprint
from scorekeeper.pitch.scoring.hand import BIDDERS, DEFENDERS, TAKE_SET, THROWN_IN_REASONS, Hand, with_ids
from scorekeeper.pitch.scoring.match import HandResult, ImpossibleHand, Start, open_match, play
from scorekeeper.pitch.scoring.search_budget import Budget
from scorekeeper.pitch.scoring.seats import Seats, seat_table, table_faults
from scorekeeper.pitch.text.phrases import LETTERS_BY_NAME, resolve_pronouns_of_names
from scorekeeper.printing.rules_link import rules_link
from scorekeeper.web.library import ResolvedRules, UnplayableCode, joined_messages, library, shared_rules

QUERY_VERSION = "1"
"""The version of the URL fields; a URL with another version is refused."""
MAX_FIELDS = 160
"""The most fields in a URL."""
MAX_QUERY_LENGTH = 6000
"""The most characters of all fields in a URL: a share code, names, and every field of the longest form."""
_MAX_FIELD_LENGTH = 60
"""The most characters of a field; the share code and the fingerprint of the questions may be longer."""

VARIANT_FIELD, CODE_FIELD, EDITION_FIELD = "rules", "r", "fp"
"""The URL fields of a variant, of a share code in its place, and of the fingerprint of the rules."""
NAME_PREFIX = "name-"
"""The prefix of the URL field for a side's name; the side's index follows."""
ANSWER_PREFIX = "answer-"
"""The prefix of a URL field with an answer that changes the rules; the option follows."""
DECIDING_OPTIONS = ("win_rule", "tie_rule")
"""The options about which the page may ask, as many tables differ in these rules."""
DEALER_FIELD, THROWN_IN_FIELD = "dealer", "thrown_in"
"""The URL fields of the dealer, and of the reason why the hand was not played."""
CARRIED_FIELD = "carried"
"""The URL field of the points that an earlier tied Game carries over to this hand."""
MAX_CARRIED_LENGTH = 3
"""The most digits of the points that an earlier tied Game carries over."""
PRONOUN_NAMES_OF_SIDES = ("We", "They")
"""The default names of two sides of partners: the person who enters the hand is one of the first side."""
NAMES_OF_LONE_PLAYERS = "ABCDEFGHIJ"
"""The default names of players who play alone, one letter for each."""

EMPTY_PAPER = PaperScores(highest_score=9999, fault_ending=" from −9999 to 9999")
"""The form fields of scores, sets and hands before the hand, with nothing typed."""


class BadQuery(BadCode):
    """The fields in a URL cannot be read as a hand and its rules; the message is for a person."""


def rules_fields(rules: ResolvedRules) -> dict[str, str]:
    """Return the URL field that names these rules, a share code or a variant, with its value."""
    return {CODE_FIELD: rules.share_code} if rules.share_code else {VARIANT_FIELD: rules.base.id}


def with_answer(rules: ResolvedRules, option: str, answer: object) -> ResolvedRules | None:
    """Return the rules with this answer to an option; `None` if they are invalid with it.

    An answer on the tie rule that contradicts the new answer is dropped.
    """
    without_tie_rule = {name: value for name, value in rules.answers.items() if name != "tie_rule"}
    for answers in (rules.answers, without_tie_rule):  # the tie rule means nothing in rules without ties
        with suppress(UnplayableCode):
            return shared_rules(encode(replace(rules.house_rules, options={**answers, option: answer})))
    return None


@dataclass(frozen=True, kw_only=True)
class SettleForm:
    """What the fields of a URL say about a hand, its rules, its players, and the match before it.

    The hand may be incomplete.
    """

    rules: ResolvedRules
    table: NewMatchForm
    """The seating, as the form of a new match without names."""
    names: tuple[str, ...]
    """The typed name of each side, in order; empty for a side whose name is not typed."""
    before: PaperScores
    """The scores before the hand; also sets and hands if the rules depend on them."""
    carried: str = ""
    """The points that an earlier tied Game carries over, as typed; empty if none."""
    is_checked_as_stored: bool = False
    """Whether to score the hand as one stored in a match, with fewer checks than a new hand."""
    reached_by_two: int | None = None
    """The best score that two sides both reached by the end of an earlier hand; `None` if `before` shows it."""
    input: HandInput
    edition: str
    """The fingerprint of the rules when the URL was made, to notice if they have changed since."""

    @property
    def player_count(self) -> int:
        """The number of players."""
        return len(self.table.names)

    @property
    def side_ids(self) -> tuple[str, ...]:
        """The ids of the sides: "s1" for a side of partners, "p1" for a player alone."""
        letter = "s" if self.table.side_count else "p"
        return tuple(f"{letter}{i + 1}" for i in range(self.table.score_count))

    @property
    def usual_names(self) -> tuple[str, ...]:
        """The default names of the sides."""
        table = self.table
        if table.side_count == len(PRONOUN_NAMES_OF_SIDES):
            return PRONOUN_NAMES_OF_SIDES
        return table.usual_names if table.side_count else tuple(NAMES_OF_LONE_PLAYERS[: self.player_count])

    @property
    def shown_names(self) -> tuple[str, ...]:
        """The names of the sides, with default names for missing ones; all are defaults if any is invalid."""
        if any(self.name_faults()):
            return self.usual_names
        return tuple(name or usual for name, usual in zip(self.names, self.usual_names, strict=True))

    def with_names_for_others(self) -> "SettleForm":
        """Return the form with Side 1 and Side 2 in place of We and They, as another family may read it."""
        if self.usual_names != PRONOUN_NAMES_OF_SIDES:
            return self
        return replace(self, names=tuple(name or f"Side {number}" for number, name in enumerate(self.names, 1)))

    @property
    def seating_key(self) -> str:
        """A key of the seating: the number of players, "4", with "a" if each plays alone, "4a"."""
        return f"{self.player_count}{'a' if not self.table.side_count else ''}"

    @property
    def asks_hands(self) -> bool:
        """Whether the form asks how many hands were played; only if a number of hands ends the match."""
        return self.rules.ruleset.winning.length == "hands"

    @property
    def asks_went_set(self) -> bool:
        """Whether the form asks if the dealer took a set instead of bidding."""
        return self.rules.ruleset.bidding.auction and self.rules.ruleset.bidding.all_pass == "may_take_set"

    @property
    def asks_dealer(self) -> bool:
        """Whether the form asks who dealt, as that decides who scores some award, such as a tied Game."""
        ruleset = self.rules.ruleset
        has_tie = ruleset.card_points_award is not None and ruleset.points.game_tie == "non_dealer"
        return has_tie or bool(ruleset.given_awards)

    @property
    def asks_carried(self) -> bool:
        """Whether the form asks for the points that an earlier tied Game carries over."""
        return self.rules.ruleset.points.game_tie == "carried_over"

    @property
    def is_other_edition(self) -> bool:
        """Whether the rules have changed since the URL was made."""
        return self.edition != fingerprint(self.rules.ruleset)

    def name_faults(self) -> Iterator[tuple[str, str]]:
        """Yield the field and the message of each fault in the names."""
        for index, name in enumerate(self.names):
            if name and (fault := next(name_faults("", name), None)):
                yield f"{NAME_PREFIX}{index}", fault.message
        names = [name or usual for name, usual in zip(self.names, self.usual_names, strict=True)]
        for fault in table_faults(names, ()):
            yield f"{NAME_PREFIX}{fault.field.rpartition('.')[2]}", fault.message

    def faults(self) -> dict[str, str]:
        """Return the messages of the faults in names, scores before the hand, and points carried over, by field."""
        carried_faults = {}
        if self.carried and not self.carried.isdecimal():
            carried_faults[CARRIED_FIELD] = "Points carried over: type a whole number from 0 to 999."
        names = [LETTERS_BY_NAME.get(name, name) for name in self.shown_names]
        return {**dict(self.name_faults()), **dict(self.before.faults(names)), **carried_faults}

    def fields(self) -> dict[str, Any]:
        """Return the URL fields from which `read_form` makes this form again, without empty ones."""
        fields = dict(self.table_fields())
        fields |= {f"{NAME_PREFIX}{index}": name for index, name in enumerate(self.names)}
        fields |= {**self.before.typed, CARRIED_FIELD: self.carried, **self.unasked_fields, **dict(self.input.fields())}
        return {name: text for name, text in fields.items() if text}

    @property
    def unasked_fields(self) -> dict[str, str]:
        """The URL fields `scored` and `level`, perhaps empty, which only a hand of a match fills."""
        level = "" if self.reached_by_two is None else str(self.reached_by_two)
        return {"scored": "yes" if self.is_checked_as_stored else "", "level": level}

    def fields_with_rules(self, share_code: str) -> dict[str, str]:
        """Return the URL fields of this form, with a share code in place of its own rules."""
        of_rules = (VARIANT_FIELD, CODE_FIELD, EDITION_FIELD)
        return {CODE_FIELD: share_code, **{name: text for name, text in self.fields().items() if name not in of_rules}}

    def table_fields(self) -> Iterator[tuple[str, str]]:
        """Yield the name and text of each URL field about version, rules, seating and edition."""
        yield "v", QUERY_VERSION
        yield from rules_fields(self.rules).items()
        yield SEATS_FIELD, str(self.player_count)
        if self.table.has_choice_of_seating:
            yield SEATING_FIELD, self.table.seating
        yield EDITION_FIELD, self.edition


def empty_settle_form(rules: ResolvedRules, fields: Mapping[str, str] = MappingProxyType({})) -> SettleForm:
    """Return an empty form with these rules, and with the seating in the URL fields or the usual one."""
    table = read_table(rules.ruleset, {name: fields.get(name, "") for name in (SEATS_FIELD, SEATING_FIELD)})
    return SettleForm(
        rules=rules,
        table=table,
        names=("",) * table.score_count,
        before=EMPTY_PAPER.read({}, table.score_count),
        input=HandInput.parse({"by": EntryMode.POINTS}, ()),
        edition=fingerprint(rules.ruleset),
    )


def read_form(query: MultiDict[str, str], length: int) -> SettleForm:
    """Parse the fields of a URL; raises `BadCode`.

    `length` is that of the fields in the URL, in characters. If the page was shown for another seating, only rules and
    seating are read.
    """
    # A tapped button comes after the hidden field with the earlier answer, and so overrides it.
    fields = dict(query.items(multi=True))
    # `went_set` is the field of a button, and of links of earlier versions.
    if went_set := fields.pop("went_set", ""):
        fields |= {THROWN_IN_FIELD: TAKE_SET, DEALER_FIELD: went_set}
    if length > MAX_QUERY_LENGTH or len(fields) > MAX_FIELDS:
        raise BadQuery("This link is longer than any hand takes.")
    if fields.get("v", QUERY_VERSION) != QUERY_VERSION:
        raise BadQuery("Another version of Scorekeeper made this link. This one can’t read it.")
    named = _read_rules(fields)
    rules = _with_answers(named, fields)
    form = empty_settle_form(rules, fields)
    edition = normalize_spaces(fields.get(EDITION_FIELD, ""))[:9]
    # Answers on the page do not count as another edition.
    form = replace(form, edition=form.edition if edition in ("", fingerprint(named.ruleset)) else edition)
    if fields.get("shape", form.seating_key) != form.seating_key:
        return form  # the seating has changed, so earlier input means nothing
    if any(len(text) > _MAX_FIELD_LENGTH for name, text in fields.items() if name not in (CODE_FIELD, "asks")):
        raise BadQuery("Something in this link is longer than a hand takes.")
    side_count, level = len(form.side_ids), parse_whole_number(fields.get("level", ""))
    hand = HandInput.parse({"by": EntryMode.POINTS, **fields}, form.side_ids)
    dealer = hand.dealer if hand.dealer in form.side_ids else ""
    reasons = (*THROWN_IN_REASONS, TAKE_SET) if form.asks_went_set and dealer else THROWN_IN_REASONS
    thrown_in = hand.thrown_in if hand.thrown_in in reasons else ""
    if not (form.asks_dealer or thrown_in == TAKE_SET):
        dealer = ""
    return replace(
        form,
        carried=normalize_spaces(fields.get(CARRIED_FIELD, ""))[:MAX_CARRIED_LENGTH] if form.asks_carried else "",
        is_checked_as_stored=fields.get("scored") == "yes",
        reached_by_two=level if level is not None and abs(level) <= EMPTY_PAPER.highest_score else None,
        names=tuple(normalize_spaces(fields.get(f"{NAME_PREFIX}{i}", "")) for i in range(side_count)),
        before=EMPTY_PAPER.read(fields, side_count),
        input=replace(hand, by_auction=False, calls=(), dealer=dealer, thrown_in=thrown_in),
    )


def _with_answers(rules: ResolvedRules, fields: Mapping[str, str]) -> ResolvedRules:
    """Return the rules with the answers in URL fields on who may win and on who wins a tie.

    An answer that contradicts the others is ignored; raises `BadQuery` for an unknown one.
    """
    for option in DECIDING_OPTIONS:
        word = fields.get(f"{ANSWER_PREFIX}{option}", "")
        if not word or word == answer_word(rules.ruleset.answer(option)):
            continue
        if word not in QUESTIONS[option].answers or word in ("n", "none"):
            raise BadQuery("This link has a house rule that cannot be read.")
        # An answer that contradicts the others is outdated: another answer was tapped since.
        rules = with_answer(rules, option, parse_word(word)) or rules
    return rules


def _read_rules(fields: Mapping[str, str]) -> ResolvedRules:
    """Return the rules in URL fields: those of a share code, or of a variant with house answers; raises `BadCode`."""
    if code := fields.get(CODE_FIELD):
        if len(code) > MAX_SHARE_CODE_LENGTH:
            raise BadQuery("The rules in this link are too long.")
        return shared_rules(code)
    ruleset_id = fields.get(VARIANT_FIELD, "")
    if ruleset_id not in library():
        raise BadQuery("This link names rules that Scorekeeper does not know.")
    base = library()[ruleset_id]
    # The answers from the page that finds a game; the form of a new match has the same fields.
    table = read_table(base, fields)
    if table.invalid_texts:
        raise BadQuery("This link has a house rule that cannot be read.")
    house_rules = HouseRules(base.name, base.id, table.changed_answers)
    ruleset, faults = with_house(base, house_rules.options)
    if faults:
        # Without this refusal, the ruling would be on another game than the link means.
        raise BadQuery(joined_messages(faults))
    return ResolvedRules(house_rules, ruleset, encode(house_rules) if house_rules.options else "")


# ---------- the form of a hand of a match, filled in ----------


def query_rules(ruleset: Ruleset) -> ResolvedRules | None:
    """Return the rules of a match as a variant or a share code, for a URL; `None` if that is impossible."""
    if ruleset.id not in library():
        return None
    base = library()[ruleset.id]
    if ruleset == base:
        return ResolvedRules(HouseRules(base.name, base.id), base)
    with suppress(BadCode):
        return shared_rules(rules_link(ruleset, base).code)
    return None


def form_of_hand(match: Match, result: HandResult) -> SettleForm | None:
    """Return the form for a hand of a match; `None` if there is nothing to settle, or if no URL can express it."""
    rules, seats = query_rules(result.ruleset), match.state.seats
    if rules is None or not result.changes_scores:
        return None
    rules = _with_agreed_answers(rules, match.house_answers_at(result.position))
    table = form_of_match(match, rules.ruleset, CUT_FOR_DEAL)
    form = empty_settle_form(rules, {SEATS_FIELD: str(len(table.names)), SEATING_FIELD: table.seating})
    if len(form.side_ids) != len(seats.sides) or form.player_count != len(table.names):
        return None
    sides = dict(zip(seats.ids, form.side_ids, strict=True))
    ids = {who: sides[side] for who in (*seats.players, *seats.ids) if (side := seats.side_of(who))}
    earlier = match.state_before(result.position)
    before = {EMPTY_PAPER.hands_field: str(earlier.hands_scored) if form.asks_hands else ""}
    for i, side in enumerate(seats.ids):
        before[f"{EMPTY_PAPER.score_prefix}{i}"] = str(result.scores[side] - result.deltas[side])
        before[f"{EMPTY_PAPER.sets_prefix}{i}"] = str(earlier.sets[side] or "") if form.table.asks_sets else ""
    form = replace(
        form,
        names=_names_for_form(match, result, form),
        before=EMPTY_PAPER.read(before, len(seats.ids)),
        carried=str(earlier.carried or "") if form.asks_carried else "",
    )
    shown_best = hand_form_of(form).hand.before.reached_by_two
    form = replace(form, reached_by_two=earlier.reached_by_two if earlier.reached_by_two != shown_best else None)
    columns = _columns_by_id(result, seats, ids)
    hand = _hand_for_form(result, seats, ids, columns)
    if result.set_taken_by:
        hand = unplayed_hand(hand, dealer=ids[result.set_taken_by])
    elif not form.asks_dealer:
        hand = replace(hand, dealer=None)
    entered = HandInput.from_hand(hand, form.side_ids)
    entered = replace(entered, thrown_in=TAKE_SET) if result.set_taken_by else entered
    form = _fill_missing(replace(form, input=entered), result, columns)
    return replace(form, is_checked_as_stored=not _is_accepted_as_new(hand_form_of(form).hand))


def _is_accepted_as_new(hand: HandInProgress) -> bool:
    """Return whether a hand passes the present checks of a new hand."""
    try:
        play(hand.before, hand.to_hand(), is_new=True)
    except (HandRefused, ImpossibleHand):
        return False
    return True


def _fill_missing(form: SettleForm, result: HandResult, columns: Mapping[str, str]) -> SettleForm:
    """Return the form with missing input filled in from the result; in a hand by points, with 0.

    `columns` has the form's columns by the id of a player or side in the match.
    """
    sides, taken = result.hand_sides, result.taken
    if result.set_taken_by or taken is None:
        return form
    hand = hand_form_of(form).hand
    if form.input.by_points:
        return replace(form, input=_with_zeros(hand))
    takers = dict(form.input.taken)
    for award in hand.open_awards:
        groups = [group for scored, group, _ in taken.awards if scored == award]
        # An award that several took stays open.
        if len(groups) < 2:
            takers[award] = next((columns[sides.groups[group][0]] for group in groups), NOBODY)
    return replace(form, input=replace(form.input, taken=takers))


def _with_agreed_answers(rules: ResolvedRules, agreed: Mapping[str, object]) -> ResolvedRules:
    """Return the rules with the agreed answers that do not change the game, so that the ruling shows them."""
    for option, answer in agreed.items():
        changed = None if option in rules.answers else with_answer(rules, option, answer)
        if changed and fingerprint(changed.ruleset) == fingerprint(rules.ruleset):
            rules = changed
    return rules


def _hand_for_form(result: HandResult, seats: Seats, ids: Mapping[str, str], columns: Mapping[str, str]) -> Hand:
    """Return the hand of a result as the form has it: with bidder and bid in place of calls.

    `ids` has the form's ids, and `columns` its columns, by the id of a player or side in the match.
    """
    contract = replace(
        result.hand,
        dealer=result.dealer if seats.side_of(result.dealer) else None,
        auction=None,
        bidder=result.bidder,
        bid=result.bid,
        overtook_pitch=result.overtook_pitch or None,
        thrown_in=result.hand.thrown_in or ("all_passed" if result.status == "thrown_in" else None),
    )
    took = with_ids(Hand(taken=contract.taken, points=contract.points, card_points=contract.card_points), columns)
    return replace(with_ids(contract, ids), taken=took.taken, points=took.points, card_points=took.card_points)


def _columns_by_id(result: HandResult, seats: Seats, ids: Mapping[str, str]) -> Mapping[str, str]:
    """Return the form's column for each player and side of a match, by id there.

    A column is a side, `bidders` or `defenders`.
    """
    sides = result.hand_sides
    if not sides.has_bidders:
        return ids
    if result.ruleset.pools_defenders and len(seats.sides) > 2:
        roles = (BIDDERS, DEFENDERS)
        return {who: roles[sides.group_of(side)] for who in ids if (side := seats.side_of(who))}
    return {**ids, BIDDERS: ids[sides.groups[0][0]]}


def _names_for_form(match: Match, result: HandResult, form: SettleForm) -> tuple[str, ...]:
    """Return the names of the sides in a hand, shortened to fit; if any is invalid, the form's names.

    A match that this phone shows as "We" and "They" has the form's names.
    """
    if match.pronouns == "we" and match.setup.has_pronouns(match.log.renamed):
        return form.names
    names = resolve_pronouns_of_names(match.names_in(result.position))
    short_names = tuple(_shorten_name(names[side]) for side in match.state.seats.ids)
    named = replace(form, names=short_names)
    return form.names if any(named.name_faults()) else short_names


def _shorten_name(name: str) -> str:
    """Return the name; if it is too long, cut off and with "…" at the end."""
    return name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1].rstrip()}…"


# ---------- the hand as the engine has it, its form without a match, and the ruling on it ----------


@dataclass(frozen=True, kw_only=True)
class SettledHand:
    """A hand as entered so far, with its ruling, or its faults, or the input that is missing."""

    hand_form: HandForm
    faults: tuple[Fault, ...] = ()
    """Why the hand is refused; empty if it is not."""
    unfinished: SaveBar | None = None
    """The save bar that names the missing input; `None` if none is missing."""
    ruling: Ruling | None = None
    """The ruling on who won; `None` if the hand is refused or incomplete."""

    @property
    def nobody_took_note(self) -> str:
        """The note on points that were entered for no side, "2 points nobody took."; empty if not needed."""
        hand = self.hand_form.hand
        is_counted = self.ruling is not None and hand.input.by_points and not hand.input.thrown_in
        return f"{digits(hand.points_left, 'point')} nobody took." if is_counted and hand.points_left else ""


def hand_form_of(form: SettleForm) -> HandForm:
    """Return the form of the hand alone, in a match without earlier hands that is not stored."""
    ruleset, setup = form.rules.ruleset, _match_setup(form)
    # The outcome is dropped, as a match of a fixed number of hands may go on if its rules changed with this hand.
    before = open_match(ruleset, setup.seating, _match_start(form, setup))._replace(outcome=None)
    match = Match(setup, Link(id=0, code="", role=WATCHER, stream_id=0), fold(()), ruleset, before)
    return HandForm(match.with_pronouns("we"), form.input)


def _match_start(form: SettleForm, setup: MatchSetup) -> Start:
    """Return the start of the form's match: what the form says about the match before the hand, such as scores."""
    return replace(
        setup.carried_over, carried=parse_whole_number(form.carried) or 0, reached_by_two=form.reached_by_two
    )


def settle(form: SettleForm, budget: Budget) -> SettledHand:
    """Return the form's hand with its ruling, its faults or its missing input; `budget` limits the search."""
    if messages := form.faults():
        faults = tuple(Fault(field, "bad_value", text) for field, text in messages.items())
        return SettledHand(
            hand_form=hand_form_of(replace(form, before=EMPTY_PAPER.read({}, len(form.side_ids)))), faults=faults
        )
    hand_form = hand_form_of(form)
    filled = replace(hand_form, input=_with_implied_zeros(hand_form.hand))
    if not form.input.thrown_in and (unfinished := unfinished_bar(filled)):
        return SettledHand(hand_form=hand_form, unfinished=unfinished)
    try:
        hand = filled.input.to_hand() if form.is_checked_as_stored else filled.hand.to_hand()
        start, is_new = _match_start(form, hand_form.match.setup), not form.is_checked_as_stored
        ruling = make_ruling(
            hand_form.hand.before, hand, start, form.rules.base, hand_form.names, budget=budget, is_new=is_new
        )
    except (HandRefused, ImpossibleHand) as refused:
        faults = tuple(item.fault.with_names(hand_form.names) for item in refused.faults)
        return SettledHand(hand_form=hand_form, faults=faults)
    return SettledHand(hand_form=hand_form, ruling=ruling)


def _match_setup(form: SettleForm) -> MatchSetup:
    """Return the setup of a match with the form's rules, seating and scores."""
    ruleset, names = form.rules.ruleset, form.shown_names
    is_alone = not form.table.side_count
    seats, _ = seat_table(ruleset, names if is_alone else None, None if is_alone else [(name, ()) for name in names])
    assert seats
    record = Record(variant=form.rules.base.id, house={}, start=form.before.start(names))
    return new_setup(record, ruleset, seats)


def _with_implied_zeros(hand: HandInProgress) -> HandInput:
    """Return the input, with 0 in each empty column if no points can be left for it."""
    ruleset = hand.ruleset
    may_exceed = ruleset.points.game_tie == "all_tied_score" or ruleset.shared_gift is not None
    return hand.input if may_exceed or hand.points_left or not hand.assumed_points else _with_zeros(hand)


def _with_zeros(hand: HandInProgress) -> HandInput:
    """Return the input with 0 points in each empty column."""
    return replace(hand.input, points={**hand.input.points, **dict.fromkeys(hand.open_columns, "0")})
