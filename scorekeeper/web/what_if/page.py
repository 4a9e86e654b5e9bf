"""What the page of a match under other rules shows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scorekeeper.graphics.markers import SideView
from scorekeeper.ledger.derive_match import Match
from scorekeeper.records.comparison import WhatIf
from scorekeeper.records.what_if import other_answers, played_match, what_if
from scorekeeper.rules.library import Library
from scorekeeper.rules.phrases import digits
from scorekeeper.web.match.page import match_title
from scorekeeper.web.shared.match_views import memoized, side_views
from scorekeeper.web.shared.widgets import HiddenFields
from scorekeeper.web.what_if.form import OtherRules, WhatIfForm, other_rules, rules_query
from scorekeeper.web.what_if.hands import HandLine, Remark, difference_remark, hand_lines
from scorekeeper.web.what_if.results import (
    MOST_COLUMNS,
    ResultCard,
    hands_named,
    other_detail,
    played_card,
    result_card,
)

MOST_SHOWN = 6
"""Other rules that are listed at once; the rest unfolds."""
_SHORT_NAME = 6
"""Letters of a side's name that fit over a column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherRule:
    """One other answer, and what comes of it."""

    query: Mapping[str, str]
    """The answer as the address has it."""
    label: str
    detail: str
    outcome: str
    """"Us win", "nobody yet", "not known"."""
    winners: tuple[SideView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The match beside itself under other rules."""

    other: ResultCard
    changes: tuple[str, ...]
    rest: str
    """"9 points a hand, all else as played."."""
    short: str
    """What stands over the columns of the other rules."""
    sides: tuple[SideView, ...]
    has_short_names: bool
    before: tuple[Remark, ...]
    """What is said before the first hand."""
    lines: tuple[HandLine, ...]
    undecided: str
    """What the winner hangs on, where a hand that is open may or may not have ended the match."""
    legend: str
    """What a "?" means; empty where there is none."""
    announcement: str

    @property
    def is_table(self) -> bool:
        """Whether every side has a column on each half."""
        return len(self.sides) <= MOST_COLUMNS

    @property
    def columns(self) -> int:
        """All columns, with those of the number and the bid."""
        return 2 + 2 * (len(self.sides) if self.is_table else 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfPage:
    """Template what_if/show.html. Blocks: results, share_it, announcement, hands."""

    code: str
    match_title: str
    hands: str
    """"10 hands"."""
    query: Mapping[str, str]
    """All that the address says, as it is shared."""
    rules_fields: HiddenFields
    is_owner: bool
    problem: str
    """Why nothing can be compared."""
    played: ResultCard
    comparison: Comparison | None
    first_rules: tuple[OtherRule, ...]
    more_rules: tuple[OtherRule, ...]


def what_if_page(match: Match, form: WhatIfForm, variants: Library) -> WhatIfPage:
    """Return a match beside itself under the rules that an address names."""
    played = played_match(match)
    other = other_rules(form, match.rules, variants) if form.asks else OtherRules(None)
    problem, comparison = other.problem, None
    shown = what_if(played, other.ruleset or match.rules, form.told)
    if other.ruleset and shown.refusal:
        problem = shown.refusal
    elif other.ruleset:
        comparison = _comparison(match, shown, other)
    rules = [it for it in _rules_listed(match) if it.query != form.query]
    return WhatIfPage(
        code=match.code,
        match_title=match_title(match),
        hands=digits(match.counted.next_number - 1, "hand"),
        query=form.query if comparison else {},
        rules_fields=form.rules_fields,
        is_owner=match.link.is_owner,
        problem=problem,
        played=played_card(match, shown, played),
        comparison=comparison,
        first_rules=tuple(rules[:MOST_SHOWN]),
        more_rules=tuple(rules[MOST_SHOWN:]),
    )


# ---------- the list of other rules ----------


@memoized
def _rules_listed(match: Match) -> tuple[OtherRule, ...]:
    """Return what comes of every single other answer; a match without hands has nothing to compare."""
    if not match.counted.results:
        return ()
    sides = side_views(match)
    return tuple(
        OtherRule(
            query=rules_query(it.house),
            label=it.label,
            detail=it.detail,
            outcome=it.heading if it.match.otherwise.winners else it.heading[:1].lower() + it.heading[1:],
            winners=tuple(sides[side] for side in it.match.otherwise.winners or ()),
        )
        for it in other_answers(played_match(match))
    )


def _comparison(match: Match, shown: WhatIf, other: OtherRules) -> Comparison:
    sides = tuple(side_views(match).values())
    ending = shown.otherwise
    before = [Remark(lead="", text=note) for note in (*shown.notes, *_left_out(match))]
    first = shown.first_difference
    if first and first.kind == "start":
        before.insert(0, difference_remark("The first difference.", first.sentence))
    card = result_card(match, other.label, ending, other_detail(shown))
    return Comparison(
        other=card,
        changes=tuple(dict.fromkeys(shown.changes)),
        rest=_rest(shown),
        short=other.short,
        sides=sides,
        has_short_names=all(len(side.name) <= _SHORT_NAME for side in sides),
        before=tuple(before),
        lines=tuple(hand_lines(match, shown, other)),
        undecided=_undecided(shown),
        legend=_legend(shown),
        announcement=f"{other.label}: {card.outcome}{f', {card.detail}' if card.detail else ''}.",
    )


def _left_out(match: Match) -> Iterator[str]:
    if match.log.counted < len(match.log.hands):
        yield "Hands that still wait to be accepted are left out."


def _rest(shown: WhatIf) -> str:
    before, after = shown.points_per_hand
    if not shown.changes:
        return "These are the rules that the match was played by."
    return f"{digits(after, 'point')} a hand, all else as played." if before != after else "All else as played."


def _undecided(shown: WhatIf) -> str:
    is_said = shown.stop or any(row.ends_otherwise for row in shown.rows)
    return "" if shown.otherwise.is_known or is_said else shown.otherwise.why


def _legend(shown: WhatIf) -> str:
    """Return what a "?" means."""
    if not any(not span.is_known for row in shown.rows for span in row.scores.values()):
        return ""
    open_hands = list(dict.fromkeys(it.number for it in shown.questions if it.told is None))
    until = f" until {hands_named(open_hands)} {'are' if len(open_hands) > 1 else 'is'} settled" if open_hands else ""
    return f"? means that the total is not known{until}: it may be either end, or between."
