"""A new match: the rules to choose from, then the table and what it agrees."""

from collections.abc import Mapping, Sequence

from flask import url_for

from scorekeeper.engine.seats import Seats, Side
from scorekeeper.engine.words import listed
from scorekeeper.engine.words.ends import ends_at
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.finding import seats as seat_counts
from scorekeeper.rules.questions import QUESTIONS, Question, disputed, possible_answers, to_agree, value_of, word_of
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.bounds import NAME_LENGTH, TITLE_LENGTH
from scorekeeper.web.contexts.new_match import (
    NewMatchPage,
    SeatView,
)
from scorekeeper.web.contexts.parts import (
    Action,
    BarView,
    Choice,
    FaultsView,
    FaultView,
    Hidden,
    QuestionView,
    SideView,
    TextField,
)
from scorekeeper.web.forms.new_match import (
    ALONE,
    HOUSE_FIELD,
    MARK_FIELD,
    PARTNERS,
    SEAT_FIELD,
    SIDE_FIELD,
    TableDraft,
    both_ways,
    with_partners,
)
from scorekeeper.web.present.sides import mark_sides
from scorekeeper.web.present.wording import counted

PLACES = ("s", "w", "n", "e")
"""Clockwise round a table of four, seen from above, the first seat nearest."""
SMALL_TARGETS, LARGE_TARGETS = (7, 11, 15, 21), (21, 42, 52, 62)
SMALL_HAND = 6
CENTS = (0, 5, 10, 25, 50, 100)


def in_short(ruleset: Ruleset) -> str:
    """Say a ruleset in a line: "4 players, 4 points a hand, to 21"."""
    counts = seat_counts(ruleset.table)
    people = str(counts[0]) if len(counts) == 1 else listed([str(n) for n in counts]).replace("and", "or")
    if len(counts) > 2:
        people = f"{counts[0]} to {counts[-1]}"
    return f"{people} players, {ruleset.on_offer} points a hand, {ends_at(ruleset)}"


def table_page(
    ruleset: Ruleset, draft: TableDraft, *, client_key: str, faults: Sequence[Fault] = (), code: str = ""
) -> NewMatchPage:
    """Fill the second step; `code` carries house rules along."""
    said = {fault.field: fault.message for fault in faults}
    partners = with_partners(ruleset.table, draft)
    views = _side_views(ruleset, draft, partners)
    asked = _questions(ruleset, draft, said)
    shown = {question.field for question in asked}
    carried = tuple((f"{HOUSE_FIELD}{k}", v) for k, v in draft.house.items() if f"{HOUSE_FIELD}{k}" not in shown)
    ours: Hidden = (("r", code),) if code else ()
    worn = tuple((f"{MARK_FIELD}{i}", str(mark)) for i, mark in enumerate(draft.marks))
    hidden: Hidden = (("client_key", client_key), ("chairs", str(draft.seats)), *ours, *worn, *carried)
    sheet = url_for("sheets.index", r=code) if code else url_for("sheets.rules", ruleset_id=ruleset.id)
    counts = seat_counts(ruleset.table)
    dealer = draft.names[draft.dealer] if draft.dealer >= 0 else ""
    return NewMatchPage(
        title="New match",
        bar=BarView(title="New match", back_url=url_for("home.index")),
        action=url_for("new.start", ruleset_id=ruleset.id),
        hidden=hidden,
        rules_name=ruleset.name,
        rules_small=in_short(ruleset),
        change=Action(label="Change", url=url_for("new.choose", chosen=ruleset.id)),
        sheet=Action(label="Read the rules", url=sheet, icon="book"),
        seats=tuple(_seat(draft, i, views, said) for i in range(draft.seats)),
        start_label=f"Start: {dealer} deals" if dealer else "Start",
        is_table=draft.seats == len(PLACES),
        seat_counts=tuple(Choice(value=str(n), label=str(n), is_chosen=n == draft.seats) for n in counts)
        if len(counts) > 1
        else (),
        seating=_seating(ruleset, draft, partners),
        side_names=_side_fields(draft, said) if partners else (),
        questions=asked,
        match_title=TextField(
            field="title",
            label="Match",
            value=draft.title,
            placeholder="Thursday at Oma’s",
            max_length=TITLE_LENGTH,
            fault=said.get("title", ""),
        ),
        faults=_faults_view(faults, draft),
    )


def _side_views(ruleset: Ruleset, draft: TableDraft, partners: bool) -> tuple[SideView, ...]:
    """Give each seat the marker of the side that it will be on."""
    if partners:
        number = ruleset.table.partners[draft.seats]
        names = [name or f"Side {i}" for i, name in enumerate(draft.side_names, 1)]
    else:
        number = draft.seats
        names = [name or f"{i}" for i, name in enumerate(draft.names, 1)]
    unique = [name if names.count(name) == 1 else f"{name} {i}" for i, name in enumerate(names, 1)]
    worn = dict(zip(unique, draft.marks, strict=True)) if len(unique) == len(draft.marks) else {}
    marked = list(mark_sides(Seats(tuple(Side(name) for name in unique)), {}, worn).values())
    return tuple(marked[i % number] for i in range(draft.seats))


def _seat(draft: TableDraft, i: int, views: Sequence[SideView], said: Mapping[str, str]) -> SeatView:
    name = draft.names[i]
    return SeatView(
        field=f"{SEAT_FIELD}{i}",
        value=name,
        label=f"Name, seat {i + 1}",
        placeholder=f"Seat {i + 1}",
        dealer_value=str(i),
        dealer_spoken=f"{name or f'Seat {i + 1}'} deals first",
        side=views[i],
        place=PLACES[i] if draft.seats == len(PLACES) else "",
        is_dealer=draft.dealer == i,
        fault=said.get(f"players.{i}", ""),
    )


