"""Every way to start a match, with every house answer, one and two at a time: a match is played by the rules shown.

The paths are made from the lists: the rulesets, the options and awards, and `STARTS` below.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any
from urllib.parse import urlencode

from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import Writer
from scorekeeper.matches.events import RulesChanged
from scorekeeper.matches.service import load_match, write_match
from scorekeeper.pages.find_game.finder import Candidate, GameDescription, find_fits, usual_points_by_name
from scorekeeper.pitch.rules.house_rules import HouseRules, resolve_house_rules, with_house, without_moot_answers
from scorekeeper.pitch.rules.options import is_offered, moot_options, options
from scorekeeper.pitch.rules.questions import (
    DISPUTED_OPTIONS,
    QUESTIONS,
    answer_word,
    answers_needed_beside,
    parse_word,
    rule_availabilities,
    usual_numbers,
)
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import decode, encode, fingerprint
from scorekeeper.pitch.text.rule_changes import house_answers_as_rules
from scorekeeper.web.context import new_form_key
from scorekeeper.web.library import library
from tests.common.phone import Page, Phone
from tests.common.reading import Form
from tests.pages.conftest import PEOPLE

STARTS = ("link", "tap", "code", "saved", "house_and_link", "again", "changed", "paper", "import")
"""Ways to start a match with house answers. The finder is one more: it chooses the answers itself."""
FINDER = "finder"
NAME, NOTE = "The Walkers’ Pitch", "Loser washes up."


@dataclass(frozen=True)
class Path:
    """One way to start a match of one game, with the house answers that it is started with."""

    start: str
    ruleset_id: str
    answers: Mapping[str, Any] = field(default_factory=dict)
    query: str = ""
    """The query of the game finder."""

    def __str__(self) -> str:
        return f"{self.start} to {self.ruleset_id}: {dict(self.answers)} {self.query}".strip()


class BrokenPromise(Exception):
    """A page of a path contradicts the page before."""


def random_paths(rng: Random, count: int) -> Iterator[Path]:
    """Yield random paths, as many for each start, every other one with two answers where they fit together."""
    games = {start: [base for base in library() if _carries(start, base, {})] for start in STARTS}
    starts = [*STARTS, FINDER]
    rows = [found for description in every_description() if (found := list(rows_of(description)))]
    for number in range(count):
        start = starts[number % len(starts)]
        if start == FINDER:
            yield rng.choice(rng.choice(rows))
            continue
        base = rng.choice(games[start])
        one, other = rng.choices(_answers_of(start, base)[1:] or [{}], k=2)
        both = {**one, **other}
        fits = _carries(start, base, both) and not with_house(base, both)[1]
        yield Path(start, base.id, both if rng.random() < 0.5 and fits else one)


def _answers_of(start: str, base: Ruleset) -> list[dict[str, Any]]:
    """Return the answers that a match started like this can have, none first."""
    return [answers for answers in ({}, *single_answers(base.id)) if _carries(start, base, answers)]


def _carries(start: str, base: Ruleset, answers: Mapping[str, Any]) -> bool:
    """Return whether a match started like this can have these answers: the page of a new match has few questions."""
    if start != "tap":
        return True
    is_question = answers.keys() <= {"target", *DISPUTED_OPTIONS} and isinstance(answers.get("low", ""), str)
    moot, usual = moot_options(with_house(base, answers)[0]), usual_numbers(base, QUESTIONS["target"])
    is_tapped = answers.get("target", usual[0]) in usual
    return (
        is_question
        and is_tapped
        and all(answer not in moot and is_offered(base, answer, answers[answer]) for answer in answers)
    )


@cache
def single_answers(ruleset_id: str) -> tuple[dict[str, Any], ...]:
    """Return every other answer to every option and award of a game, with what it needs beside it."""
    base = library()[ruleset_id]
    return tuple(
        {**answers_needed_beside(base, key.name, answer), key.name: answer}
        for key, availability in rule_availabilities(base, {}).items()
        for answer in availability.other_answers
    )


def every_description() -> Iterator[GameDescription]:
    """Yield how four may describe their game: the usual cards, without each, with each other, to three targets."""
    names = list(usual_points_by_name(_variants()))
    usual = frozenset(names[:4])
    for cards in (usual, *(usual - {name} for name in names[:4]), *(usual | {name} for name in names[4:])):
        for target in (None, 15, 33):
            yield GameDescription(players=4, cards=cards, target=target)


def rows_of(description: GameDescription) -> Iterator[Path]:
    """Yield the finder's rows that change a rule."""
    fields = [("answered", "yes"), ("players", "4"), *(("cards", card) for card in sorted(description.cards))]
    query = urlencode([*fields, *([("target", str(description.target))] if description.target else [])])
    for fit in find_fits(_variants(), description):
        if fit.answers and fit.is_fit:
            yield Path(FINDER, fit.game.ruleset.id, fit.answers, query)


