"""House rules are the same once encoded and decoded, and what is no share code is refused with a reason."""

import json
import string
import zlib
from base64 import urlsafe_b64encode
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scorekeeper.pitch.rules import share_codes
from scorekeeper.pitch.rules.house_rules import HouseRules, resolve_house_rules
from scorekeeper.pitch.rules.share_codes import MAX_SHARE_CODE_LENGTH, MAX_SHARED_RULES_BYTES, BadCode, decode, encode
from tests.common.library import LIBRARY, MILLERS, every_ruleset
from tests.pitch.rules.random_house_rules import houses

KNOWN = encode(MILLERS)


def crafted(content: bytes, *, tail: bytes = b"") -> str:
    """Return a code of any bytes, compressed like a real one."""
    compressor = zlib.compressobj(
        9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, share_codes._COMPRESSION_DICTIONARY
    )
    compressed = compressor.compress(content) + compressor.flush() + tail
    whole = zlib.crc32(compressed).to_bytes(4, "big") + compressed
    return "1." + urlsafe_b64encode(whole).rstrip(b"=").decode()


@given(houses())
def test_a_code_decodes_to_the_rules_that_were_encoded(house: HouseRules) -> None:
    try:
        code = encode(house)
    except BadCode:
        assume(False)

    assert decode(code) == house
    assert encode(decode(code)) == code
    assert len(code) <= MAX_SHARE_CODE_LENGTH


@given(st.permutations(["target", "dealer_steal", "all_pass", "jack"]))
def test_the_order_of_the_answers_does_not_change_the_code(order: list[str]) -> None:
    answers = {"target": 15, "dealer_steal": "no", "all_pass": "redeal", "jack": False}
    house = HouseRules("Ours", "partnership-pitch", {name: answers[name] for name in order})

    assert encode(house) == encode(HouseRules("Ours", "partnership-pitch", answers))


@every_ruleset
def test_a_usual_code_is_short_enough_to_type(ruleset: object) -> None:
    house = HouseRules("The Millers’ Pitch", ruleset.id, {"target": 15, "low": "held"})  # type: ignore[attr-defined]

    # The words of codes are those of the first edition for good: the names of later games take a few letters more.
    assert len(encode(house)) <= 70


@pytest.mark.parametrize(
    "typed",
    [f"  {KNOWN}\n", " ".join(KNOWN), "\r\n".join(KNOWN[i : i + 10] for i in range(0, len(KNOWN), 10))],
)
def test_spaces_and_line_breaks_are_ignored(typed: str) -> None:
    assert decode(typed) == MILLERS


def test_a_whole_link_is_decoded_too() -> None:
    assert decode(f"http://192.168.1.7:8000/rules?r={KNOWN}") == MILLERS


@given(st.integers(2, len(KNOWN) - 1), st.sampled_from(string.ascii_letters + string.digits + "-_"))
def test_a_mistyped_letter_is_noticed(index: int, letter: str) -> None:
    assume(KNOWN[index] != letter)

    with pytest.raises(BadCode, match="mistyped"):
        decode(KNOWN[:index] + letter + KNOWN[index + 1 :])


@given(st.integers(2, len(KNOWN) - 1))
def test_a_missing_letter_is_noticed(index: int) -> None:
    assume(KNOWN[index - 1] != KNOWN[index])

    with pytest.raises(BadCode):
        decode(KNOWN[:index] + KNOWN[index + 1 :])


@given(st.text() | st.text(string.ascii_letters).map("1.".__add__))
def test_any_text_is_refused_in_a_sentence(text: str) -> None:
    assume(text.split() != [KNOWN])

    with pytest.raises(BadCode, match=r"\.$"):
        decode(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not a share code"),
        ("1.", "not a share code"),
        ("2.abc", "Another version"),
        ("1." + "a" * MAX_SHARE_CODE_LENGTH, "too long"),
        ("x" * 100_000, "too long"),
        ("1.ab+/", "mistyped"),
        (crafted(b"[]"), "no rules"),
        (crafted(b"{"), "no rules"),
        (crafted(b"\xff"), "no rules"),
        (crafted(b'{"house":NaN}'), "no rules"),
        (crafted(b"[" * 10_000), "no rules"),
        (crafted(b'{"name":"x"}'), "holds no rules"),
        (crafted(b'{"name":"x","extends":"fish-pitch","score":9}'), "holds no rules"),
        (crafted(b'{"format":1,"name":"x","extends":"fish-pitch"}'), "no rules"),
        (crafted(b'{"name":"x","extends":"fish-pitch"}', tail=b"more"), "more than"),
    ],
)
def test_what_is_no_code_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(BadCode, match=reason):
        decode(text)


def test_a_small_code_cannot_decompress_into_a_large_one() -> None:
    bomb = crafted(json.dumps({"name": "x" * 1_000_000, "extends": "fish-pitch"}).encode())
    assert len(bomb) < MAX_SHARE_CODE_LENGTH < MAX_SHARED_RULES_BYTES

    with pytest.raises(BadCode, match="more than rules take"):
        decode(bomb)


def test_notes_too_long_for_a_code_are_refused() -> None:
    random = Random(7)
    notes = tuple("".join(chr(random.randrange(0x4E00, 0x9FFF)) for _ in range(200)) for _ in range(10))

    with pytest.raises(BadCode, match="notes are too long"):
        encode(HouseRules("Ours", "fish-pitch", {}, notes))


@pytest.mark.parametrize("name", ["Ou\ud800rs", "<script>alert(1)</script>"])
def test_the_rules_of_a_code_are_checked_like_any_others(name: str) -> None:
    house = decode(crafted(json.dumps({"name": name, "extends": "fish-pitch", "house": {"target": "x"}}).encode()))

    assert "house.target" in {fault.field for fault in resolve_house_rules(house, LIBRARY)[1]}


def test_a_surrogate_is_not_encoded() -> None:
    with pytest.raises(BadCode, match="cannot be written"):
        encode(HouseRules("Ou\ud800rs", "fish-pitch"))