def _seating(ruleset: Ruleset, draft: TableDraft, partners: bool) -> str:
    if ruleset.table.called:
        return "Everyone scores alone; the bidder calls a partner for the hand."
    if not partners:
        return "Everyone scores alone."
    number = ruleset.table.partners[draft.seats]
    if not any(draft.names):
        return f"{_sitting(draft.seats, number)} Names may stay empty."
    if not all(draft.names):
        return f"{_sitting(draft.seats, number)} Name everybody, or nobody."
    teams = [" & ".join(draft.names[i::number]) for i in range(number)]
    return f"{_sitting(draft.seats, number)[:-1]}: {', '.join(teams)}."


def _sitting(seats: int, sides: int) -> str:
    return "Partners sit opposite." if seats == 2 * sides else "The sides sit in turn round the table."


def _side_fields(draft: TableDraft, said: Mapping[str, str]) -> tuple[TextField, ...]:
    return tuple(
        TextField(
            field=f"{SIDE_FIELD}{i}",
            label=f"Side {i + 1}",
            value=name,
            placeholder="called after its players",
            max_length=NAME_LENGTH,
            fault=said.get(f"sides.{i}.name", ""),
        )
        for i, name in enumerate(draft.side_names)
    )


def _questions(ruleset: Ruleset, draft: TableDraft, said: Mapping[str, str]) -> tuple[QuestionView, ...]:
    """Ask how people sit where that is open, the target, what the sources leave open, and what tables fight over."""
    asked: list[QuestionView] = []
    if both_ways(ruleset.table, draft.seats):
        choices = ((PARTNERS, "with partners"), (ALONE, "each alone"))
        asked.append(
            QuestionView(
                field="seating",
                question="Who plays with whom?",
                choices=tuple(Choice(value=v, label=label, is_chosen=draft.seating == v) for v, label in choices),
            )
        )
    open_questions = to_agree(ruleset)
    known = {question.option for question in open_questions}
    numbers = [question for question in open_questions if question.is_number]
    asked += [_number_question(ruleset, question, draft, said) for question in numbers]
    if "target" not in known and ruleset.winning.target:
        asked.append(_number_question(ruleset, QUESTIONS["target"], draft, said))
    asked += [_question(ruleset, question, draft, said) for question in open_questions if not question.is_number]
    asked += [
        _question(ruleset, question, draft, said) for question in disputed(ruleset) if question.option not in known
    ]
    return tuple(asked)


def _number_question(ruleset: Ruleset, question: Question, draft: TableDraft, said: Mapping[str, str]) -> QuestionView:
    book = question.answer(ruleset)
    if question.option == "target":
        usual: Sequence[int] = SMALL_TARGETS if ruleset.on_offer <= SMALL_HAND else LARGE_TARGETS
    elif question.group == "money":
        usual = CENTS
    else:
        usual = range(1, min(ruleset.on_offer, 8) + 1)
    numbers = sorted({*usual, *([book] if book else []), *_given(draft, question.option)})
    return _asked(ruleset, question, [str(n) for n in numbers], draft, said)


def _given(draft: TableDraft, option: str) -> tuple[int, ...]:
    value = value_of(draft.house.get(option, ""))
    return (value,) if isinstance(value, int) else ()


def _question(ruleset: Ruleset, question: Question, draft: TableDraft, said: Mapping[str, str]) -> QuestionView:
    return _asked(ruleset, question, possible_answers(ruleset, question.option), draft, said)


def _asked(
    ruleset: Ruleset, question: Question, words: Sequence[str], draft: TableDraft, said: Mapping[str, str]
) -> QuestionView:
    book = question.answer(ruleset)
    book_word = "" if book is None else word_of(book)
    chosen = draft.house.get(question.option, book_word)
    return QuestionView(
        field=f"{HOUSE_FIELD}{question.option}",
        question=question.ask(ruleset),
        choices=tuple(
            Choice(
                value=word,
                label=word if question.option == "target" else question.label(value_of(word), ruleset),
                is_chosen=word == chosen,
                is_book=word == book_word,
            )
            for word in words
        ),
        fault=said.get(f"house.{question.option}", ""),
    )


def unanswered(ruleset: Ruleset, draft: TableDraft) -> list[Fault]:
    """Find what the sources leave open and the table has not agreed yet."""
    return [
        Fault(f"house.{question.option}", "to_agree", f"{question.ask(ruleset)} The book leaves it to the table.")
        for question in to_agree(ruleset)
        if not draft.house.get(question.option)
    ]


def name_faults(ruleset: Ruleset, draft: TableDraft) -> list[Fault]:
    """Find the chairs that still need a name."""
    if draft.is_unnamed and with_partners(ruleset.table, draft):
        return []
    return [
        Fault(f"players.{i}", "no_name", f"Seat {i + 1} needs a name.")
        for i, name in enumerate(draft.names)
        if not name
    ]


def _faults_view(faults: Sequence[Fault], draft: TableDraft) -> FaultsView | None:
    if not faults:
        return None
    things = counted(len(faults), "thing")
    items = tuple(FaultView(text=fault.message, target=_target_of(fault.field)) for fault in faults)
    return FaultsView(heading=f"Not started yet: {things} to put right", items=items)


def _target_of(field: str) -> str:
    head, _, rest = field.partition(".")
    if head == "house":
        return f"{HOUSE_FIELD}{rest}"
    if head == "players" and rest:
        return f"{SEAT_FIELD}{rest}"
    if head == "sides" and rest:
        return f"{SIDE_FIELD}{rest.partition('.')[0]}"
    return "title" if head == "title" else ""