def _variants() -> list[Candidate]:
    return [Candidate(ruleset=ruleset, listing=library().listing_by_id[ruleset.id]) for ruleset in library()]


class Walker:
    """Phones that go every way in to a match, and look whether the pages keep what was promised."""

    def __init__(self, app: Flask) -> None:
        app.config["WTF_CSRF_ENABLED"] = False
        self.app = app
        self._imports = 0

    def walk(self, path: Path) -> bool:
        """Go a path; raises `BrokenPromise`. Return whether there is such a path: not every answer is tapped."""
        phone, base = Phone(self.app.test_client()), library()[path.ruleset_id]
        try:
            wanted, faults = with_house(base, path.answers)
            _same(faults, [], "the answers stand together")
            match, wanted = self._match(phone, path, base, wanted) or (None, wanted)
            if match is None:
                return False
            self._looks_at_match(match, base, wanted, is_own=path.start in ("code", "saved", "house_and_link"))
        except (AssertionError, BrokenPromise, StopIteration, KeyError) as broken:
            raise BrokenPromise(f"{path}\n  {broken!r}") from broken
        return True

    def _match(self, phone: Phone, path: Path, base: Ruleset, wanted: Ruleset) -> tuple[Page, Ruleset] | None:
        """Return the match that was started, and the rules that it should have: what was open is agreed there."""
        typed: dict[str, str] = {}
        if path.start == "tap":
            offered = phone.open(f"/new/{base.id}").form(base.id)
            typed = {f"house-{name}": answer_word(answer) for name, answer in path.answers.items()}
            if any(word not in offered.offered.get(name, ()) for name, word in typed.items()):
                return None
        table = phone.open(self._address(phone, path, base))
        _same("Left out" in table.text, False, "nothing is left out")
        if path.start not in ("tap", "changed"):
            self._check_table(table, path, base, wanted)
        if path.start == "paper":
            typed["paper-score-0"] = "5"
        match, agreed = self._start(phone, table, wanted, typed)
        # What the table answered and the change makes moot is not kept.
        agreed = without_moot_answers(
            wanted, {name: answer for name, answer in agreed.items() if name not in path.answers}
        )
        wanted = with_house(wanted, agreed)[0]
        if path.start in ("again", "changed"):
            if path.start == "changed":
                self._change(match, path)
            table = phone.open(f"/new/again/{match.code}")
            _same("Left out" in table.text, False, "nothing is left out")
            match, _ = self._start(phone, table, wanted, {})
        if path.start == "import":
            file = phone.open(f"{match.path}record.json").response.data
            other = Phone(self.app.test_client())
            self._imports += 1  # from a network of its own, which may import only so much in an hour
            other.client.environ_base["REMOTE_ADDR"] = f"10.{self._imports // 256 % 256}.{self._imports % 256}.1"
            match = other.upload(other.open("/transfer"), "/transfer", "a.json", file)
            _same(match.path.startswith("/matches/"), True, f"the match is imported: {match.text[:300]}")
        return match, wanted

    def _address(self, phone: Phone, path: Path, base: Ruleset) -> str:
        """Return where the table is laid."""
        answers = {f"house-{name}": answer_word(answer) for name, answer in path.answers.items()}
        if path.start in ("tap", "changed"):
            answers = {}
        if path.start in ("code", "saved", "house_and_link"):
            own = dict(path.answers)
            if path.start == "house_and_link":
                name, answer = own.popitem() if own else ("", None)
                answers = {f"house-{name}": answer_word(answer)} if name else {}
                if with_house(base, own)[1]:  # no house could save these without the rest
                    own, answers = dict(path.answers), {}
            code = encode(HouseRules(NAME, base.id, own, (NOTE,)))
            if path.start == "saved":
                saved = phone.post("/house/take", {"r": code, "client_key": new_form_key()})
                return next(link.attrs["href"] for link in saved.all("a") if "Play by these rules" in link.text)
            answers = {"r": code} if path.start == "code" else {"r": code, **answers}
        if path.start == FINDER:
            chosen = phone.open(f"/new?{path.query}&game={base.id}")
            return chosen.one(id="bottom_bar").one("a").attrs["href"] or ""
        return f"/new/{base.id}{'?' if answers else ''}{urlencode(answers)}"

    def _check_table(self, table: Page, path: Path, base: Ruleset, wanted: Ruleset) -> None:
        """Check that the page of a new match shows each changed rule: as the answer to a question, or in words."""
        form = table.form(base.id)
        questions = {name: form.fields.get(name) for name in form.offered if name.startswith("house-")}
        low_is_worth = wanted.worth("low") != base.worth("low") if "low" in base.awards else False
        for name in path.answers:
            if f"house-{name}" in questions and not (name == "low" and low_is_worth):
                _same(questions[f"house-{name}"], answer_word(wanted.answer(name)), f"{name} as it is asked")
            elif path.start not in ("code", "saved", "house_and_link"):
                (rule,) = house_answers_as_rules(base, wanted, {name: path.answers[name]})
                _same(_plain(rule.sentence) in _plain(table.text), True, f"“{rule.sentence}” at the table")
        _same(f"{wanted.points_per_hand} points a hand" in table.text, True, "the points of a hand")

    def _start(
        self, phone: Phone, table: Page, wanted: Ruleset, typed: Mapping[str, str]
    ) -> tuple[Page, dict[str, Any]]:
        """Name everybody, answer what is open, and start; return what was agreed."""
        form = table.form(wanted.id)
        chairs = [name for name in form.fields if name.startswith("seat-")]
        agreed = _all_agreed(form, wanted, typed)
        named = dict(zip(chairs, PEOPLE, strict=False)) if not any(form.fields[chair] for chair in chairs) else {}
        match = phone.post(form.action, form.filled({**named, **typed, **agreed}, press="Start"))
        _same(match.path.startswith("/matches/"), True, f"the match starts: {match.text[:300]}")
        return match, _read(agreed)

    def _change(self, match: Page, path: Path) -> None:
        """Change the rules in the middle of the match."""
        with self.app.app_context():
            found = load_match(db.session, match.code)
            change = RulesChanged(house=dict(path.answers), on="2026-11-20")
            write_match(db.session, found.code, change, Writer("change"), expected_version=found.version)

    def _looks_at_match(self, match: Page, base: Ruleset, wanted: Ruleset, *, is_own: bool) -> None:
        phone = match.phone
        with self.app.app_context():
            found = load_match(db.session, match.code)
        _same(fingerprint(found.state.ruleset), fingerprint(wanted), "the rules of the match")
        entry = phone.open(f"{match.path}hands/new").form("/hands/new")
        took = {name.removeprefix("took-") for name in entry.offered if name.startswith("took-")}
        counted = (name.split("-")[1].split(".") for name in entry.offered if name.startswith("copies-"))
        took |= {award for alike in counted for award in alike}
        _same(took, set(wanted.in_play), "rows of the entry, one for each award that is scored")
        sheet = phone.open(f"{match.path}rules").text
        _same(fingerprint(wanted) in sheet, True, "the fingerprint on the sheet")
        record = match.record
        exported, faults = with_house(base, record.get("house", {}))
        _same((fingerprint(exported), faults), (fingerprint(wanted), []), "the rules of the record")
        named = record.get("house_rules")
        _same(named, {"name": NAME, "notes": [NOTE]} if is_own else None, "the name in the record")
        _same((NAME in sheet, NOTE in sheet), (is_own, is_own), "the name on the sheet")
        for code in re.findall(r"[?&]r=(1\.[\w-]+)", sheet):
            shared = resolve_house_rules(decode(code), library())[0] or base
            _same(fingerprint(shared), fingerprint(wanted), "the code on the sheet")


