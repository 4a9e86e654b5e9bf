"""Short codes for rules: fingerprints, which tell rules apart, and share codes, which hold house rules.

A share code goes into a link, a QR code or a printed sheet. It is `1.`, for the version, followed by base64url of a
CRC-32 and the deflated JSON of the rules.
"""

import hashlib
import json
import re
import zlib
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scorekeeper.pitch.rules.awards import AwardId
from scorekeeper.pitch.rules.groups.declare import StrictModel, is_later_field
from scorekeeper.pitch.rules.house_rules import HOUSE_FILE_FORMAT, HouseRules, parse_house_rules
from scorekeeper.pitch.rules.schema import Ruleset

FINGERPRINT_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The 32 characters of fingerprints, easy to tell apart in handwriting. There is no 0, O, 1 or I."""

# The fields that describe a ruleset, without effect on the game.
_FIELDS_NOT_FINGERPRINTED = frozenset(
    {"format", "id", "name", "also", "extends", "source", "summary", "notes", "abstract"}
)
# Never change these: awards of the first edition are part of every fingerprint, even if off.
_AWARDS_OF_FIRST_EDITION: frozenset[AwardId] = frozenset(
    "high low ace jack right off_jack left high_joker low_joker joker off_ace ten off_ten five off_five trey off_trey "
    "deuce off_deuce high_spade last_trick game".split()
)


def fingerprint(ruleset: Ruleset) -> str:
    """Return eight characters that are the same for the same rules, whatever their name: "7KQ2-MX4D".

    An option or award that was added to the program later changes only the fingerprints of rules that use it.
    """
    dumped_rules = _drop_later_defaults(
        ruleset, ruleset.model_dump(mode="json", exclude=set(_FIELDS_NOT_FINGERPRINTED))
    )
    dumped_rules["awards"] = {
        award_id: _drop_later_defaults(award, dumped_rules["awards"][award_id])
        for award_id, award in ruleset.awards.items()
        if award.on or award_id in _AWARDS_OF_FIRST_EDITION
    }
    rules_json = json.dumps(dumped_rules, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    hash_bits = int.from_bytes(hashlib.sha256(rules_json).digest()[:5], "big")
    characters = "".join(FINGERPRINT_ALPHABET[hash_bits >> shift & 31] for shift in range(35, -1, -5))
    return f"{characters[:4]}-{characters[4:]}"


def _drop_later_defaults(part: StrictModel, dumped_fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a dumped part of a ruleset without the fields that are `is_later_field` and have their default."""
    fields = type(part).model_fields
    remaining_fields = {}
    for name, dumped in dumped_fields.items():
        value = getattr(part, name)
        if not (is_later_field(fields[name]) and value == fields[name].default):
            remaining_fields[name] = _drop_later_defaults(value, dumped) if isinstance(value, StrictModel) else dumped
    return remaining_fields


ENCODING_VERSION = "1"
"""The version of the encoding, with which every share code starts."""
MAX_SHARE_CODE_LENGTH = 2000
"""The maximum number of characters in a share code."""
MAX_SHARED_RULES_BYTES = 16 * 1024
"""The maximum size of the JSON in a share code, in bytes."""

_CHECKSUM_BYTES = 4
"""The size of the checksum at the start of a share code, in bytes."""
_RAW_DEFLATE_WINDOW = -15
"""The window size (`wbits`) with which zlib writes raw deflate, without a header."""

