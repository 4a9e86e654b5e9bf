"""Who won a match, worked out a second time from the rules as they are written: slow, plain, and apart from the engine.

Nothing here is taken from `scorekeeper.pitch.scoring`: only the rules themselves are. Scores are turned so that more is
better, whichever way a game counts: what counts down has its sign changed, and its goal is 0.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.pitch.rules.awards import Gift, TurnedCard
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.library import LIBRARY

Side = str
Group = tuple[Side, ...]
"""Sides that count their points of one hand together."""
Assignment = Mapping[str, tuple[Group, ...]]
"""Who has each award: one group, none, or each that shares a level Game."""

PLAY_ON: tuple[Side, ...] = ()


@dataclass
class Verdict:
    """How a match stands."""

    status: str
    winners: list[Side]
    scores: dict[Side, int]
    undecided_hand: int | None = None
    """The number of a hand recorded by points, where the winner depends on who took which award."""
    endings: list[tuple[Assignment, tuple[Side, ...]]] = field(default_factory=list)
    """Each possible assignment of that hand's awards, and who wins with it."""
    deltas: list[dict[Side, int]] = field(default_factory=list)
    """What each hand changed, `{}` for one that scored nothing."""


@dataclass
class Deal:
    """One hand that was played: who stood against whom, and what was bid."""

    hand: Mapping[str, Any]
    owners: Mapping[str, Side]
    groups: list[Group]
    bidder: Side | None = None
    camp: Group = ()
    """The bidder's group, the bidder first; empty where nobody bid."""
    bid: int | str | None = None
    took_set: bool = False
    made: bool = False
    gains: dict[Side, int] = field(default_factory=dict)
    """What each side scored, more being better."""

    def group_of(self, who: str) -> Group:
        if who == "bidders":
            return self.camp
        if who == "defenders":
            (others,) = [group for group in self.groups if group != self.camp]
            return others
        return next(group for group in self.groups if self.owners[who] in group)

    @property
    def reneged(self) -> list[Side]:
        return _giving_up(self.hand, self.owners, "game")


@dataclass
class Match:
    """What is remembered from one hand to the next."""

    rules: Ruleset
    sides: list[Side]
    owners: dict[str, Side]
    scores: dict[Side, int]
    sets: dict[Side, int]
    played: int
    carried: int = 0
    """What the next Game is worth more, as it was tied."""
    carried_before: int = 0
    """What the last Game was worth more."""
    deadlock: int | None = None
    """The best score that two sides had at once, more being better."""

    @property
    def is_down(self) -> bool:
        return self.rules.winning.count_down_from is not None

    @property
    def goal(self) -> int | None:
        return 0 if self.is_down else self.rules.winning.target

    def good(self) -> dict[Side, int]:
        return {side: -score if self.is_down else score for side, score in self.scores.items()}

    def remember_deadlock(self) -> None:
        second = sorted(self.good().values())[-2]
        self.deadlock = second if self.deadlock is None else max(self.deadlock, second)


def judge(record: Mapping[str, Any]) -> Verdict:
    """Return how a match stands, from its record."""
    rules, faults = with_house(LIBRARY[record["variant"]], record.get("house") or {})
    assert not faults, faults
    match = _open(record, rules)
    names = {who: who for who in match.owners}
    """Each seat by the name of the person who has it now."""
    winners = _by_hands(match) if rules.winning.length == "hands" else PLAY_ON
    verdict = Verdict("in_progress", [], {})
    for number, hand in enumerate(record["hands"], 1):
        if winners:
            verdict.deltas.append({})
            continue
        for leaver, newcomer in (hand.get("sits_in") or {}).items():
            names[newcomer] = names.pop(leaver)
        if hand.get("house"):
            match.rules, faults = with_house(match.rules, hand["house"])
            assert not faults, faults
        before = dict(match.scores)
        owners = {name: match.owners[seat] for name, seat in names.items()}
        endings = _play(match, {**match.owners, **owners}, hand)
        if endings is not None:
            found = {who for _, who in endings}
            if len(found) > 1:
                verdict.undecided_hand, verdict.endings = number, endings
            else:
                winners = endings[0][1]
        verdict.deltas.append({side: match.scores[side] - before[side] for side in match.sides})
        if verdict.undecided_hand:
            break
    verdict.status = "over" if winners else "stopped" if record.get("stopped") else "in_progress"
    now = {seat: name for name, seat in names.items()}
    verdict.winners = [now.get(side, side) for side in match.sides if side in winners]
    verdict.scores = {now.get(side, side): match.scores[side] for side in match.sides}
    return verdict


