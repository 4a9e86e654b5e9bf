"""Random matches as records, odd ones above all: paper on both sides of the target, rules that change, ties."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from scorekeeper.pitch.rules.awards import OWN_AWARD_IDS, Gift, HighestTrump, TurnedCard
from scorekeeper.pitch.rules.house_rules import with_house, without_moot_answers
from scorekeeper.pitch.rules.options import OWN_AWARD_CARDS, Option, options
from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.library import LIBRARY

NAMES = ("Ann", "Bob", "Cal", "Dot", "Eve", "Fay", "Gus", "Hal")
RULESETS = tuple(LIBRARY)
NEWCOMERS = ("Ivy", "Jon", "Kim", "Lou")
DECIDING = (
    "target length hands win_rule tie_rule win_by count_down_from defenders_stop_at_one defenders_stop_short set_limit "
    "four_points_win_game score_on_made defenders_score partner_set_too on_set moon moon_made moon_set moon_needs "
    "moon_counts_burned smudge pitching double_loss_on_overtake all_pass game_rule game_tie"
).split()
"""The options that may decide who wins."""
CHANGING = "target win_rule tie_rule win_by set_limit four_points_win_game defenders_score hands".split()
"""Those that a table changes in the middle of a match."""
SPECIAL_BIDS = ("smudge", "moon", "double_moon")

Group = tuple[str, ...]


def random_record(random: Random, *rulesets: Ruleset) -> dict[str, Any]:
    """Return some match of these games, or of any; a few cannot have been so."""
    base = random.choice(rulesets or RULESETS)
    house = random_house(random, base)
    rules, _ = with_house(base, house)
    people, members = _people(random, rules)
    record: dict[str, Any] = {"format": "pitch-record/1", "variant": base.id, "house": house, **people}
    record["start"] = _start(random, rules, list(members))
    record["hands"] = []
    names = {who: who for who in record.get("players") or members}
    is_dealer_recorded = random.random() < 0.6
    for _ in range(random.choice((1, 1, 2, 2, 3, 4))):
        hand: dict[str, Any] = {}
        if random.random() < 0.04 and record.get("players"):
            leaver, newcomer = random.choice([*names.values()]), random.choice(NEWCOMERS)
            if newcomer not in names.values():
                hand["sits_in"] = {leaver: newcomer}
                names = {seat: newcomer if name == leaver else name for seat, name in names.items()}
        if record["hands"] and random.random() < 0.25:
            hand["house"] = _change(random, rules)
            rules, _ = with_house(rules, hand["house"])
        sides = {side: [names.get(who, who) for who in people] for side, people in members.items()}
        sides = {names[side] if people == [names.get(side)] else side: people for side, people in sides.items()}
        hand |= _hand(random, rules, sides, [*names.values()], is_dealer_recorded=is_dealer_recorded)
        record["hands"].append(hand)
    if any(hand.keys() & {"sits_in", "penalties"} for hand in record["hands"]):
        record["format"] = "pitch-record/2"
    if any(hand.keys() & {"penalties_to", "forfeits", "times"} for hand in record["hands"]):
        record["format"] = "pitch-record/3"
    if not record["house"].keys().isdisjoint(OWN_AWARD_IDS):
        record["format"] = "pitch-record/4"
    if random.random() < 0.03:
        record["stopped"] = True
    if random.random() < 0.03:
        last = record["hands"][-1]
        for field in ("taken", "points", "card_points", "all_tricks"):
            last.pop(field, None)
    return record


def odd_record(seed: int) -> dict[str, Any]:
    """Return the match of a number, of which every fourth is close."""
    record = random_record(Random(seed))
    return record if seed % 4 else close_in_order(Random(seed), record)


def close_in_order(random: Random, record: dict[str, Any]) -> dict[str, Any]:
    """Return a match with all sides near the target, in which the order of the points decides who reaches it first."""
    target = random.choice((7, 11, 21))
    house = {"win_rule": "first_to_target", "target": target, "length": "target"}
    house["tie_rule"] = random.choice(("point_order", "bidder_then_point_order"))
    kept = {
        name: answer
        for name, answer in record["house"].items()
        if name in ("game_tie", "four_points_win_game", "win_by")
    }
    sides = [side["name"] for side in record["sides"]] if "sides" in record else record["players"]
    start = {"scores": {side: target - random.randint(1, 3) for side in sides}}
    hands = [{key: value for key, value in hand.items() if key != "house"} for hand in record["hands"][:1]]
    return {**record, "house": house | kept, "start": start, "hands": hands}


# --- rules and people -------------------------------------------------------------------------------------------


def _answer(random: Random, rules: Ruleset, option: Option) -> Any:
    if option.is_flag:
        return random.random() < 0.7
    if option.choices:
        return random.choice(option.choices)
    if option.name == "target":
        return random.choice((5, 7, 11, 21, 42))
    if option.name == "count_down_from":
        return random.choice((None, 7, 21))
    highest = {"win_by": 3, "set_limit": 3, "hands": 4}.get(option.name, 12)
    return random.randint(option.lowest or 0, highest)


def random_house(random: Random, rules: Ruleset) -> dict[str, Any]:
    """Return a few answers that go together; a table of an open game mostly agrees on a target."""
    house: dict[str, Any] = {}
    wanted = [random.choice(DECIDING) for _ in range(random.choice((0, 0, 1, 1, 2, 2, 3)))]
    if random.random() < 0.5:
        wanted.append("tie_rule")
    if "target" in rules.to_agree and random.random() < 0.9:
        wanted.append("target")
    if rules.winning.win_rule is None and random.random() < 0.9:
        wanted.append("win_rule")
    for name in wanted:
        _agree(random, rules, house, name)
    if random.random() < 0.1:
        award = random.choice(sorted(rules.awards))
        worth = random.choice((False, True, 2, 3))
        if not with_house(rules, {**house, award: worth})[1]:
            house[award] = worth
    if random.random() < 0.1:
        award = random.choice(OWN_AWARD_IDS)
        worth, how = random.randint(1, 5), random.choice(("captured", "held", "kept"))
        own = f"{worth} {how} {random.choice(OWN_AWARD_CARDS)}: Widow"
        if not with_house(rules, {**house, award: own})[1]:
            house[award] = own
    return without_moot_answers(rules, house)


def _agree(random: Random, rules: Ruleset, house: dict[str, Any], name: str) -> None:
    answers = {name: _answer(random, rules, options()[name])}
    if name == "length" and answers[name] == "hands":
        answers["hands"] = random.randint(1, 4)
    if answers.get("moon") == "stake":
        answers |= {"moon_made": random.choice((5, 11, 26)), "moon_set": random.choice((5, 11, 26))}
    if name == "double_loss_on_overtake":
        answers["pitching"] = True
    if answers.get("moon") == "money":
        answers["moon_cents"] = 100
    if not with_house(rules, {**house, **answers})[1]:
        house |= answers


def _change(random: Random, rules: Ruleset) -> dict[str, Any]:
    """Return what a table agrees anew."""
    target = rules.winning.target
    if target and random.random() < 0.5:
        change: dict[str, Any] = {"target": max(1, target + random.randint(-10, 10))}
    else:
        change = {}
        _agree(random, rules, change, random.choice(CHANGING))
    changed, faults = with_house(rules, change)
    turns = changed.winning.count_down_from != rules.winning.count_down_from
    return {} if faults or turns else without_moot_answers(rules, change)


def _people(random: Random, rules: Ruleset) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Return the players as a record has them, and the members of each side."""
    table = rules.table
    players = list(NAMES[: random.choice(table.player_counts)])
    if table.fewest <= len(players) <= table.most or len(players) not in table.partners:
        return {"players": players}, {player: [player] for player in players}
    number = table.partners[len(players)]
    members = {side: players[i::number] for i, side in enumerate(("Us", "Them", "Others")[:number])}
    if random.random() < 0.5:
        return {"sides": [{"name": side} for side in members]}, {side: [] for side in members}
    sides = [{"name": side, "players": people} for side, people in members.items()]
    return {"players": players, "sides": sides}, members