# Never change these: printed codes need them forever. The most likely words come last.
_DICTIONARY_WORDS = (
    "arizona-29 stauffer-ten-point catch-five double-pedro fish-pitch five-point-set-back oklahoma-six-point "
    "charbonneau-ten-point tunkhannock-fourteen-point racehorse moon-over-four money-pitch solo-without-bidding "
    "solo-for-two-or-three solo-with-bidding partners-without-bidding partnership-pitch-six cutthroat-pitch "
    "razzle-dazzle colorado-cutthroat colorado-six-player colorado-thirteen-point colorado-fourteen-point "
    "nine-card-pitch pawnee-call-your-partner oklahoma-ten-point auction-pitch colorado-ten-point partnership-pitch "
    "high_spade last_trick off_trey off_deuce off_ace off_ten off_five right left ace ten five trey deuce joker "
    "high_joker low_joker off_jack high low jack game game_stake_cents set_stake_cents moon_cents cents_per_point "
    "holds_called choice alone holder bidder call_lead any_trump any_card call first_played marked joker_order "
    "out_of_game face_up burn no_face_no_point misdeal trump_only must_trump_if_void must_follow follow_or_trump "
    "follow no_trump_first any trump first_lead cut share_the_wealth rest_to_bidder after_call after_trump "
    "before_trump kitty discard_two up_to_four discard_three up_to_three fill_to_six none draw clockwise next_dealer "
    "four_points_win_game defenders_stop_at_one count_down_from set_limit win_by partner_set_too pooled each "
    "defenders_score nothing bid points score_on_made double_loss_on_overtake pitching in_play all "
    "moon_counts_burned points_and_tricks moon_needs top_bid_by_another moon_after double_moon_set double_moon_made "
    "double_moon to_minus_four win_or_minus_target win_or_lose money stake off moon_set moon_made moon smudge "
    "until_passed one rounds may_take_set redeal dealer_forced forced_bid max_bid min_bid joker_breaks "
    "all_tied_score nobody game_tie ten_of_trumps card_points game_rule reverse dirty jokers bidder_or_play_on "
    "point_order another_hand higher_score bidder_first tie_rule first_to_target made_bid win_rule hands length "
    "all_pass not_smudge no yes dealer_steal kept held captured low target"
).split()
_DICTIONARY_SNIPPETS = (
    '","notes":["',
    ":false,",
    ":true,",
    ":null,",
    *(f'"{word}":' for word in _DICTIONARY_WORDS),
    *(f':"{word}",' for word in ("redeal", "held", "no", "yes", "higher_score", "made_bid", "first_to_target")),
    '"dealer_steal":"no","target":11',
    '"},"name":"Our Rules ’s Family Pitch","extends":"',
    '{"house":{',
)
_COMPRESSION_DICTIONARY = (" ".join(_DICTIONARY_WORDS) + "".join(_DICTIONARY_SNIPPETS)).encode()


class BadCode(Exception):
    """Raised for a share code that cannot be read, and for rules that cannot be written as one.

    The message is a sentence for users.
    """


def encode(rules: HouseRules) -> str:
    """Return the share code of house rules: "1.Kz8…". The same rules have the same code.

    Raises `BadCode` if the rules are too long or cannot be encoded.
    """
    document: dict[str, object] = {
        "house": dict(sorted(rules.options.items())),
        "name": rules.name,
        "extends": rules.variant,
    }
    if rules.notes:
        document["notes"] = list(rules.notes)
    try:
        json_bytes = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    except ValueError:  # a surrogate
        raise BadCode("There are characters in these rules that cannot be written. Type them again.") from None
    compressor = zlib.compressobj(
        9, zlib.DEFLATED, _RAW_DEFLATE_WINDOW, 9, zlib.Z_DEFAULT_STRATEGY, _COMPRESSION_DICTIONARY
    )
    compressed = compressor.compress(json_bytes) + compressor.flush()
    code = f"{ENCODING_VERSION}.{_base64url(_checksum(compressed) + compressed)}"
    if len(code) > MAX_SHARE_CODE_LENGTH or len(json_bytes) > MAX_SHARED_RULES_BYTES:
        raise BadCode("The notes are too long to share with the rules. Leave some out.")
    return code


def encode_without_long_notes(rules: HouseRules) -> str:
    """Return the share code of house rules, leaving out their notes if these make it too long.

    Raises `BadCode` if the rules cannot be encoded without notes either.
    """
    try:
        return encode(rules)
    except BadCode:
        return encode(replace(rules, notes=()))


