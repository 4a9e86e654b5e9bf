"""An option that is offered changes some auction, score, payment or winner; a moot option changes none."""

import os
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import cycle, islice
from random import Random
from typing import Any

import pytest

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.options import contradictions, is_offered, moot_options, options
from scorekeeper.pitch.rules.questions import QUESTIONS, parse_word
from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.ci import IS_CI, paired
from tests.common.each import each
from tests.common.library import LIBRARY
from tests.pitch.scoring.random_records import random_house
from tests.pitch.scoring.small_matches import SHEET_ALONE, Pair, SmallMatch, answering, find_difference

OF_PLAY = (*SHEET_ALONE, "low", "jokers", "next_dealer")
"""Options that change what happens with the cards, and who deals them."""
ALONE: tuple[dict[str, Any], ...] = ({}, {"win_rule": "made_bid"}, {"win_rule": "first_to_target"})
BY_HANDS: dict[str, Any] = {"length": "hands", "hands": 3}
BY_LEAD: dict[str, Any] = {"win_by": 2}
BESIDE: tuple[dict[str, Any], ...] = (
    *ALONE,
    BY_HANDS,
    BY_LEAD,
    {"defenders_score": "none"},
    {"all_pass": "redeal"},
    {"all_pass": "dealer_forced"},
    {"moon": "win_or_lose"},
    {"count_down_from": 21},
    {"on_set": "bid_to_defenders"},
    {"score_on_made": "nothing"},
    {"defenders_stop_short": True},
)
DECIDING = ("win_rule", "tie_rule", "score_on_made", "defenders_score", "on_set", "dealer_steal", "all_pass", "rounds")
"""Options with several answers that decide who may call what, what is scored and who wins, and not who took a card."""
GAMES = int(os.environ.get("MOOT_GAMES", "2" if IS_CI else "0"))
"""In how many games each single answer is tried; 1000 are all, which takes an hour of a processor."""
OPTION, _, WORD = os.environ.get("MOOT_ANSWER", "").partition("=")
"""A single answer that is tried in every game, such as `on_set=bid_to_defenders`, and nothing beside it."""
FEW, MANY = 60, 4000
"""How many random hands are tried for two answers that may be equivalent, and for two that have to differ."""


def agreed(variant: str, house: dict[str, Any]) -> Ruleset | None:
    """Return the rules of a house, with an answer to what the sources leave open; `None` where there are none such."""
    base = LIBRARY[variant]
    left_open = {"target": 21, "win_rule": "first_to_target", "min_bid": 1, "all_pass": "redeal"}
    ruleset, faults = with_house(
        base, {name: left_open[name] for name in base.open_options if name in left_open} | house
    )
    return None if faults else ruleset


def answers(ruleset: Ruleset, name: str) -> list[Any]:
    """Return the answers to an option beside the others, the one in force first; of numbers a few."""
    option, now = options()[name], ruleset.answer(name)
    if option.is_flag:
        found: list[Any] = [True, False]
    elif option.choices:
        found = list(option.choices)
    else:
        near: tuple[int, ...] = (now - 1, now + 1) if isinstance(now, int) else ()
        lowest, highest = option.lowest or 0, option.highest or 0
        near += (ruleset.points_per_hand - 1, ruleset.points_per_hand) if name == "max_bid" else ()
        found = [answer for answer in dict.fromkeys((*near, 1, 2, 7, 3)) if lowest <= answer <= highest]
        found += [None] if option.allows_none else []
    return [
        now,
        *(answer for answer in found if answer != now and not contradictions(answering(ruleset, name, answer), {name})),
    ]


def pairs(ruleset: Ruleset, name: str) -> list[Pair]:
    now, *others = answers(ruleset, name)
    rules = answering(ruleset, name, now)
    return [(rules, answering(ruleset, name, answer)) for answer in others]