def _open(record: Mapping[str, Any], rules: Ruleset) -> Match:
    players = record.get("players") or []
    if record.get("sides"):
        members = {side["name"]: side.get("players") or [] for side in record["sides"]}
    elif len(players) in rules.table.partners and not rules.table.fewest <= len(players) <= rules.table.most:
        number = rules.table.partners[len(players)]
        pairs = [players[i::number] for i in range(number)]
        members = {" & ".join(pair): pair for pair in pairs}
    else:
        members = {player: [player] for player in players}
    owners = {who: side for side, people in members.items() for who in (side, *people)}
    start = record.get("start") or {}
    zero = rules.winning.count_down_from or 0
    match = Match(
        rules,
        list(members),
        owners,
        {side: (start.get("scores") or {}).get(side, zero) for side in members},
        {side: (start.get("sets") or {}).get(side, 0) for side in members},
        start.get("hands") or 0,
    )
    match.remember_deadlock()
    return match


def _play(
    match: Match, owners: Mapping[str, Side], hand: Mapping[str, Any]
) -> list[tuple[Assignment, tuple[Side, ...]]] | None:
    """Score a hand; return the winners with each possible assignment of its awards, `None` if it was not played."""
    deal = _deal(match, owners, hand)
    is_played = hand.get("taken") is not None or hand.get("points") is not None or (deal is not None and deal.took_set)
    penalties = {owners[who]: points for who, points in (hand.get("penalties") or {}).items()}
    given = {owners[who]: points for who, points in (hand.get("penalties_to") or {}).items()}
    if match.rules.money.settles == "hand":  # nothing is scored, so a penalty is paid
        penalties = given = {}
    before = match.good()
    base = {side: points + given.get(side, 0) - penalties.get(side, 0) for side, points in before.items()}
    if deal is None:
        _add(match, {side: -points for side, points in penalties.items()})
        _add(match, given)
        return _thrown_in(match, owners, hand, given, before, base)
    if not is_played:
        return None
    totals, assignment = _count(match, deal)
    match.carried_before = match.carried
    match.carried = _carried(match, hand, totals, assignment)
    deal.made = deal.bid is not None and not deal.took_set and _is_made(match.rules, deal, totals, assignment)
    deal.gains = _gains(match, deal, totals, before, base)
    _stop_short(match, deal, before, base)
    _add(match, deal.gains)
    _add(match, {side: -points for side, points in penalties.items()})
    _add(match, given)
    for side in _set_sides(match.rules, deal):
        match.sets[side] += 1
    match.played += 1
    if assignment is not None:
        assignments = [assignment]
    else:
        assignments = list(_possible_assignments(match.rules, deal, totals)) if _cards_matter(match, before) else [{}]
    lost = _giving_up(hand, owners, "match")
    crossed: tuple[Side, ...] = ()
    if not (lost or _given_out(match, before, base, given)):
        crossed = _pegged(match, before, deal, totals, assignment)
    endings: list[tuple[Assignment, tuple[Side, ...]]] = [({}, (side,)) for side in crossed]
    if not crossed:
        endings = [
            (assignment, _given_up(match, lost) or _winners(match, deal, assignment, before, base, given))
            for assignment in assignments
        ]
    match.remember_deadlock()
    return endings


def _stop_short(match: Match, deal: Deal, before: Mapping[Side, int], base: Mapping[Side, int]) -> None:
    """Stop the sides that reneged one point short of the goal, where the rules do."""
    if not match.rules.scoring.renege_stops_short or match.goal is None:
        return
    for side in deal.reneged:
        if before[side] < match.goal <= base[side] + deal.gains[side]:
            deal.gains[side] = match.goal - 1 - base[side]


