"""A match at Grandma's of ten hands of Colorado Ten Point, of which the sixth has points only."""

import json
from pathlib import Path
from typing import Any

RECORD = Path(__file__).with_suffix(".json")


def thursday(hands: int = 10, **more: Any) -> dict[str, Any]:
    """Return the record of the match, or of its first hands."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    return {**record, "hands": record["hands"][:hands], **more}
