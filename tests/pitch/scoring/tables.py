"""Short functions to write hands of a record."""


def four(high: str, low: str, jack: str | None, game: str | None) -> dict[str, str | None]:
    """Say who took the basic four."""
    return {"high": high, "low": low, "jack": jack, "game": game}