def _pegged(
    match: Match,
    before: Mapping[Side, int],
    deal: Deal,
    totals: Mapping[Group, int | None],
    assignment: Assignment | None,
) -> tuple[Side, ...]:
    """Return who may have pegged the goal first, where several reached it; the one whom the table names, if it does.

    The most card points are counted when the last trick is over, so a side that needs them is behind one that does not.
    """
    winning, goal, good = match.rules.winning, match.goal, match.good()
    if not winning.pegged or goal is None or winning.length != "target":
        return ()
    if (
        winning.four_points_win_game
        and assignment
        and any(_has_every_point(match.rules, assignment, group) for group in deal.groups)
    ):
        return ()
    crossed = [side for side in match.sides if before[side] < goal <= good[side] and _leads(match, side, good)]
    if len(crossed) < 2:
        return ()
    if "first_there" in deal.hand:
        return (deal.owners[deal.hand["first_there"]],)
    game = match.rules.card_points_award
    worth = (match.rules.in_play[game].points if game else 0) + match.carried_before
    may_have: list[tuple[Group, ...]] = [()]
    if game and assignment is not None:
        may_have = [assignment[game]]
    elif game:
        may_have += [(group,) for group in deal.groups if (totals[group] or 0) >= worth]
    first: set[Side] = set()
    for groups in may_have:
        late = {side for group in groups for side in group}
        by_tricks = [side for side in crossed if good[side] - (worth if side in late else 0) >= goal]
        first |= set(by_tricks or crossed)
    return tuple(side for side in crossed if side in first)


def _carried(
    match: Match, hand: Mapping[str, Any], totals: Mapping[Group, int | None], assignment: Assignment | None
) -> int:
    """Return what the next Game is worth more: all that this one was worth, where it was tied."""
    rules, game = match.rules, match.rules.card_points_award
    if rules.points.game_tie != "carried_over" or game is None:
        return 0
    worth = match.carried + rules.in_play[game].points
    if assignment is not None:
        return worth if assignment[game] == () and game not in (hand.get("forfeits") or {}).values() else 0
    others = sum(award.points for award_id, award in rules.in_play.items() if award_id != game)
    counts = set((hand.get("card_points") or {}).values())
    is_whole = not any(award.unclaimed for award_id, award in rules.in_play.items() if award_id != game)
    is_left = is_whole and sum(points or 0 for points in totals.values()) == others
    return worth if is_left or (len(hand.get("card_points") or {}) > 1 and len(counts) == 1) else 0


def _thrown_in(
    match: Match,
    owners: Mapping[str, Side],
    hand: Mapping[str, Any],
    given: Mapping[Side, int],
    before: Mapping[Side, int],
    base: Mapping[Side, int],
) -> list[tuple[Assignment, tuple[Side, ...]]] | None:
    """Score what was turned up in a deal that was not played; return who won with it, `None` where nobody did."""
    assignment: Assignment = {
        award: ((owners[who],),) for award, who in (hand.get("taken") or {}).items() if who is not None
    }
    for award, groups in assignment.items():
        _add(match, {groups[0][0]: match.rules.in_play[award].points * _times(hand, award)})
    winners = _given_up(match, _giving_up(hand, owners, "match"))
    if not winners and match.goal is not None and match.rules.winning.length == "target":
        winners = _given_out(match, before, base, given) or _turned_out(match, assignment, base, hand)
    return [(assignment, winners)] if winners else None


def _giving_up(hand: Mapping[str, Any], owners: Mapping[str, Side], what: str) -> list[Side]:
    return [owners[who] for who, given_up in (hand.get("forfeits") or {}).items() if given_up == what]


def _given_up(match: Match, losers: Sequence[Side]) -> tuple[Side, ...]:
    return _best(match, [side for side in match.sides if side not in losers]) if losers else ()


def _times(hand: Mapping[str, Any], award: str) -> int:
    return int((hand.get("times") or {}).get(award, 1))


