"""What came after the first edition is in the fingerprints of the rules that use it, and in no other."""

from collections.abc import Callable, Mapping

import pytest

from scorekeeper.pitch.rules.groups.declare import StrictModel, is_later_field
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import OPTION_GROUPS, Award, Ruleset
from scorekeeper.pitch.rules.share_codes import fingerprint
from tests.common.library import LIBRARY

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


@pytest.mark.parametrize(
    "use",
    [
        lambda base: with_house(base, {"on_set": "bid_to_defenders"})[0],
        lambda base: with_house(base, {"nine": 9})[0],
        lambda base: base.copy_with(cards=base.cards.copy_with(turned_up=True)),
    ],
    ids=["a house option", "an award", "a part of the deck"],
)
def test_what_came_later_changes_a_fingerprint_where_it_is_used(use: Callable[[Ruleset], Ruleset]) -> None:
    base = LIBRARY["partnership-pitch"]

    assert fingerprint(use(base)) != fingerprint(base)


def parts() -> Mapping[str, type[StrictModel]]:
    """Return every part of a ruleset whose fields are in its fingerprint, by name."""
    found: dict[str, type[StrictModel]] = {"": Ruleset, "awards": Award}
    for name in ("table", "cards", *OPTION_GROUPS):
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

    assert {field for field in dumped if not is_later_field(fields[field])} == first


def test_every_part_of_a_ruleset_is_looked_at() -> None:
    models = {name for name, field in Ruleset.model_fields.items() if hasattr(field.annotation, "model_fields")}

    assert models - {"sheet"} == {*parts()} - {"", "awards"}
    assert {*FIRST_EDITION} <= {*parts()}
