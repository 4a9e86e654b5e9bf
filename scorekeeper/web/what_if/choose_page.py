"""What the page that chooses another rule shows: every question with its answers, and games of the same points."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.house_versions import StoredHouse
from scorekeeper.records.comparison import PlayedMatch
from scorekeeper.records.what_if import played_match, what_if
from scorekeeper.rules.codes import encode
from scorekeeper.rules.house_rules import resolve
from scorekeeper.rules.phrases import digits
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.schema import Ruleset
from scorekeeper.web.house_rules.form import OPTION_PREFIX, WORTH_PREFIX, RulesForm
from scorekeeper.web.house_rules.questions import NumberView, question_groups
from scorekeeper.web.match.page import match_title
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.match_views import memoized
from scorekeeper.web.shared.widgets import QuestionView

_SELDOM = "Cards that don’t score"
_MOST_HOUSES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedRule:
    """One rule with its answers."""

    field: str
    """Its name in the address."""
    title: str
    now: str
    """The match's own answer."""
    asked: QuestionView | NumberView

    @property
    def strip(self) -> QuestionView | None:
        """Its answers, where there are a few."""
        return self.asked if isinstance(self.asked, QuestionView) else None

    @property
    def label(self) -> str:
        """The question to a number."""
        return self.title if isinstance(self.asked, QuestionView) else self.asked.note or self.title

    @property
    def value(self) -> str:
        """The number now."""
        return "" if isinstance(self.asked, QuestionView) else self.asked.value


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleGroup:
    """Rules that a table thinks of together."""

    heading: str
    rules: tuple[AskedRule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherGame:
    """Another game, or somebody's own rules, by which the match can be scored."""

    name: str
    summary: str
    query: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoosePage:
    """Template what_if/choose.html."""

    code: str
    match_title: str
    groups: tuple[RuleGroup, ...]
    points: int
    """A hand, by the match's own rules."""
    games: tuple[OtherGame, ...]


def choose_page(match: Match, houses: Iterable[StoredHouse]) -> ChoosePage:
    """Return every rule that can be answered otherwise, and the games and house rules that seat the same sides."""
    return ChoosePage(
        code=match.code,
        match_title=match_title(match),
        groups=tuple(it for it in _groups(match.rules, pays=match.counted.money is not None) if it.rules),
        points=match.rules.points_per_hand,
        games=(*_own_games(match, houses), *_variants(match)),
    )


def _groups(own: Ruleset, *, pays: bool) -> Iterator[RuleGroup]:
    seldom: list[AskedRule] = []
    for group in question_groups(RulesForm(own), {}):
        if group.group_id == "play" or (group.group_id == "money" and not pays):
            continue  # these move no score
        yield RuleGroup(heading=group.heading, rules=tuple(_asked(own, item) for item in group.items))
        seldom += (_asked(own, item) for item in group.seldom)
    yield RuleGroup(heading=_SELDOM, rules=tuple(seldom))


def _asked(own: Ruleset, item: QuestionView | NumberView) -> AskedRule:
    is_worth = item.field.startswith(WORTH_PREFIX)
    name = item.field.removeprefix(WORTH_PREFIX).removeprefix(OPTION_PREFIX)
    question = QUESTIONS[name]
    if is_worth:
        points = int(own.worth(name))
        title, now = own.awards[name].name, digits(points, "point") if points else "does not score"
    else:
        title, now = question.title(own), question.label(question.answer(own), own)
    return AskedRule(field=name, title=title, now=now, asked=item)


@memoized
def _variants(match: Match) -> tuple[OtherGame, ...]:
    """Return the games of the same points that the sides could have played."""
    played = played_match(match)
    alike = (it for it in library() if it.points_per_hand == match.rules.points_per_hand and it.id != match.rules.id)
    return tuple(
        OtherGame(name=it.name, summary=it.summary, query={"variant": it.id}) for it in alike if _can_be(played, it)
    )


def _own_games(match: Match, houses: Iterable[StoredHouse]) -> Iterator[OtherGame]:
    """Yield the house rules on this phone by which the match can be scored."""
    played = played_match(match)
    for house in list(houses)[:_MOST_HOUSES]:
        rules = house.last.rules
        ruleset, _ = resolve(rules, library())
        if ruleset and not house.last.is_retired and _can_be(played, ruleset):
            yield OtherGame(name=rules.name, summary=ruleset.summary, query={"r": encode(rules)})


def _can_be(played: PlayedMatch, ruleset: Ruleset) -> bool:
    """Return whether a match can be scored by other rules at all, whatever was played in it."""
    unplayed = replace(played, state=replace(played.state, outcome=None, results=()))
    return not what_if(unplayed, ruleset).refusal
