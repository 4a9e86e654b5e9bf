"""What the home page shows: this phone's matches, the one that is being played on top."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.engine.outcome import comparable
from scorekeeper.graphics.markers import SideView
from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.phrases import named, score_text
from scorekeeper.rules.phrases import listed
from scorekeeper.services.match_list import ListedMatch
from scorekeeper.web.match.page import match_title, rules_words
from scorekeeper.web.shared.phrases import short_day
from scorekeeper.web.shared.side_views import side_views

MOST_TABLES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CardScore:
    """One side's score on the card of the current match."""

    side: SideView
    score: str
    is_negative: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCard:
    """The match that this phone opened last and that is still being played."""

    code: str
    title: str
    next_hand: int
    scores: tuple[CardScore, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """People who played, with their rules, to play again."""

    code: str
    players: str
    """"Ann & Cal, Bea & Dan"."""
    rules: str
    """"Partnership Pitch, to 21"."""
    number: int
    """How many play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """Another match of this phone, still being played or over."""

    code: str
    title: str
    small: str
    """"20 Nov, Us won"."""
    scores: str
    """"21 : 17"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePage:
    """Template home/index.html. Blocks: matches."""

    current: MatchCard | None
    again: tuple[TableLine, ...]
    others: tuple[MatchLine, ...]
    deleted_title: str
    """Of the match that was deleted just now; empty where none was."""
    deleted_code: str


def home_page(matches: Sequence[ListedMatch], deleted: Match | None) -> HomePage:
    """Return the home page with a phone's matches, the one opened last first."""
    loaded = [item.match for item in matches if item.match]
    current = next((match for match in loaded if match.status == "in_progress"), None)
    return HomePage(
        current=_card(current) if current else None,
        again=_tables(loaded),
        others=tuple(_line(item) for item in matches if item.match is not current or current is None),
        deleted_title=match_title(deleted) if deleted else "",
        deleted_code=deleted.code if deleted else "",
    )


def _card(match: Match) -> MatchCard:
    scores = tuple(
        CardScore(side=view, score=score_text(match.counted.scores[side]), is_negative=match.counted.scores[side] < 0)
        for side, view in side_views(match).items()
    )
    return MatchCard(code=match.code, title=match_title(match), next_hand=match.state.next_number, scores=scores)


def _tables(matches: Sequence[Match]) -> tuple[TableLine, ...]:
    """Return the last tables; the same people with the same rules are one."""
    lines: dict[tuple[str, str, tuple[str, ...]], TableLine] = {}
    for match in matches:
        ruleset, seats, sides = match.state.ruleset, match.state.seats, side_views(match).values()
        table = ruleset.id, match.setup.digest, tuple(view.name for view in sides)
        if table not in lines and len(lines) < MOST_TABLES:
            lines[table] = TableLine(
                code=match.code,
                players=", ".join(view.people or view.name for view in sides),
                rules=rules_words(match.state),
                number=len(seats.players) or next(iter(ruleset.table.partners), 2),
            )
    return tuple(lines.values())


def _line(item: ListedMatch) -> MatchLine:
    match, when = item.match, short_day(item.written_at)
    if match is None:
        small = f"{when}: Scorekeeper can’t read its rules"
        return MatchLine(code=item.link.code, title=item.title or "A match", small=small, scores="")
    best = sorted(match.counted.scores.values(), key=lambda score: -comparable(match.state.ruleset, score))
    return MatchLine(
        code=item.link.code,
        title=match_title(match),
        small=f"{when}, {_stage(match)}",
        scores=" : ".join(score_text(score) for score in best[:3]),
    )


def _stage(match: Match) -> str:
    if match.counted.outcome:
        return f"{listed(named(match.counted.outcome.winners, match.names))} won"
    return match.status if match.status in ("over", "stopped") else f"hand {match.state.next_number}"