def _given_out(
    match: Match, before: Mapping[Side, int], base: Mapping[Side, int], given: Mapping[Side, int]
) -> tuple[Side, ...]:
    """Return whom the points for a mistake of the others bring to the goal, before anything else counts."""
    goal, now, winning = match.goal, base, match.rules.winning
    if goal is None or winning.length != "target":
        return ()
    if winning.win_rule != "first_to_target" or winning.defenders_stop_at_one:
        return ()
    if winning.tie_rule == "bidder_or_play_on" and match.deadlock is not None and match.deadlock >= goal:
        return ()
    reached = [side for side in given if before[side] < goal <= now[side] and _leads(match, side, now)]
    return tuple(reached) if len(reached) == 1 else ()


def _add(match: Match, gains: Mapping[Side, int]) -> None:
    for side, gain in gains.items():
        match.scores[side] += -gain if match.is_down else gain


# --- what was bid, and who took what ----------------------------------------------------------------------------


def _deal(match: Match, owners: Mapping[str, Side], hand: Mapping[str, Any]) -> Deal | None:
    """Return who plays against whom; `None` where the hand was thrown in."""
    rules = match.rules
    bidder, bid = hand.get("bidder"), hand.get("bid")
    calls = [(who, call) for who, call in hand.get("auction") or [] if call != "pass"]
    has_result = hand.get("taken") is not None or hand.get("points") is not None
    if hand.get("thrown_in") or (hand.get("auction") and not calls and not has_result):
        return None
    if calls:
        bidder, bid = calls[-1]
        if bid == "pitch":
            bid = 4
    alone: list[Group] = [(side,) for side in match.sides]
    if bidder is None:
        return Deal(hand, owners, alone)
    side = owners[bidder]
    partner = hand.get("partner")
    camp = (side, owners[partner]) if rules.table.called and partner is not None else (side,)
    others = [side for side in match.sides if side not in camp]
    groups = [tuple(others)] if rules.scoring.defenders_score == "pooled" else [(side,) for side in others]
    if bid == "take_set":
        return Deal(hand, owners, [camp, *groups], side, camp, rules.forced_bid, took_set=True)
    if rules.top_bid_is_moon and bid == rules.points_per_hand:
        bid = "moon"
    return Deal(hand, owners, [camp, *groups], side, camp, bid)


def _count(match: Match, deal: Deal) -> tuple[dict[Group, int | None], Assignment | None]:
    """Return each group's points, `None` where nobody counted; and who has which award, where that is recorded."""
    rules, hand, owners = match.rules, deal.hand, deal.owners
    if hand.get("taken") is None:
        points: dict[Group, int | None] = dict.fromkeys(deal.groups, 0 if deal.took_set else None)
        for who, number in (hand.get("points") or {}).items():
            group = deal.group_of(who)
            points[group] = (points[group] or 0) + number
        return points, {} if deal.took_set else None
    assignment: dict[str, tuple[Group, ...]] = {}
    for award in rules.in_play:
        who = hand["taken"].get(award)
        assignment[award] = (deal.group_of(who),) if who is not None else ()
        if award in rules.scoring.renege_costs:
            assignment[award] = tuple(group for group in assignment[award] if not set(group) & set(deal.reneged))
        if who is not None and isinstance(rules.kinds[award], Gift) and rules.points.gift_to == "others":
            dealing = owners[hand["dealer"]] if len(deal.groups) > 2 else None
            assignment[award] = (
                tuple(group for group in deal.groups if dealing not in group) if dealing else assignment[award]
            )
        if award == rules.card_points_award and who is None:
            assignment[award] = _game(rules, deal, award)
    totals: dict[Group, int | None] = dict.fromkeys(deal.groups, 0)
    for award, groups in assignment.items():
        for group in groups:
            worth = rules.in_play[award].points + (match.carried if award == rules.card_points_award else 0)
            totals[group] = (totals[group] or 0) + worth * _times(hand, award)
    return totals, assignment


