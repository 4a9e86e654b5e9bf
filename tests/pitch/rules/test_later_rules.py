"""A new option at its default, and a new award that is off, change no fingerprint and no share code."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field

from scorekeeper.pitch.rules import options as options_module
from scorekeeper.pitch.rules.awards import AwardId
from scorekeeper.pitch.rules.groups.declare import Spec, is_later, later_field, option
from scorekeeper.pitch.rules.groups.play import Play
from scorekeeper.pitch.rules.house_rules import HouseRules, derive_house_rules, resolve, simplified, with_house
from scorekeeper.pitch.rules.schema import GROUPS, Award, Ruleset, Table
from scorekeeper.pitch.rules.share_codes import decode, encode, fingerprint
from tests.common.library import LIBRARY, every_ruleset
from tests.pitch.rules.random_house_rules import RULESETS, sound_houses

FIRST_EDITION = {
    "": "format id name also extends source summary notes abstract to_agree table cards awards points bidding moon "
    "scoring winning money play",
    "awards": "name card won points unclaimed on",
    "table": "partners fewest most called open",
    "cards": "ranks dealt dealt_six packets played face_down",
    "points": "jokers low dirty reverse game_rule game_tie",
    "bidding": "auction min_bid max_bid forced_bid all_pass dealer_steal rounds smudge pitching "
    "double_loss_on_overtake",
    "moon": "moon moon_made moon_set double_moon double_moon_made double_moon_set moon_after moon_needs "
    "moon_counts_burned moon_is_top_bid",
    "scoring": "score_on_made defenders_score partner_set_too",
    "winning": "target length hands win_rule tie_rule win_by count_down_from defenders_stop_at_one set_limit "
    "four_points_win_game",
    "money": "settles cents_per_point moon_cents set_stake_cents game_stake_cents",
    "play": "next_dealer draw kitty share_the_wealth cut first_lead follow misdeal burn joker_order call call_lead "
    "alone",
}
"""The fields of a ruleset, and of every part of it, that are in all fingerprints. Never add to them."""


class LaterPlay(Play):
    """The play, with one option more."""

    weather: Literal["fair", "storm"] = option("fair", "", "", is_later=True)
    """Whether a storm ends the hand."""


class LaterTable(Table):
    """The table, with one field more."""

    standing: bool = later_field(False)
    """Everyone stands."""


class LaterAward(Award):
    """An award, with one field more."""

    shown: bool = later_field(False)
    """Whether its card is shown."""


class LaterMusic(Spec):
    """A part that is new as a whole."""

    tune: str = option("none", "", "")
    """What is sung."""


class LaterRuleset(Ruleset):
    """A ruleset as a later edition may have it."""

    table: LaterTable = LaterTable()
    play: LaterPlay = LaterPlay()
    music: LaterMusic = later_field(LaterMusic())
    """What is heard."""
    awards: dict[AwardId, LaterAward] = Field(description="With one more.")  # type: ignore[assignment]


def later(ruleset: Ruleset) -> Ruleset:
    """Return a ruleset as the later edition reads its file."""
    data = ruleset.model_dump()
    four = {"name": "Four", "card": "4", "won": "captured", "points": 2, "unclaimed": True}
    return LaterRuleset(**{**data, "awards": {**data["awards"], "four": four}, "sheet": ruleset.sheet})


LATER: Mapping[str, Ruleset] = {ruleset.id: later(ruleset) for ruleset in RULESETS}


@contextmanager
def later_edition() -> Iterator[None]:
    """Have the options of the later edition for a while."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(options_module, "Ruleset", LaterRuleset)
        options_module.options.cache_clear()
        try:
            yield
        finally:
            options_module.options.cache_clear()


@every_ruleset
def test_what_is_new_and_unused_changes_no_fingerprint(ruleset: Ruleset) -> None:
    assert fingerprint(LATER[ruleset.id]) == fingerprint(ruleset)


@every_ruleset
def test_what_is_new_and_used_changes_the_fingerprint(ruleset: Ruleset) -> None:
    bigger = LATER[ruleset.id]
    with later_edition():
        storm, _ = with_house(bigger, {"weather": "storm"})
        four, _ = with_house(bigger, {"four": 3})
    shown = bigger.changed(awards={**bigger.awards, "high": bigger.awards["high"].changed(shown=True)})
    standing = bigger.changed(table=bigger.table.changed(standing=True))
    singing = bigger.changed(music=LaterMusic(tune="Home on the Range"))

    names = {fingerprint(rules) for rules in (ruleset, storm, four, shown, standing, singing)}

    assert len(names) == 6


def identified(house: HouseRules, variants: Mapping[str, Ruleset]) -> tuple[str, str, HouseRules]:
    """Return what is printed and shared of house rules in one of the editions: fingerprint, code, rules."""
    ruleset, faults = resolve(decode(encode(house)), variants)
    assert ruleset is not None, faults
    derived = derive_house_rules(ruleset, variants[house.variant])
    return fingerprint(ruleset), encode(simplified(house, variants)), derived


@settings(max_examples=40)  # the options of an edition are made once for many house rules
@given(st.lists(sound_houses(), min_size=1, max_size=10))
def test_house_rules_have_the_same_fingerprint_and_code_in_both_editions(houses: list[HouseRules]) -> None:
    before = [identified(house, LIBRARY.rulesets) for house in houses]

    with later_edition():
        assert "weather" in options_module.options()
        after = [identified(house, LATER) for house in houses]

    assert after == before


def parts() -> Mapping[str, type[Spec]]:
    """Return every part of a ruleset whose fields are in its fingerprint, by name."""
    found: dict[str, type[Spec]] = {"": Ruleset, "awards": Award}
    for name in ("table", "cards", *GROUPS):
        part = Ruleset.model_fields[name].annotation
        assert isinstance(part, type)
        found[name] = part
    return found


@pytest.mark.parametrize("name", parts())
def test_a_field_is_of_the_first_edition_or_declared_as_later(name: str) -> None:
    """A field that is neither would change every fingerprint: declare it with `is_later=True`."""
    fields = parts()[name].model_fields
    first = set(FIRST_EDITION.get(name, "").split())
    dumped = {field for field, info in fields.items() if not info.exclude}

    assert {field for field in dumped if not is_later(fields[field])} == first


def test_every_part_of_a_ruleset_is_looked_at() -> None:
    models = {name for name, field in Ruleset.model_fields.items() if hasattr(field.annotation, "model_fields")}

    assert models - {"sheet"} == {*parts()} - {"", "awards"}
    assert {*FIRST_EDITION} <= {*parts()}
