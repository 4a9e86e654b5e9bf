"""A ruling in words: what comes of a hand, and of its other readings; who wins, and whether the table had agreed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import assert_never

from scorekeeper.pitch.rules.awards import AwardId, PlainCard
from scorekeeper.pitch.rules.phrases import award_name, award_names, listed, money, placeholders, sentence
from scorekeeper.pitch.rules.questions import QUESTIONS
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.deciding_rules import holding_options
from scorekeeper.pitch.scoring.hand import PASS, Bid, SideId
from scorekeeper.pitch.scoring.match import HandResult, MatchState
from scorekeeper.pitch.scoring.outlook import outlook
from scorekeeper.pitch.scoring.standing import comparable, has_reached_target, target_of
from scorekeeper.pitch.text.endings import (
    deciding_rule,
    final_score,
    held_back_words,
    outcome_heading,
    rules_text,
    verdict_sentence,
)
from scorekeeper.pitch.text.hands import (
    HandLine,
    bid_words,
    hand_lines,
    made_or_set,
    needs_words,
    result_words,
    tricks_words,
)
from scorekeeper.pitch.text.outlook import outlook_sentence
from scorekeeper.pitch.text.phrases import Names, bid_word, grouped, joined, named, score_text, verb
from scorekeeper.pitch.text.rule_changes import award_sentence
from tests.old_compare.alternatives import Missing, OtherReading, Replayed, Ruling, WonBefore

NOBODY_YET = "nobody yet"
NOT_KNOWN = "not known"
NO_CHANGE = "no change"
_MORE = "more than was written down"

_CONDITIONS: Mapping[tuple[str, object], str] = {
    ("win_rule", "first_to_target"): "whoever reached {target} first won",
    ("win_rule", "made_bid"): "only a made bid won",
    ("tie_rule", "bidder_first"): "{bidder} won with {all_at_once}",
    ("tie_rule", "higher_score"): "the {better} score won",
    ("tie_rule", "another_hand"): "{all_at} {target} meant one more hand",
    ("tie_rule", "point_order"): "the points counted in {short_order} order",
    ("tie_rule", "bidder_then_point_order"): "{bidder} won first, and then the points counted in {short_order} order",
    ("tie_rule", "higher_score_or_play_on"): "the {better} score won, and a tie meant one more hand",
    ("tie_rule", "bidder_or_play_on"): "only a made bid decided between {all_at_once}",
    ("turned_cards", "once"): "each rank turned up scored once",
    ("turned_cards", "last"): "only the last card turned up scored",
    ("turned_cards", "each"): "each card turned up scored",
    ("gift_to", "beggar"): "only the beggar got the gift",
    ("gift_to", "others"): "both of the others got the gift",
    ("low", "captured"): "{low} went to whoever won the trick",
    ("low", "held"): "{low} went to whoever held it",
    ("low", "kept"): "{low} went to whoever played it",
    ("dirty", True): "{low} had to be won in a trick",
    ("dirty", False): "{low} did not have to be won in a trick",
    ("dealer_steal", "no"): "the dealer could not steal the bid",
    ("dealer_steal", "yes"): "the dealer could steal the bid",
    ("dealer_steal", "not_smudge"): "the dealer could not steal a smudge or moon",
    ("dealer_steal", "top_only"): "the dealer could steal only {top_bid}",
    ("dealer_steal", "below_top"): "the dealer could steal only below {top_bid}",
    ("all_pass", "dealer_forced"): "the dealer was stuck when everyone passed",
    ("all_pass", "redeal"): "everyone could pass, and the dealer dealt again",
    ("all_pass", "may_take_set"): "the dealer had to bid or go set",
    ("all_pass", "pass_deal"): "everyone could pass, and the next player dealt",
    ("all_pass", "unobliged"): "nobody was bound when everyone passed",
    ("rounds", "one"): "the bidding went around once",
    ("rounds", "until_passed"): "the bidding went around until all but one had passed",
    ("top_bid_again", True): "{last_bid} could be bid over {last_bid}",
    ("top_bid_again", False): "nobody could bid the same as another player",
    ("joker_order", "marked"): "the marked joker was high",
    ("joker_order", "first_played"): "the joker played first was high",
    ("joker_order", "second_played"): "the joker played second was high",
    ("four_points_win_game", True): "every point in one hand won the match",
    ("four_points_win_game", False): "every point in one hand won nothing more",
    ("game_tie", "nobody"): "nobody scored a tied {game}",
    ("game_tie", "all_tied_score"): "everyone tied scored {game}",
    ("game_tie", "joker_breaks"): "the joker won a tied {game}",
    ("game_tie", "carried_over"): "a tied {game} was carried over",
    ("game_tie", "non_dealer"): "whoever did not deal scored a tied {game}",
    ("game_rule", "card_points"): "{game} went to the most card points",
    ("game_rule", "ten_of_trumps"): "{game} went to the ten of trumps",
    ("game_rule", "off"): "{game} did not count",
    ("smudge", True): "there were a smudge",
    ("smudge", False): "there were no smudge",
    ("double_loss_on_overtake", True): "a dealer who outbid a led card lost double",
    ("double_loss_on_overtake", False): "a dealer who outbid a led card lost no more",
    ("moon", "off"): "there were no moon",
    ("moon", "stake"): "a moon scored points",
    ("moon", "win_or_lose"): "a moon won or lost the match",
    ("moon", "win_or_minus_target"): "a made moon won the match and a failed one cost {target_points}",
    ("moon", "to_minus_four"): "a made moon scored points and a failed one went to −4",
    ("moon", "money"): "a moon paid money",
    ("moon_after", "any"): "a moon could be bid at any time",
    ("moon_after", "top_bid_by_another"): "a moon could only outbid {top_bid} from another player",
    ("moon_counts_burned", "all"): "a moon needed every point",
    ("moon_counts_burned", "in_play"): "a moon needed only the points in play",
    ("moon_needs", "points"): "a moon needed only the points",
    ("moon_needs", "points_and_tricks"): "a moon needed every trick as well",
    ("score_on_made", "points"): "a made bid scored all the points taken",
    ("score_on_made", "bid"): "a made bid scored only the bid",
    ("score_on_made", "nothing"): "a made bid scored nothing",
    ("on_set", "lose_bid"): "a bid that was set cost the bid",
    ("on_set", "bid_to_defenders"): "the others scored a bid that was set",
    ("defenders_score", "each"): "each defender scored only {its} own points",
    ("defenders_score", "pooled"): "the defenders counted together",
    ("defenders_score", "none"): "the defenders scored nothing",
    ("partner_set_too", True): "a called partner was set, too",
    ("partner_set_too", False): "only the bidder was set",
    ("defenders_stop_at_one", True): "the defenders stopped at 1",
    ("defenders_stop_at_one", False): "the defenders did not stop at 1",
    ("defenders_stop_short", True): "those who did not bid stopped one point short",
    ("defenders_stop_short", False): "those who did not bid did not stop short",
    ("target", None): "you played to {n}",
}
"""What would have to hold for an answer, after "If". """

_MISSING: Mapping[Missing, str] = {
    Missing.CARDS: "needs the cards",
    Missing.DEFENDER: "needs to know who of the defenders took what",
    Missing.JOKER: "needs to know who won the joker",
    Missing.CARD_POINTS: "needs the card points",
    Missing.TRICKS: "needs to know whether the bidding side took every trick",
    Missing.FIRST_THERE: "needs to know who pegged it first",
    Missing.PLAY: "needs the hand, which was not played",
    Missing.DEAL: "needs the deal before this one, which was not played",
}


def condition_words(reading: OtherReading) -> str:
    """Return what another reading supposes: "If the higher score won", "If the Off Jack did not count"."""
    return f"If {' and '.join(dict.fromkeys(_condition(reading, name) for name in reading.house))}"


def _condition(reading: OtherReading, name: str) -> str:
    ruleset, answer = reading.ruleset, reading.house[name]
    if answer is False and name in ruleset.awards:
        # Only jokers are switched off together.
        together = [_all_alike(ruleset, it) for it in reading.house]
        are_jokers = len(together) > 1 and all(it.endswith("Joker") for it in together)
        return f"{'the jokers' if are_jokers else listed(together)} did not count"
    if name in ruleset.awards and isinstance(answer, int):
        return f"{award_name(ruleset, name)} scored {answer}"
    text = _CONDITIONS.get((name, None if QUESTIONS[name].is_number else answer))
    if name == "tie_rule" and ruleset.winning.length == "hands":
        text = "a tie meant one more hand" if reading.ruleset.winning.plays_on_when_tied else "a tie were shared"
    if text is None:
        return f"“{QUESTIONS[name].title(ruleset)}” were “{QUESTIONS[name].label(answer, ruleset)}”"
    words, down = dict(placeholders(ruleset)), ruleset.winning.count_down_from
    several = words["several"].lower()
    return text.format_map(
        {
            **words,
            "n": str(answer),
            "better": "lower" if down else "higher",
            "all_at": f"{several} at",
            "all_at_once": f"{several} at {words['target']}",
        }
    )


def _all_alike(ruleset: Ruleset, award_id: AwardId) -> str:
    """Return the name of an award, and of cards that are alike of them all: "the Plain Nines"."""
    is_alike = isinstance(ruleset.kinds[award_id], PlainCard)
    return f"the {ruleset.awards[award_id].name}s" if is_alike else award_name(ruleset, award_id)


def came_out_words(ruling: Ruling, reading: OtherReading, names: Names) -> str:
    """Return in short what would have come out: "44 beats 43", "We took 5 of 6: set, 31 to 44", "no change"."""
    if reading.replayed is not None:
        return _replayed_words(reading, reading.replayed, names)
    if reading.won_before is not None:
        return before_words(reading.ruleset, reading.won_before, names)
    if reading.missing:
        return _missing_words(reading)
    if reading.option == "dealer_steal" and (bidder := _outbid(ruling.result)):
        return f"{names[bidder]} would have had the bid"
    if reading.state is None:
        return " ".join(fault.named(names).message for fault in reading.faults[:1])
    state = reading.state
    outcome = _made_words(ruling, state, names)
    if state.scores != ruling.state.scores:
        scores = _scores_words(ruling, state, names)
        return f"{outcome}, {scores}" if outcome else scores
    if state.winners != ruling.state.winners or ruling.state.question:
        return _decided_words(state, reading)
    paid, was = state.results[-1].payments, ruling.result
    is_paid_otherwise = was.score and paid != was.payments
    return outcome or (payments_words(paid, names) if is_paid_otherwise else "") or NO_CHANGE


def _outbid(result: HandResult) -> str | None:
    """Return who had the bid before the dealer stole it."""
    calls = result.hand.auction or () if result.was_stolen else ()
    return next((who for who, call in reversed(calls) if call != PASS and who != result.dealer), None)


def before_words(ruleset: Ruleset, won: WonBefore, names: Names, *, start: str = "before this hand") -> str:
    """Return what those had who had won before a hand, and when: "Ann had 22 after hand 1".

    Where nobody knows who had won, it names everybody at the target. `start` is said of the scores before a first hand.
    """
    if won.took_all:
        return f"{listed(named(won.winners, names))} took every point of hand {won.after}"
    when = f"after hand {won.after}" if won.after else f"before hand {won.until}" if won.until else start
    there = won.winners or [side for side, score in won.scores.items() if has_reached_target(ruleset, score)]
    return f"{listed(f'{names[side]} had {score_text(won.scores[side])}' for side in there)} {when}"


def _replayed_words(reading: OtherReading, replayed: Replayed, names: Names) -> str:
    """Return what comes of a whole match: "33 to 30 after hand 1", "needs to know who held Low in hands 1 and 2"."""
    if replayed.stop:
        return replayed.stop.removesuffix(".")
    if replayed.scores is not None:
        pairs = replayed.scores.items()
        if len(pairs) == 2:
            scores = " to ".join(score_text(score) for _, score in pairs)
        else:
            scores = ", ".join(f"{names[side]} {score_text(score)}" for side, score in pairs)
        return f"{scores} after hand {replayed.after}" if replayed.after else f"{scores} before the first hand"
    number, others = len(replayed.untold), ["others"] if replayed.is_more_untold else []
    is_one = number == 1 and not others
    hands = f"hand{'' if is_one else 's'} {listed([*map(str, replayed.untold), *others])}"
    if number > 3:
        hands = f"{number} hands{' or more' if others else ''}"
    if reading.missing:
        return f"{_missing_words(reading)} in {hands}" if replayed.untold else _missing_words(reading)
    return f"needs more than {hands} tell{'s' if is_one else ''}" if replayed.untold else f"needs {_MORE}"


def _missing_words(reading: OtherReading) -> str:
    if reading.missing is not Missing.TAKER:
        return _MISSING[reading.missing or Missing.CARDS]
    by_verb = grouped((_TAKING[reading.ruleset.how_won(award_id)], award_id) for award_id in reading.awards)
    found = (f"{verb_} {listed(award_names(reading.ruleset, awards))}" for verb_, awards in by_verb.items())
    return f"needs to know who {' and '.join(found)}"


_TAKING = {"held": "held", "captured": "won the trick with", "kept": "played", "card_points": "had the most for"}


def _made_words(ruling: Ruling, state: MatchState, names: Names) -> str:
    """Return what would have come of the bid, where that is otherwise: "We took 5 of 6: set"."""
    was, result = ruling.result, state.results[-1]
    if result.made is None or result.bid is None or was.score is None or result.made == was.made:
        return ""
    took = took_words(names[result.bidders[0]], result.took, was.bid or result.bid)
    # The same call may be another bid under other rules: seven is the moon where there are seven points.
    return f"{took}{f', then a {bid_word(result.bid)}' if result.bid != was.bid else ''}: {made_or_set(result)}"


def took_words(bidder: str, points: int, bid: Bid) -> str:
    """Return what a bidding side took of its bid: "We took 5 of 6", "We took 9 on a moon"."""
    return f"{bidder} took {points} {f'of {bid}' if isinstance(bid, int) else f'on a {bid_word(bid)}'}"


def _scores_words(ruling: Ruling, state: MatchState, names: Names) -> str:
    """Return the scores: of two sides both, "31 to 44"; of more those that are otherwise, "Ann 11, Bea 8"."""
    if len(state.scores) == 2:
        return " to ".join(map(score_text, state.scores.values()))
    changed = {side: score for side, score in state.scores.items() if score != ruling.state.scores[side]}
    return ", ".join(f"{names[side]} {score_text(score)}" for side, score in changed.items())


def _decided_words(state: MatchState, reading: OtherReading) -> str:
    """Return what would have decided between the same scores."""
    winners = state.winners
    there = [side for side in state.scores if has_reached_target(reading.ruleset, state.scores[side])]
    if not winners:
        those = listed(score_text(state.scores[side]) for side in there or state.scores)
        return f"{those}, play another hand"
    if len(winners) > 1:
        return "shared"
    ruleset, result, score = reading.ruleset, state.results[-1], state.scores[winners[0]]
    if state.outcome and state.outcome.chosen_by == "order":
        return f"first to {score_text(target_of(ruleset) or 0)}"
    rivals = [state.scores[side] for side in there if side not in winners]
    best = max(rivals, key=lambda rival: comparable(ruleset, rival), default=None)
    if best is not None and comparable(ruleset, score) > comparable(ruleset, best):
        return f"{score_text(score)} beats {score_text(best)}"
    made = result.standing and winners[0] in result.standing.made_bid
    return f"{score_text(score)} on a made bid" if made else f"wins at {score_text(score)}"


def payments_words(payments: Mapping[SideId, int], names: Names) -> str:
    """Return who gets and who pays how much: "Ann gets $1, Bob pays 50 cents"."""
    paid = ((names[side], cents) for side, cents in payments.items() if cents)
    return ", ".join(f"{name} {'gets' if cents > 0 else 'pays'} {money(abs(cents))}" for name, cents in paid)


def readings_in_short(ruling: Ruling) -> str:
    """Return what the other readings come to: "1 changes who has won, 1 plays on, 1 needs who held Low"."""
    won, known = ruling.state.winners, [it for it in ruling.others if it.winners is not None]
    changing = [it for it in known if it.winners and it.winners != won]
    going_on = [it for it in known if won and not it.winners]
    same, unknown = [it for it in known if it.winners == won], [it for it in ruling.others if it.winners is None]
    barring, unknown = [it for it in unknown if it.faults], [it for it in unknown if not it.faults]
    lacking = {_missing_words(it).removeprefix("needs to know ").removeprefix("needs ") for it in unknown if it.missing}
    needs = lacking.pop() if len(lacking) == 1 else _MORE
    changes, change, what = ("changes", "change", "who has won") if won else ("ends", "end", "the match")
    said = (
        (changing, changes, change, what),
        (going_on, "plays", "play", "on"),
        (same, "does not", "do not", "" if changing or going_on else f"{change} {what}"),
        (unknown, "needs", "need", needs),
        (barring, "does not allow", "do not allow", "the bid"),
    )
    return ", ".join(joined(str(len(it)), one if len(it) == 1 else more, what) for it, one, more, what in said if it)


def winner_words(ruling: Ruling, reading: OtherReading, names: Names) -> str:
    """Return who wins under another reading: "They win", "nobody yet", "We win either way", "not known"."""
    winners = reading.winners
    if winners is None:
        return NOT_KNOWN
    if not winners:
        return NOBODY_YET
    win = f"{listed(named(winners, names))} {verb(ruling.state.seats, winners, 'win', 'wins')}"
    return f"{win} either way" if reading.is_either_way else win


def same_in_all_sentence(ruling: Ruling) -> str:
    """Return that no other reading changes anything, and for a bid that was set why: "5 is less than 6"."""
    result = ruling.result
    said = "The same in all of them"
    if result.made is not False or not isinstance(result.bid, int):
        return f"{said}."
    return f"{said}: {result.took} is less than {result.bid}."


_AS_PRINTED = "the rules as printed"


def agreement_sentence(ruling: Ruling) -> str:
    """Return which of the rules that other tables play otherwise the table agreed on; empty without any.

    What it did not change is called as printed, and not disagreed: a table may have talked about it all the same.
    """
    by_option = {reading.option: reading for reading in ruling.others}
    if not by_option:
        return ""
    played = "Other tables play these." if len(ruling.others) > 1 else "Other tables play this."
    agreed = [reading for reading in by_option.values() if reading.is_agreed]
    is_one = len(by_option) == 1
    if not agreed:
        if not is_one:
            return f"{played} None of these was changed at your table."
        rule = _rule_in_force(ruling.before.ruleset, ruling.others[0])
        return f"{played} Your table plays the rule as printed: {rule}"
    is_printed = not any(reading.is_changed for reading in agreed)
    if len(agreed) == len(by_option):
        printed, own = ("the rule as printed", _AS_PRINTED), ("its own rule", "all of its own rules")
        one, all_of_them = printed if is_printed else own
        return f"{played} Your table agreed on {one if is_one else all_of_them} here."
    rules = " ".join(dict.fromkeys(_rule_in_force(ruling.before.ruleset, reading) for reading in agreed))
    on = f" on {_AS_PRINTED}" if is_printed else ""
    return f"{played} Your table agreed{on}: {rules} None of the others was changed."


def _rule_in_force(ruleset: Ruleset, reading: OtherReading) -> str:
    """Return the rule that another reading replaces: "The Off Jack scores 1."."""
    if len(reading.house) > 1:
        return QUESTIONS["jokers"].rule(ruleset)
    if reading.house[reading.option] is False and reading.option in ruleset.awards:
        return award_sentence(ruleset, reading.option)
    return QUESTIONS[reading.option].rule(ruleset)


def undecided_sentence(ruling: Ruling) -> str:
    """Return that a ruling turns on what the table has still to agree; empty where it does not."""
    names = dict.fromkeys(name for reading in ruling.undecided for name in reading.house)
    asked = [QUESTIONS[name].ask(ruling.before.ruleset) for name in names]
    if not asked:
        return ""
    rule = "a rule" if len(asked) == 1 else f"{len(asked)} rules"
    return f"This turns on {rule} that you have not agreed: {' '.join(asked)}"


def undecided_lines(ruling: Ruling, names: Names) -> list[tuple[str, str]]:
    """Return what comes of the hand by each answer that is still to be agreed.

    Each is a condition and what follows, "If you played to 11 or 15" and "We win, 16 to 9"; of more than two sides
    there are no scores.
    """
    by_target = grouped(
        (reading.house.get("target"), (reading, _undecided_words(ruling, reading, names)))
        for reading in ruling.undecided
    )
    lines: dict[tuple[str, str], list[str]] = {}
    for target, those in by_target.items():
        makes_no_difference = target is not None and len({said for _, said in those}) == 1
        for reading, said in those[:1] if makes_no_difference else those:
            rest = [] if makes_no_difference else [name for name in reading.house if name != "target"]
            conditions = " and ".join(_condition(reading, name) for name in rest)
            lines.setdefault((conditions, said), []).append(str(target) if target is not None else "")
    found = []
    for (conditions, said), targets in lines.items():
        played = f"you played to {listed(targets, 'or')}" if targets[0] else ""
        found.append((f"If {' and '.join(filter(None, (played, conditions)))}", said))
    return found


def _undecided_words(ruling: Ruling, reading: OtherReading, names: Names) -> str:
    if reading.state is None:
        return came_out_words(ruling, reading, names)
    who = winner_words(ruling, reading, names)
    return f"{who}, {_scores_words(ruling, reading.state, names)}" if len(reading.state.scores) == 2 else who


@dataclass(frozen=True, slots=True)
class SideRuling:
    """What a hand does to the score of one side."""

    side: SideId
    before: int
    after: int
    lines: tuple[HandLine, ...]
    """What it scored, and for what."""


def side_rulings(ruling: Ruling) -> tuple[SideRuling, ...]:
    """Return what the hand does to every score."""
    lines = tuple(hand_lines(ruling.result))
    return tuple(
        SideRuling(side, before, ruling.state.scores[side], tuple(line for line in lines if side in line.sides))
        for side, before in ruling.before.scores.items()
    )


def bid_sentence(ruling: Ruling, names: Names) -> str:
    """Return what came of the bid: "We bid 6 and took 5: set."; what a bid above the numbers needs is said, too."""
    result = ruling.result
    match result.status:
        case "after_end":
            return "The match was over before this hand, so it scores nothing."
        case "thrown_in":
            return f"{bid_words(result, names)}: {result_words(result, names)}."
        case "bid" | "bidding" | "scored":
            return played_sentence(result, names)
    assert_never(result.status)


def played_sentence(result: HandResult, names: Names) -> str:
    """Return what came of the bid of a hand that was played: "We bid 6 and took 5: set."; empty where none was bid."""
    if result.set_taken_by:
        return f"{names[result.set_taken_by]} went set instead of bidding."
    if result.bidder is None or result.score is None:
        return ""
    partner = " alone" if result.hand.alone else f" with {names[result.hand.partner]}" if result.hand.partner else ""
    bid = f"{names[result.bidder]} bid {bid_word(result.bid)}{partner}"
    if isinstance(result.bid, int):
        return f"{bid} and took {result.took}: {made_or_set(result)}."
    needs = f"{bid}, which needs {needs_words(result)}"
    return f"{needs}, and took {result.took}{tricks_words(result)}: {made_or_set(result)}."


def ending_words(state: MatchState, names: Names, *, stopped: bool = False) -> str:
    """Return who has won, or that nobody has, with the scores: "We win, 21 to 25", "Nobody yet, 31 to 40".

    Of more than two sides only the winner's score is among them.
    """
    are_two = len(state.scores) == 2
    if state.outcome:
        return f"{outcome_heading(state, names, stopped=stopped)}{',' if are_two else ''} {final_score(state)}"
    heading = "Stopped" if stopped else "Nobody yet" if state.goes_on else "It depends"
    return f"{heading}, {' to '.join(map(score_text, state.scores.values()))}" if are_two else heading


def reason_words(state: MatchState, names: Names, *, stopped: bool = False) -> str:
    """Return why somebody has won, or why nobody has and how the next hand may change that."""
    verdict = verdict_sentence(state, names, stopped=stopped)
    if stopped or not state.goes_on:
        return verdict
    held_back = joined(*held_back_words(state, names))
    if state.ruleset.winning.length == "hands":
        return verdict
    ahead = outlook_sentence(state, names, outlook(state).sides, hand="the next hand")
    return joined(held_back or verdict, "" if ahead == verdict else ahead)


def ending_rule(state: MatchState) -> str:
    """Return the rule that decided; where nobody has won, what ends the match."""
    if state.outcome:
        return deciding_rule(state)
    return rules_text(state, dict.fromkeys((*_ending_options(state), *holding_options(state))))


def _ending_options(state: MatchState) -> Iterator[str]:
    """Yield the options that say to what a match goes, and who wins there unless something holds it back."""
    winning = state.ruleset.winning
    if winning.length == "hands":
        yield "hands"
        return
    if winning.count_down_from:
        yield "count_down_from"
    elif winning.target:
        yield "target"
    if (winning.target or winning.count_down_from) and winning.win_rule and not holding_options(state):
        yield "win_rule"
        if winning.win_by:
            yield "win_by"


def money_words(ruling: Ruling, names: Names) -> str:
    """Return what the hand pays, and who is owed how much now; empty where nobody pays."""
    owed, paid = ruling.state.money, payments_words(ruling.result.payments, names)
    settled = payments_words(owed, names) if owed else ""
    hand = sentence(f"for this hand {paid}.") if paid else ""
    return joined(hand, f"Settled now: {settled}." if settled and settled != paid else "")