def _game(rules: Ruleset, deal: Deal, award: str) -> tuple[Group, ...]:
    """Return who has Game where nobody was named for it."""
    rule, hand = rules.points.game_tie, deal.hand
    counts: dict[Group, int] = {}
    for who, points in (hand.get("card_points") or {}).items():
        group = deal.group_of(who)
        counts[group] = counts.get(group, 0) + points
    if not counts:
        return tuple(deal.groups) if rule == "all_tied_score" else ()
    best = max(counts.values())
    level = tuple(group for group in deal.groups if counts.get(group) == best)
    if len(level) == 1:
        return level
    if award in hand["taken"] and rule != "all_tied_score":
        return ()
    if rule == "all_tied_score":
        return level
    if rule == "non_dealer":
        left = tuple(group for group in level if deal.owners[hand["dealer"]] not in group)
        return left if len(left) == 1 else ()
    if rule == "joker_breaks":
        won = {hand["taken"].get(joker) for joker in rules.tie_breaking_joker_awards} - {None}
        with_joker = tuple(group for group in level if any(deal.group_of(who) == group for who in won))
        return with_joker if len(with_joker) == 1 else ()
    return ()


def _cards(rules: Ruleset) -> list[list[str]]:
    """Return the awards that are played for, each with those that score for the same card."""
    caught = rules.replaced_award_by_caught
    return [
        [award, *(other for other, card in caught.items() if card == award)]
        for award in rules.in_play
        if award not in caught and not _is_given(rules, award)
    ]


def _is_given(rules: Ruleset, award: str) -> bool:
    return isinstance(rules.kinds[award], TurnedCard | Gift)


def _has_every_point(rules: Ruleset, assignment: Assignment, group: Group) -> bool:
    """Return whether a group alone has every award that is played for."""
    return all(any(assignment[award] == (group,) for award in card) for card in _cards(rules))


# --- whether a bid was made -------------------------------------------------------------------------------------


def _is_made(
    rules: Ruleset,
    deal: Deal,
    totals: Mapping[Group, int | None],
    assignment: Assignment | None,
) -> bool:
    took = totals[deal.camp] or 0
    if isinstance(deal.bid, int):
        return took >= deal.bid
    others = sum(points or 0 for group, points in totals.items() if group != deal.camp)
    has_all = took == rules.points_per_hand and others == 0
    if assignment is not None:
        has_all = _has_every_point(rules, assignment, deal.camp)
    if deal.bid == "smudge":
        return has_all and bool(deal.hand.get("all_tricks"))
    if rules.moon.moon_counts_burned == "in_play":
        has_all = others == 0 and took > 0
    return has_all and (rules.moon.moon_needs == "points" or bool(deal.hand.get("all_tricks")))


def _gains(
    match: Match,
    deal: Deal,
    totals: Mapping[Group, int | None],
    before: Mapping[Side, int],
    base: Mapping[Side, int],
) -> dict[Side, int]:
    """Return what each side scored, more being better."""
    rules = match.rules
    gains = dict.fromkeys(match.sides, 0)
    if _is_outright(rules, deal, before):
        return gains
    for group in deal.groups:
        if group == deal.camp:
            gains |= _bidding_gains(rules, deal, totals, before)
        elif deal.bid is None or rules.scoring.defenders_score != "none":
            others_bid = _set_cost(rules, deal, 0) if _bid_goes_over(rules, deal) else 0
            gains |= dict.fromkeys(group, (totals[group] or 0) + others_bid)
    return gains | _stopped(match, deal, gains, base)


def _is_outright(rules: Ruleset, deal: Deal, before: Mapping[Side, int]) -> bool:
    """Return whether a moon won or lost the match whatever the score: then nobody scores."""
    if deal.bid != "moon" or rules.moon.moon not in ("win_or_lose", "win_or_minus_target"):
        return False
    if deal.made:
        return any(before[side] >= 0 for side in deal.camp)
    return rules.moon.moon == "win_or_lose"


def _bidding_gains(
    rules: Ruleset,
    deal: Deal,
    totals: Mapping[Group, int | None],
    before: Mapping[Side, int],
) -> dict[Side, int]:
    is_paid_moon = deal.bid in ("moon", "double_moon") and rules.moon.moon == "money"
    if is_paid_moon or rules.money.settles == "hand":
        return dict.fromkeys(deal.camp, 0)
    if deal.made:
        return {side: _made_gain(rules, deal, totals[deal.camp] or 0, before[side]) for side in deal.camp}
    gains = dict.fromkeys(deal.camp, 0)
    for side in () if _bid_goes_over(rules, deal) else _set_sides(rules, deal):
        gains[side] = -_set_cost(rules, deal, before[side])
    return gains


