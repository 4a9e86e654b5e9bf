"""What the page of a money night shows: who owes whom, and what each match settled."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.payments import dollars, owed_words
from scorekeeper.rules.phrases import digits, listed, money
from scorekeeper.services.money_nights import MoneyNight, NightMatch, may_change_players, may_take_back
from scorekeeper.web.match.page import match_title, rules_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """What somebody is owed for the whole night."""

    name: str
    amount: str
    """"+$1.20"."""
    small: str
    """"has left", "3 of 4 matches"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """One match of the night."""

    code: str
    """Empty where this phone has no link to it."""
    number: int
    label: str
    """Who played: "Ann, Bob, Cal and Dot"."""
    change: str
    """How the players changed before it: "Eve joins. Bob leaves."; empty for the first."""
    settled: str
    """What it settled: "Ann gets $1.20, Bob owes $1.20"."""
    small: str
    """"4 hands, settled up"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyNightPage:
    """Template money_night/show.html. Blocks: night, bottom_bar."""

    code: str
    version: int
    title: str
    rules: str
    payments: tuple[str, ...]
    """"Bob pays Ann $1.20"."""
    balances: tuple[Balance, ...]
    matches: tuple[MatchLine, ...]
    """The latest first."""
    current_code: str
    """The link to the last match; empty where this phone has none."""
    change_label: str
    """What the link is called by which players join and leave; empty where this phone may not."""
    may_take_back: bool


def money_night_page(night: MoneyNight, match: Match) -> MoneyNightPage:
    """Return the page of a night for a phone that came by one of its matches."""
    last = night.matches[-1].match if night.matches else match
    return MoneyNightPage(
        code=match.code,
        version=night.version,
        title=match_title(match),
        rules=rules_words(match.state),
        payments=payment_words(night),
        balances=balances(night),
        matches=tuple(reversed(list(_match_lines(night)))),
        current_code=last.code,
        change_label=_change_label(last),
        may_take_back=may_take_back(night, last),
    )


def _change_label(match: Match) -> str:
    if not (match.code and match.link.may_score and may_change_players(match)):
        return ""
    return "Somebody joins or leaves" if match.status == "in_progress" else "Next match of the night"


def payment_words(night: MoneyNight) -> tuple[str, ...]:
    """Return the fewest payments that settle a night: "Bob pays Ann $1.20"."""
    return tuple(f"{night.names[it.debtor]} pays {night.names[it.creditor]} {money(it.cents)}" for it in night.payments)


def balances(night: MoneyNight) -> tuple[Balance, ...]:
    """Return what everybody is owed, whoever is owed most first."""
    playing = night.matches[-1].people if night.matches else {}
    in_order = sorted(night.owed.items(), key=lambda it: -it[1])
    return tuple(
        Balance(name=night.names[person], amount=dollars(cents), small="" if person in playing else "has left")
        for person, cents in in_order
    )


def _match_lines(night: MoneyNight) -> Iterator[MatchLine]:
    before: Mapping[str, str] = {}
    for number, it in enumerate(night.matches, 1):
        yield MatchLine(
            code=it.match.code,
            number=number,
            label=listed(it.people.values()),
            change=change_words(before, it.people) if before else "",
            settled=settled_words(night, it),
            small=f"{digits(len(it.match.counted.results), 'hand')}, {_STATUS[it.match.status]}",
        )
        before = it.people


_STATUS = {"in_progress": "still playing", "stopped": "settled up", "over": "over"}


def change_words(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """Return who came and went between two matches: "Eve joins. Bob and Cal leave."."""
    joins = [name for person, name in after.items() if person not in before]
    leaves = [name for person, name in before.items() if person not in after]
    return " ".join([*_said(joins, "join"), *_said(leaves, "leave")]) or "The same players."


def _said(names: Sequence[str], does: str) -> Iterator[str]:
    if names:
        yield f"{listed(names)} {does if len(names) > 1 else does + 's'}."


def settled_words(night: MoneyNight, it: NightMatch) -> str:
    """Return what a match settles: "Ann gets $1.20, Bob owes $1.20"; empty where nobody owes anything."""
    moved = ((person, cents) for person, cents in it.settled.change.items() if cents)
    return ", ".join(f"{night.names[person]} {owed_words(cents)}" for person, cents in moved)
