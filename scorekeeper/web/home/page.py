"""What the home page shows: this phone's matches, the one that is being played on top."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from scorekeeper.graphics.markers import SideView
from scorekeeper.ladder import words
from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.payments import shown_amounts
from scorekeeper.services.match_list import ListedMatch
from scorekeeper.services.nights import NightAtHand
from scorekeeper.web.match.listed import how_it_stands, listed_title
from scorekeeper.web.match.page import match_title, rules_words
from scorekeeper.web.shared.match_views import side_views

MOST_TABLES = 2
DESCRIPTION = "Keep score of Pitch, also called Setback, with real cards and your house rules: who won, and why."


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
    at: datetime
    """When something was last written into it."""
    small: str
    """"Ann & Cal 21, Bea & Dan 17; hand 6"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightLine:
    """A tournament night of this phone."""

    code: str
    title: str
    small: str
    """"Round 3 of 6", "Ida & Jon win the night"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePage:
    """Template home/index.html. Blocks: matches."""

    current: MatchCard | None
    again: tuple[TableLine, ...]
    others: tuple[MatchLine, ...]
    nights: tuple[NightLine, ...]
    deleted_title: str
    """Of the match that was deleted just now; empty where none was."""
    deleted_code: str
    deleted_night: str
    """What the night is called that was deleted just now; empty where none was."""
    deleted_night_code: str
    book_code: str
    """Of the link to this phone's book; empty before its first match is over."""

    @property
    def description(self) -> str:
        """What the page is, for who looks for such a thing; empty where it shows a match."""
        shows = self.current or self.again or self.others or self.nights or self.deleted_code or self.deleted_night_code
        return "" if shows else DESCRIPTION


def home_page(
    matches: Sequence[ListedMatch],
    deleted: Match | None,
    book_code: str = "",
    nights: Sequence[NightAtHand] = (),
    deleted_night: NightAtHand | None = None,
) -> HomePage:
    """Return the home page with a phone's matches, the one opened last first, a link to its book, and its nights."""
    loaded = [item.match for item in matches if item.match]
    current = next((match for match in loaded if match.status == "in_progress"), None)
    return HomePage(
        current=_card(current) if current else None,
        again=_tables(loaded),
        others=tuple(_line(item) for item in matches if item.match is not current or current is None),
        nights=tuple(
            NightLine(
                code=found.code,
                title=words.night_title(found.night),
                small=words.champion_words(found.night) or words.round_words(found.night),
            )
            for found in nights
        ),
        deleted_title=match_title(deleted) if deleted else "",
        deleted_code=deleted.code if deleted else "",
        deleted_night=words.night_title(deleted_night.night) if deleted_night else "",
        deleted_night_code=deleted_night.code if deleted_night else "",
        book_code=book_code,
    )


def _card(match: Match) -> MatchCard:
    shown = shown_amounts(match.counted)
    scores = tuple(
        CardScore(side=view, score=shown[side], is_negative=match.counted.scores[side] < 0)
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
    return MatchLine(code=item.link.code, title=listed_title(item), at=item.written_at, small=how_it_stands(item))
