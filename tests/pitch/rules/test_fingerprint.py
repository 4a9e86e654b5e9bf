"""The same rules have the same fingerprint, and other rules another."""

import re

from scorekeeper.pitch.rules.codes import ALPHABET, fingerprint
from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.library import LIBRARY, every_ruleset


@every_ruleset
def test_the_same_rules_have_the_same_fingerprint_whatever_they_are_called(ruleset: Ruleset) -> None:
    renamed = ruleset.changed(name="As the Millers play it", notes=["Bring pretzels."])

    assert fingerprint(renamed) == fingerprint(ruleset)
    assert re.fullmatch(rf"[{ALPHABET}]{{4}}-[{ALPHABET}]{{4}}", fingerprint(ruleset))


def test_no_two_variants_share_a_fingerprint() -> None:
    assert len({fingerprint(ruleset) for ruleset in LIBRARY}) == len(LIBRARY.rulesets)