def _bid_goes_over(rules: Ruleset, deal: Deal) -> bool:
    """Return whether the bid was set, and is scored by the others and lost by nobody."""
    return rules.scoring.on_set == "bid_to_defenders" and isinstance(deal.bid, int) and not deal.made


def _made_gain(rules: Ruleset, deal: Deal, took: int, before: int) -> int:
    moon = rules.moon
    if deal.bid == "double_moon":
        return moon.double_moon_made or 0
    if deal.bid == "moon":
        if moon.moon in ("win_or_lose", "win_or_minus_target"):
            return -min(before, 0)
        as_top_bid = rules.bidding.max_bid or rules.points_per_hand  # "just as though you had bid" that much
        return moon.moon_made or (as_top_bid if moon.moon == "to_minus_four" else 0)
    if rules.scoring.score_on_made == "nothing":
        return 0
    worth = rules.smudge_value if deal.bid == "smudge" else deal.bid
    assert isinstance(worth, int)
    return worth if deal.bid == "smudge" or rules.scoring.score_on_made == "bid" else took


def _set_cost(rules: Ruleset, deal: Deal, before: int) -> int:
    moon = rules.moon
    twice = 2 if deal.hand.get("overtook_pitch") and rules.bidding.double_loss_on_overtake else 1
    match deal.bid:
        case "double_moon":
            return (moon.double_moon_set or 0) * twice
        case "moon" if moon.moon == "to_minus_four":
            return before + 4
        case "moon" if moon.moon == "win_or_lose":
            return 0
        case "moon" if moon.moon == "win_or_minus_target":
            return (rules.winning.target or 0) * twice
        case "moon":
            return (moon.moon_set or 0) * twice
        case "smudge":
            return rules.smudge_value * twice
        case int(number):
            return number * twice
        case _:
            raise AssertionError(deal.bid)


def _set_sides(rules: Ruleset, deal: Deal) -> Group:
    """Return who was set."""
    if deal.bid is None or deal.made:
        return ()
    return deal.camp if rules.scoring.partner_set_too else deal.camp[:1]


def _stopped(match: Match, deal: Deal, gains: Mapping[Side, int], before: Mapping[Side, int]) -> dict[Side, int]:
    """Return what those who did not bid score, where they stop before the goal."""
    winning = match.rules.winning
    at_one = winning.defenders_stop_at_one and deal.made
    short = winning.defenders_stop_short
    if match.goal is None or winning.win_rule is None or winning.length == "hands" or not (at_one or short):
        return {}
    most = match.goal - 1
    defenders = [side for side in match.sides if side not in deal.camp]
    return {
        side: max(most - before[side], 0) for side in defenders if gains[side] > 0 and before[side] + gains[side] > most
    }


# --- who won ----------------------------------------------------------------------------------------------------


def _winners(
    match: Match,
    deal: Deal,
    assignment: Assignment,
    before: Mapping[Side, int],
    base: Mapping[Side, int],
    given: Mapping[Side, int],
) -> tuple[Side, ...]:
    rules, winning = match.rules, match.rules.winning
    is_to_target = winning.length == "target" and match.goal is not None and winning.win_rule is not None
    if is_to_target:
        if first := _given_out(match, before, base, given) or _turned_out(match, assignment, base, deal.hand):
            return first
    is_moon_lost = deal.bid == "moon" and rules.moon.moon == "win_or_lose" and not deal.made
    if winning.four_points_win_game and assignment and not is_moon_lost:
        for group in deal.groups:
            if _has_every_point(rules, assignment, group):
                return group
    if deal.bid == "moon" and rules.moon.moon in ("win_or_lose", "win_or_minus_target") and deal.made:
        shooters = tuple(side for side in deal.camp if before[side] >= 0)
        if shooters:
            return shooters
    losers = set()
    if is_moon_lost:
        losers |= {*_set_sides(rules, deal)}
    if winning.set_limit:
        losers |= {side for side in _set_sides(rules, deal) if match.sets[side] >= winning.set_limit}
    if losers:
        return _best(match, [side for side in match.sides if side not in losers])
    if winning.length == "hands":
        return _by_hands(match)
    if is_to_target:
        return _to_target(match, deal, assignment, before, base)
    return PLAY_ON