def _start(random: Random, rules: Ruleset, sides: Sequence[str]) -> dict[str, Any]:
    """Return what is on paper: scores near the goal, on both sides of it, often level."""
    winning = rules.winning
    goal = 0 if winning.count_down_from else (winning.target or 10)
    down = -1 if winning.count_down_from else 1
    near = max(2, rules.points_per_hand // 3)
    level = random.randint(1, near)
    scores: dict[str, int] = {}
    for side in sides:
        short = random.choice((level, level, random.randint(1, near), random.randint(1, near), random.randint(-4, 0)))
        if random.random() < 0.9:
            scores[side] = goal - down * (short if random.random() < 0.9 else random.randint(0, 2 * near))
    if random.random() < 0.1:
        scores = {side: random.choice((-2, 0, 2)) for side in sides}
    start: dict[str, Any] = {"scores": scores} if random.random() < 0.9 else {}
    if winning.length == "hands":
        start["hands"] = random.randint(0, (winning.hands or 1) + random.choice((0, 0, 0, 1)))
    if winning.set_limit:
        start["sets"] = {side: random.randint(0, winning.set_limit) for side in sides if random.random() < 0.6}
    return start


# --- one hand ---------------------------------------------------------------------------------------------------


def _hand(
    random: Random, rules: Ruleset, members: Mapping[str, list[str]], seats: Sequence[str], *, is_dealer_recorded: bool
) -> dict[str, Any]:
    hand: dict[str, Any] = {}
    if is_dealer_recorded:
        hand["dealer"] = random.choice(seats)
    if random.random() < 0.04:
        hand["penalties"] = {random.choice(list(members)): random.randint(1, 5)}
    if random.random() < 0.06:
        hand["penalties_to"] = {random.choice(list(members)): random.randint(1, 5)}
    if random.random() < 0.02:
        hand["forfeits"] = {random.choice(list(members)): "match"}
    if random.random() < 0.04:
        turned = rules.turned_awards if rules.points.turned_cards == "each" else ()
        if turned and "dealer" in hand and random.random() < 0.5:
            dealt = next(side for side, people in members.items() if hand["dealer"] in (side, *people))
            hand["taken"] = {random.choice(turned): dealt}
            return {**hand, "thrown_in": "ran_out"}
        return {**hand, "thrown_in": "misdeal"}
    camp: Group = ()
    if rules.bidding.auction:
        camp = _bid(random, rules, members, seats, hand)
        if "auction" in hand and hand["auction"][-1][1] == "take_set":
            return hand
    groups: list[Group] = [(side,) for side in members]
    if camp:
        others = [side for side in members if side not in camp]
        groups = [camp, *([tuple(others)] if rules.pools_defenders else [(side,) for side in others])]
    dealing = next((side for side, people in members.items() if hand.get("dealer") in (side, *people)), None)
    assignment = _assign_awards(random, rules, groups, camp, dealing, hand)
    if random.random() < 0.05 and len(assignment.get(rules.game_award or "", ())) == 1:
        given_up = random.choice([side for side in members if (side,) != assignment[rules.game_award or ""][0]])
        if not any(given_up in group for group in assignment[rules.game_award or ""]):
            hand["forfeits"] = {given_up: "game"}
    _record_assignment(random, rules, groups, camp, assignment, hand)
    return hand


def _bid(
    random: Random, rules: Ruleset, members: Mapping[str, list[str]], seats: Sequence[str], hand: dict[str, Any]
) -> Group:
    """Put the bid into a hand; return the bidding side, the bidder first."""
    side_of = {who: side for side, people in members.items() for who in (side, *people)}
    if rules.bidding.all_pass in ("may_take_set", "unobliged") and len(seats) > len(members) - 1:
        players = [seat for seat in seats if side_of[seat] != seat or members[seat]]
        if len(players) == len(seats) and random.random() < 0.3:
            dealer = len(seats) - 1
            hand["dealer"] = seats[dealer]
            last = "take_set" if rules.bidding.all_pass == "may_take_set" else "pass"
            hand["auction"] = [[seat, "pass"] for seat in seats[:dealer]] + [[seats[dealer], last]]
            return ()
    bidder = random.choice(seats)
    numbers = [bid for bid in rules.bids if isinstance(bid, int)]
    low = numbers[: max(1, len(numbers) // 2)]
    # Where a made bid scores nothing, what a made moon scores is undefined.
    specials = rules.special_bids if rules.scoring.score_on_made != "nothing" else ()
    bid = random.choice(specials) if specials and random.random() < 0.2 else random.choice(low)
    hand |= {"bidder": bidder, "bid": bid}
    if rules.bidding.pitching and hand.get("dealer") == bidder and (bid == 4 or bid in SPECIAL_BIDS):
        hand["overtook_pitch"] = True
    if not rules.table.called:
        return (side_of[bidder],)
    hand["partner"] = random.choice([None, *(seat for seat in seats if seat != bidder)])
    return (bidder, hand["partner"]) if hand["partner"] else (bidder,)


def _assign_awards(
    random: Random,
    rules: Ruleset,
    groups: Sequence[Group],
    camp: Group,
    dealing: str | None,
    hand: Mapping[str, Any],
) -> dict[str, tuple[Group, ...]]:
    """Return who has which award: one, nobody, or several that share a level Game."""
    is_special = hand.get("bid") in SPECIAL_BIDS and random.random() < 0.6
    favored = camp if camp and (is_special or random.random() < 0.4) else random.choice(groups)
    assignment: dict[str, tuple[Group, ...]] = {}
    is_out = rules.plays_every_trump or any(map(rules.plays_every_card, rules.table.player_counts))
    always_out = rules.awards_maybe_out_of_play if is_out else ()
    for award in rules.in_play:
        kind = rules.kinds[award]
        if isinstance(kind, TurnedCard):
            turning = [group for group in groups if dealing in group]
            assignment[award] = (turning[0],) if turning and random.random() < 0.3 else ()
            continue
        if isinstance(kind, Gift):
            begging = [group for group in groups if dealing is not None and dealing not in group]
            getting = begging if rules.points.gift_to == "others" else begging[:1]
            assignment[award] = tuple(getting) if random.random() < 0.2 else ()
            continue
        who = favored if is_special or random.random() < 0.6 else random.choice(groups)
        assignment[award] = (who,)
        is_count = award == rules.card_points_award
        if is_count and not is_special and random.random() < 0.15:
            is_shared = rules.points.game_tie == "all_tied_score"
            assignment[award] = tuple(random.sample(list(groups), random.randint(2, len(groups)))) if is_shared else ()
        elif award in always_out:
            continue
        elif not is_count and rules.in_play[award].unclaimed and random.random() < (0.02 if is_special else 0.08):
            assignment[award] = ()
    for caught, card in rules.replaced_award_by_caught.items():
        assignment[random.choice((caught, card))] = ()
    return assignment


def _record_assignment(
    random: Random,
    rules: Ruleset,
    groups: Sequence[Group],
    camp: Group,
    assignment: Mapping[str, tuple[Group, ...]],
    hand: dict[str, Any],
) -> None:
    """Put into a hand who has what, by cards or by points."""
    names = {group: _called(random, group, camp) for group in groups}
    if hand.get("bid") in SPECIAL_BIDS:
        captured = [who for award, who in assignment.items() if who and _goes_with_its_trick(rules, award)]
        hand["all_tricks"] = all(who == (camp,) for who in captured) and random.random() < 0.8
    counts_others = rules.winning.four_points_win_game or rules.moon.moon_counts_burned == "in_play"
    is_by_bidder = rules.only_bidder_counts and camp and not counts_others
    if random.random() < 0.35 or is_by_bidder:
        points = {
            names[group]: sum(
                rules.in_play[award].points
                for award, who in assignment.items()
                if group in who
                and not (award in rules.awards_lost_by_renege and set(group) & hand.get("forfeits", {}).keys())
            )
            for group in groups
            if group == camp or not is_by_bidder
        }
        hand["points"] = points
        return
    gift = rules.shared_gift
    hand["taken"] = {
        award: names[who[0]] if len(who) == 1 or (who and award == gift) else None for award, who in assignment.items()
    }
    if rules.points.turned_cards == "each" and (
        turning := [award for award in rules.turned_awards if assignment[award]]
    ):
        hand["times"] = {random.choice(turning): random.randint(1, 2)}
    turned = [award for award, who in assignment.items() if who and isinstance(rules.kinds[award], TurnedCard)]
    if turned and random.random() < 0.1:  # that may have won, so that nothing was played
        hand["taken"] |= {award: None for award in assignment if award not in turned}
        return
    shared = [who for award, who in assignment.items() if len(who) > 1 and award != gift]
    is_level = not assignment.get(rules.card_points_award or "", True) and rules.points.game_tie == "non_dealer"
    if is_level and "dealer" in hand and len(groups) == 2 and random.random() < 0.7:
        hand["card_points"] = {names[group]: 20 for group in groups}
        del hand["taken"][rules.card_points_award or ""]
    if shared:
        hand["card_points"] = {names[group]: 20 if group in shared[0] else 10 for group in groups}
        del hand["taken"][rules.card_points_award or ""]


def _goes_with_its_trick(rules: Ruleset, award: str) -> bool:
    return rules.is_captured(award) or (isinstance(rules.kinds[award], HighestTrump) and not rules.points.reverse)


def _called(random: Random, group: Group, camp: Group) -> str:
    """Return how a table calls a side of the hand."""
    if not camp:
        return group[0]
    if group == camp:
        return random.choice((group[0], "bidders"))
    return "defenders" if len(group) > 1 else group[0]