def _checksum(compressed: bytes) -> bytes:
    """Return the CRC-32 of compressed rules, as four bytes."""
    return zlib.crc32(compressed).to_bytes(_CHECKSUM_BYTES, "big")


def _base64url(content: bytes) -> str:
    """Return bytes as a base64url text without padding."""
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def decode(text: str) -> HouseRules:
    """Parse a share code, or a URL that contains one, into house rules; raises `BadCode`.

    The answers of the rules are not checked.
    """
    return _parse_rules(_decompress(_decode_payload(_extract_payload(text))))


def _extract_payload(text: str) -> str:
    """Return the part of a share code that follows its version; raises `BadCode` for any other text.

    The text may have spaces in it, or be a URL with the code as its argument `r`.
    """
    if len(text) > 2 * MAX_SHARE_CODE_LENGTH:
        raise BadCode(f"This is too long for a share code. Copy the code alone: up to {MAX_SHARE_CODE_LENGTH} letters.")
    code = "".join(text.split())
    found = re.search(r"(?:^|[?&]r=)(\d+)\.([^&#]+)", code)
    if re.fullmatch(r"\w{4}-?\w{4}", code):
        raise BadCode("These eight letters only tell rules apart. Scan the QR code beside them, or paste a link.")
    if not found:
        raise BadCode("This is not a share code. Copy one: it starts with “1.”, followed by letters and digits.")
    version, payload = found.groups()
    if version != ENCODING_VERSION:
        raise BadCode("Another version of Scorekeeper made this code. Update this one first.")
    if len(version + payload) >= MAX_SHARE_CODE_LENGTH:
        raise BadCode(f"This is too long for a share code. Copy the code alone: up to {MAX_SHARE_CODE_LENGTH} letters.")
    return payload


_MISTYPED_TEXT = "A letter of this code is missing or mistyped. Compare it with theirs, including capital letters."
_NO_RULES_TEXT = "This code holds no rules. Copy it again from where it was shared."


def _decode_payload(payload: str) -> bytes:
    """Return the compressed rules in a payload; raises `BadCode` if a letter is missing or mistyped."""
    try:
        decoded_bytes = b64decode(payload + "=" * (-len(payload) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise BadCode(_MISTYPED_TEXT) from None
    compressed = decoded_bytes[_CHECKSUM_BYTES:]
    # Base64 leaves bits unused at the end: several last letters decode alike, and only one is canonical.
    if decoded_bytes[:_CHECKSUM_BYTES] != _checksum(compressed) or _base64url(decoded_bytes) != payload:
        raise BadCode(_MISTYPED_TEXT)
    return compressed


def _decompress(compressed: bytes) -> bytes:
    """Decompress rules to JSON.

    Raises `BadCode` if the bytes are invalid, incomplete, or decompress to too many.
    """
    decompressor = zlib.decompressobj(_RAW_DEFLATE_WINDOW, _COMPRESSION_DICTIONARY)
    try:
        json_bytes = decompressor.decompress(compressed, MAX_SHARED_RULES_BYTES)
    except zlib.error:
        raise BadCode(_NO_RULES_TEXT) from None
    if not decompressor.eof or decompressor.unused_data:
        raise BadCode("This code holds more than rules take, or only a part of them. Copy it again.")
    return json_bytes


def _parse_rules(json_bytes: bytes) -> HouseRules:
    """Parse house rules from JSON; raises `BadCode` for any other content."""
    try:
        document = json.loads(json_bytes.decode(), parse_constant=_refuse_number)
    except (ValueError, RecursionError):
        raise BadCode(_NO_RULES_TEXT) from None
    if not isinstance(document, dict) or "format" in document:
        raise BadCode(_NO_RULES_TEXT)
    rules, faults = parse_house_rules({"format": HOUSE_FILE_FORMAT, **document})
    if faults:
        raise BadCode(_NO_RULES_TEXT)
    return rules


def _refuse_number(number: str) -> None:
    """Raise `ValueError`, because the JSON of rules has no NaN and no infinite number."""
    raise ValueError(number)
