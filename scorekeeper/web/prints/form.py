"""What an address asks to be printed, and how."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from flask import abort, request

from scorekeeper.extensions import db
from scorekeeper.ladder.words import night_title
from scorekeeper.ledger.derive_match import Match
from scorekeeper.printing.kinds import KINDS, Kind, Rules, Subject, kinds_of
from scorekeeper.printing.print_options import INK_NAMES, PAPER_NAMES, PrintOptions
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.money_nights import night_of
from scorekeeper.services.people import people_of
from scorekeeper.web.match.page import match_title
from scorekeeper.web.money_night import money_slip
from scorekeeper.web.people.figures import year_sheet
from scorekeeper.web.prints.score_sheet import match_score_sheet
from scorekeeper.web.rules.source import match_rules, rules_to_print, standard_rules, variant_rules
from scorekeeper.web.shared.places import load_book, load_match, load_night
from scorekeeper.web.shared.reader import region
from scorekeeper.web.shared.respond import external_url


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What is printed from: a match, a book's year, a night of either kind, a share code, or a variant with answers."""

    title: str = ""
    match_code: str = ""
    book_code: str = ""
    year: str = ""
    night_code: str = ""
    money_code: str = ""
    share_code: str = ""
    ruleset_id: str = ""
    answers: Mapping[str, str] = field(default_factory=dict)

    @property
    def query(self) -> dict[str, str]:
        """How an address names it."""
        named = {
            "match": self.match_code,
            "book": self.book_code,
            "year": self.year,
            "night": self.night_code,
            "money": self.money_code,
            "r": self.share_code,
            "rules": self.ruleset_id,
        }
        return {**{name: code for name, code in named.items() if code}, **self.answers}


@dataclass(frozen=True, slots=True)
class PrintSource:
    """What an address names, and what can be printed from it."""

    origin: Origin
    subjects: tuple[Subject, ...]

    @property
    def kinds(self) -> dict[str, tuple[Kind, Subject]]:
        """Every kind of sheet that can be made from it, with what it is made from."""
        return {kind_id: (kind, it) for it in self.subjects for kind_id, kind in kinds_of(it).items()}


def read_source() -> PrintSource | None:
    """Return what the address asks for; `None` where it names nothing."""
    if code := request.args.get("match"):
        return match_source(load_match(code))
    if code := request.args.get("night"):
        night = load_night(code).night
        return PrintSource(Origin(title=night_title(night), night_code=code), (night,))
    if code := request.args.get("money"):
        return _money_source(load_match(code))
    if code := request.args.get("book"):
        return _year_source(code, request.args.get("year", 0, type=int))
    if code := request.args.get("r"):
        ruleset = rules_to_print(code)
        return PrintSource(Origin(title=ruleset.name, share_code=code), (_rules(ruleset),))
    if ruleset_id := request.args.get("rules"):
        return _variant_source(ruleset_id)
    return None


def match_source(match: Match) -> PrintSource:
    """Return a match as what can be printed from."""
    origin = Origin(title=match_title(match), match_code=match.code)
    return PrintSource(origin, (match_score_sheet(match, region().dates), _rules(match_rules(match))))


def _money_source(match: Match) -> PrintSource:
    if not match.state.ruleset.pays:
        abort(404)
    slip = money_slip(night_of(db.session, match.link), match, region().dates)
    return PrintSource(Origin(title=slip.title, money_code=match.code), (slip,))


def _year_source(code: str, year: int) -> PrintSource:
    people = people_of(db.session, load_book(code))
    today = datetime.now(UTC).astimezone().date()
    sheet = year_sheet(people, year, today, region().dates) or abort(404)
    return PrintSource(Origin(title=sheet.title, book_code=code, year=str(year)), (sheet,))


def _variant_source(ruleset_id: str) -> PrintSource:
    rules = variant_rules(ruleset_id)
    if rules.faults:
        abort(422)
    origin = Origin(title=rules.ruleset.name, ruleset_id=ruleset_id, answers=rules.answers)
    return PrintSource(origin, (_rules(rules.ruleset),))


def _rules(ruleset: Ruleset) -> Rules:
    return Rules(ruleset, standard_rules(ruleset), external_url("rules.index"))


def read_options(kinds: Mapping[str, object]) -> tuple[str, PrintOptions]:
    """Return which of these kinds the address asks for, and how it is printed; 404 for what there is not."""
    kind_id = request.args.get("kind") or next(iter(kinds))
    paper, ink = request.args.get("paper", region().paper), request.args.get("ink", "colour")
    if kind_id not in kinds or paper not in PAPER_NAMES or ink not in INK_NAMES:
        abort(404)
    sizes, size = KINDS[kind_id].sizes, request.args.get("size", "")
    return kind_id, PrintOptions(paper, ink, size if size in sizes else next(iter(sizes)))