def _best(match: Match, sides: Sequence[Side]) -> tuple[Side, ...]:
    good = match.good()
    return tuple(side for side in sides if good[side] == max(good[other] for other in sides))


def _by_hands(match: Match) -> tuple[Side, ...]:
    """Return who has the best score once the hands are played; a tie is shared unless it is to be played off."""
    winning = match.rules.winning
    if match.played < (winning.hands or 0):
        return PLAY_ON
    best = _best(match, match.sides)
    is_played_off = winning.tie_rule in ("another_hand", "higher_score_or_play_on")
    return PLAY_ON if len(best) > 1 and is_played_off else best


def _turned_out(
    match: Match, assignment: Assignment, before: Mapping[Side, int], hand: Mapping[str, Any]
) -> tuple[Side, ...]:
    """Return whom a card turned up brings to the goal: that wins at once, before a card is played."""
    goal = match.goal
    assert goal is not None
    if match.rules.winning.win_rule != "first_to_target":
        return ()
    now = dict(before)
    for award, groups in assignment.items():
        if not isinstance(match.rules.kinds[award], TurnedCard):
            continue
        for group in groups:
            for side in group:
                now[side] += match.rules.in_play[award].points * _times(hand, award)
                if before[side] < goal <= now[side] and _leads(match, side, now):
                    return (side,)
    return ()


def _leads(match: Match, side: Side, good: Mapping[Side, int]) -> bool:
    lead = match.rules.winning.win_by or 0
    return all(good[side] - good[other] >= lead for other in match.sides if other != side) if lead else True


def _to_target(
    match: Match, deal: Deal, assignment: Assignment, before: Mapping[Side, int], base: Mapping[Side, int]
) -> tuple[Side, ...]:
    winning, goal, good = match.rules.winning, match.goal, match.good()
    assert goal is not None
    makers = deal.camp if deal.made else ()
    others_failed = deal.bid is not None and not deal.made
    reached = [
        side
        for side in match.sides
        if good[side] >= goal
        and (winning.win_rule != "made_bid" or side in makers)
        and (not winning.defenders_stop_at_one or side in makers or (others_failed and side not in deal.camp))
    ]
    candidates = [side for side in reached if _leads(match, side, good)]
    is_overtime = match.deadlock is not None and match.deadlock >= goal
    if winning.tie_rule == "bidder_or_play_on" and (is_overtime or len(reached) > 1):
        return (deal.camp[0],) if makers and deal.camp[0] in candidates else PLAY_ON
    if len(candidates) < 2:
        return tuple(candidates)
    privileged = next(((side,) for side in makers if side in candidates), PLAY_ON)
    best = _best(match, candidates)
    crossed = [side for side in candidates if before[side] < goal]
    match winning.tie_rule:
        case "bidder_first":
            return privileged or _if_one(best)
        case "higher_score":
            return _if_one(best) or next(((side,) for side in makers if side in best), PLAY_ON)
        case "higher_score_or_play_on":
            return _if_one(best)
        case "another_hand":
            return PLAY_ON if len(crossed) == len(candidates) else _if_one(best)
        case "bidder_then_point_order" if privileged:
            return privileged
        case "point_order" | "bidder_then_point_order":
            first = _first_to_reach(match, deal, assignment, base, crossed)
            left = [side for side in candidates if side in first or side not in crossed]
            return _if_one(_best(match, left))
        case _:
            raise AssertionError(winning.tie_rule)


def _if_one(sides: tuple[Side, ...]) -> tuple[Side, ...]:
    return sides if len(sides) == 1 else PLAY_ON


def _first_to_reach(
    match: Match, deal: Deal, assignment: Assignment, before: Mapping[Side, int], crossed: Sequence[Side]
) -> list[Side]:
    """Return who of those that reached the goal did so first, as the awards are counted one by one."""
    goal, rules = match.goal, match.rules
    assert goal is not None
    counted = dict.fromkeys(crossed, 0)
    is_lump = not isinstance(deal.bid, int) or rules.scoring.score_on_made == "bid"
    for award in rules.counting_order:
        for group in assignment.get(award, ()):
            for side in group:
                if side in counted and not (is_lump and side in deal.camp):
                    counted[side] += rules.in_play[award].points
        reached = [side for side in crossed if before[side] + min(counted[side], deal.gains[side]) >= goal]
        if reached:
            return reached
    return list(crossed)  # what no award brought, a bid's or a moon's own points, is counted last