def _all_agreed(form: Form, wanted: Ruleset, typed: Mapping[str, str]) -> dict[str, str]:
    """Return an answer to each question that is open."""
    answered = {*form.fields, *(name.replace("other-", "house-") for name in typed)}
    return dict(
        _agreed(form, name, wanted) for name in form.offered if name.startswith("house-") and name not in answered
    )


def _read(agreed: Mapping[str, str]) -> dict[str, Any]:
    """Return answers as the rules have them."""
    read = {name.partition("-")[2]: word for name, word in agreed.items()}
    return {name: options()[name].parse_answer(parse_word(word)) for name, word in read.items()}


def _agreed(form: Form, name: str, wanted: Ruleset) -> tuple[str, str]:
    """Return the first answer that fits the rest, with its field: one that is offered, or else a number typed."""
    option = name.removeprefix("house-")
    offered = sorted(
        form.offered[name], key=lambda word: (not word.isdigit(), int(word) if word.isdigit() else 0, word)
    )
    typed = [(f"other-{option}", str(number)) for number in range(1, 10) if f"other-{option}" in form.fields]
    for field_name, word in [*((name, word) for word in offered), *typed]:
        if not with_house(wanted, {option: parse_word(word)})[1]:
            return field_name, word
    return name, offered[0]


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w.,’ ]", " ", text).split())


def _same(found: object, expected: object, what: str) -> None:
    if found != expected:
        raise BrokenPromise(f"{what}: {found!r} instead of {expected!r}")