def check(variant: str, house: dict[str, Any], known: Mapping[str, deque[SmallMatch]]) -> tuple[list[str], list[str]]:
    """Return the options that are offered and decide nothing, and those that decide something and are not offered.

    The small matches in which two answers to an option differ mostly differ beside other answers as well.
    """
    ruleset, random = agreed(variant, house), Random(f"{variant} {house}")
    if ruleset is None:
        return [], []
    moot = moot_options(ruleset)
    idle, unasked = [], []
    for name in (name for name in QUESTIONS if name in options() and name not in OF_PLAY):
        tried = pairs(ruleset, name)
        if name in moot:
            unasked += [name] if find_difference(tried, random, FEW) else []
        elif found := find_difference(tried, random, MANY, known[name]):
            known[name].extend([] if found in known[name] else [found])
        elif tried:
            idle.append(name)
    return idle, unasked


@cache
def _single_answers() -> dict[str, list[dict[str, Any]]]:
    """Return what is tried beside each game: each other answer in a few games, of numbers some."""
    found: dict[tuple[str, str], list[tuple[str, dict[str, Any]]]] = {}
    for variant in VARIANTS:
        ruleset = agreed(variant, {})
        assert ruleset
        for name in (name for name in QUESTIONS if name in options() and name not in OF_PLAY):
            for answer in answers(ruleset, name)[1:]:
                if answer is not None or name not in LIBRARY[variant].open_options:
                    is_number = isinstance(answer, int) and not isinstance(answer, bool)
                    found.setdefault((name, "" if is_number else str(answer)), []).append((variant, {name: answer}))
    tried: dict[str, list[dict[str, Any]]] = {}
    for answer, cases in found.items():
        for variant, house in Random(str(answer)).sample(cases, min(GAMES, len(cases))):
            tried.setdefault(variant, []).append(house)
    return tried


FOUND: dict[str, tuple[dict[str, Any], ...]] = {
    "five-point-set-back": ({"max_bid": 1}, {"min_bid": 5}),
    "nine-card-pitch": ({"all_pass": "unobliged"}, {"set_limit": 1}),
    "racehorse": (BY_HANDS,),
    "setback-for-two": ({"dealer_steal": "not_smudge"}, {"dealer_steal": "top_only"}, {"max_bid": 1}),
    "seven-point-pitch": ({"min_bid": 7}, {"forced_bid": 7}),
}
"""Answers beside which an option once was offered though it decided nothing."""
RANDOM = tuple(random_house(Random(number), LIBRARY["partnership-pitch"]) for number in range(3))
VARIANTS = [ruleset.id for ruleset in LIBRARY]


def houses(variant: str) -> Iterator[dict[str, Any]]:
    """Yield what is tried beside a game: in CI the usual answers, some single ones and a few sets; elsewhere a set."""
    if OPTION:
        yield from ({**house, OPTION: options()[OPTION].parse_answer(parse_word(WORD))} for house in ALONE)
        return
    number = VARIANTS.index(variant)
    if IS_CI:
        yield from (*ALONE, *FOUND.get(variant, ()))
    yield from _single_answers().get(variant, ())
    others = cycle((*BESIDE, *RANDOM))
    yield from islice(others, 3 * number, 3 * number + (3 if IS_CI else 1))


@pytest.mark.parametrize("variant", VARIANTS[:: 1 if IS_CI or GAMES or OPTION else 4])
def test_what_is_asked_decides_something_and_nothing_else_does(variant: str) -> None:
    known: defaultdict[str, deque[SmallMatch]] = defaultdict(lambda: deque(maxlen=12))
    found = [(house, check(variant, house, known)) for house in houses(variant)]

    assert [(house, wrong) for house, wrong in found if wrong != ([], [])] == []


@each("beside", paired(VARIANTS, (*ALONE, BY_HANDS, BY_LEAD)))
def test_an_answer_that_is_not_asked_decides_what_another_does(beside: tuple[str, dict[str, Any]]) -> None:
    if (ruleset := agreed(*beside)) is None:
        return
    random = Random(str(beside))
    for name in (name for name in DECIDING if name not in moot_options(ruleset)):
        rules = {answer: answering(ruleset, name, answer) for answer in answers(ruleset, name)}
        offered = [answer for answer in rules if is_offered(ruleset, name, answer)]
        for left_out in (answer for answer in rules if answer not in offered):
            assert not all(find_difference([(rules[left_out], rules[answer])], random, FEW) for answer in offered), (
                name,
                left_out,
            )