# --- hands recorded by points alone -----------------------------------------------------------------------------


def _cards_matter(match: Match, before: Mapping[Side, int]) -> bool:
    """Return whether the winner may depend on who took which award."""
    rules, goal, good = match.rules, match.goal, match.good()
    if rules.winning.four_points_win_game:
        return True
    if goal is None or rules.winning.length == "hands":
        return False
    crossed = [side for side in match.sides if before[side] < goal <= good[side]]
    is_turned = any(isinstance(rules.kinds[award], TurnedCard) for award in rules.in_play)
    is_in_order = rules.winning.tie_rule in ("point_order", "bidder_then_point_order")
    return is_turned or (is_in_order and len(crossed) > 1)


def _possible_assignments(rules: Ruleset, deal: Deal, totals: Mapping[Group, int | None]) -> Iterator[Assignment]:
    """Yield every assignment of the awards with which each group has its points."""
    dealing = deal.owners[deal.hand["dealer"]] if deal.hand.get("dealer") else None
    awards = list(rules.in_play)
    left = {group: (99_999 if total is None else total) for group, total in totals.items()}
    open_totals = {group for group, total in totals.items() if total is None}
    assignment: dict[str, tuple[Group, ...]] = {}
    worth = [rules.in_play[award].points for award in awards]

    def fill(index: int) -> Iterator[Assignment]:
        short = sum(points for group, points in left.items() if group not in open_totals)
        if index == len(awards):
            if short == 0:
                yield dict(assignment)
            return
        is_shared = rules.points.game_tie == "all_tied_score" or rules.points.gift_to == "others"
        most = 99_999 if is_shared else sum(worth[index:])
        if short > most:
            return
        award = awards[index]
        for groups in _takers(rules, deal, award, assignment, dealing):
            if award in (rules.game_award, *rules.scoring.renege_costs) and any(
                side in group for side in deal.reneged for group in groups
            ):
                continue
            if all(left[group] >= worth[index] for group in groups):
                for group in groups:
                    left[group] -= worth[index]
                assignment[award] = groups
                yield from fill(index + 1)
                for group in groups:
                    left[group] += worth[index]
                del assignment[award]

    return fill(0)


def _takers(
    rules: Ruleset, deal: Deal, award: str, assignment: Assignment, dealing: Side | None
) -> Iterator[tuple[Group, ...]]:
    """Yield whom an award may have gone to, given those before it."""
    kind = rules.kinds[award]
    same_card = [
        other for card in _cards(rules) if award in card for other in card if other != award and assignment.get(other)
    ]
    if rules.in_play[award].unclaimed or (
        award == rules.card_points_award and rules.points.game_tie != "all_tied_score"
    ):
        yield ()
    elif same_card or any(award in card and len(card) > 1 for card in _cards(rules)):
        yield ()
    if same_card:
        return
    turned = [
        groups[0] for other, groups in assignment.items() if groups and isinstance(rules.kinds[other], TurnedCard)
    ]
    for group in deal.groups:
        if isinstance(kind, TurnedCard) and (dealing not in (None, *group) or any(other != group for other in turned)):
            continue
        if isinstance(kind, Gift) and (dealing in group or group in turned):
            continue
        if isinstance(kind, Gift) and rules.points.gift_to == "others" and len(deal.groups) > 2:
            continue
        yield (group,)
    if isinstance(kind, Gift) and rules.points.gift_to == "others" and len(deal.groups) > 2:
        for dealt in deal.groups:
            if dealing in (None, *dealt) and all(other == dealt for other in turned):
                yield tuple(group for group in deal.groups if group != dealt)
    if award == rules.card_points_award and rules.points.game_tie == "all_tied_score":
        for chosen in range(1, 2 ** len(deal.groups)):
            level = tuple(group for i, group in enumerate(deal.groups) if chosen >> i & 1)
            if len(level) > 1:
                yield level
