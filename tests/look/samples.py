"""Every page with a context as the views make them: name → template, context, blocks."""

from dataclasses import dataclass

from tests.look import auctions, entries, houses, matches, others, prints, room, screens


@dataclass(frozen=True, slots=True)
class Sample:
    """One page to look at."""

    template: str
    page: object
    blocks: tuple[str, ...] = ()


MATCH = ("board", "told", "turn", "history", "chart", "foot")
TV = ("head", "board", "told")
HAND = ("faults", "hand_form", "foot")
NEW = ("faults", "table")
COMPOSE = ("faults", "diff", "questions", "foot")

SAMPLES = {
    "home": Sample("home/index.html", others.HOME_PAGE, ("matches",)),
    "home-empty": Sample("home/index.html", others.HOME_EMPTY, ("matches",)),
    "home-five": Sample("home/index.html", others.HOME_FIVE, ("matches",)),
    "choose": Sample("match/choose.html", others.CHOOSE),
    "new": Sample("match/new.html", others.NEW, NEW),
    "new-five": Sample("match/new.html", others.NEW_FIVE, NEW),
    "match": Sample("match/show.html", matches.MATCH, MATCH),
    "waiting": Sample("match/show.html", matches.WAITING, MATCH),
    "begun": Sample("match/show.html", matches.BEGUN, MATCH),
    "three": Sample("match/show.html", matches.THREE, MATCH),
    "five": Sample("match/show.html", matches.FIVE, MATCH),
    "eight": Sample("match/show.html", matches.EIGHT, MATCH),
    "verdict": Sample("match/show.html", matches.VERDICT, MATCH),
    "verdict-five": Sample("match/show.html", matches.VERDICT_FIVE, MATCH),
    "stopped": Sample("match/show.html", matches.STOPPED, MATCH),
    "tv": Sample("match/tv.html", screens.TV, TV),
    "tv-five": Sample("match/tv.html", screens.TV_FIVE, TV),
    "tv-won": Sample("match/tv.html", screens.TV_WON, TV),
    "entry-four": Sample("match/hand.html", entries.FOUR, HAND),
    "entry-open": Sample("match/hand.html", entries.OPEN, HAND),
    "entry-empty": Sample("match/hand.html", entries.EMPTY, HAND),
    "entry-refused": Sample("match/hand.html", entries.REFUSED, HAND),
    "entry-ten": Sample("match/hand.html", entries.TEN, HAND),
    "entry-fourteen": Sample("match/hand.html", entries.FOURTEEN, HAND),
    "entry-three": Sample("match/hand.html", entries.THREE, HAND),
    "entry-five": Sample("match/hand.html", entries.FIVE, HAND),
    "entry-eight": Sample("match/hand.html", entries.EIGHT, HAND),
    "entry-counts": Sample("match/hand.html", entries.COUNTS, HAND),
    "entry-auction": Sample("match/hand.html", auctions.BEGUN, HAND),
    "entry-auction-rounds": Sample("match/hand.html", auctions.ROUNDS, HAND),
    "entry-auction-ten": Sample("match/hand.html", auctions.TEN, HAND),
    "entry-auction-over": Sample("match/hand.html", auctions.OVER, HAND),
    "entry-auction-dealer": Sample("match/hand.html", auctions.DEALER, HAND),
    "history": Sample("match/history.html", matches.HISTORY, ("notices", "hands")),
    "history-five": Sample("match/history.html", matches.HISTORY_FIVE, ("notices", "hands")),
    "confirm": Sample("match/confirm.html", others.CONFIRM),
    "journal": Sample("match/journal.html", others.JOURNAL),
    "deal": Sample("match/deal.html", others.DEAL),
    "settings": Sample("match/settings.html", others.SETTINGS, ("faults",)),
    "clash": Sample("match/clash.html", others.CLASH),
    "room": Sample("match/room.html", room.ROOM, ("phones",)),
    "room-alone": Sample("match/room.html", room.ALONE, ("phones",)),
    "whose": Sample("match/join.html", room.WHOSE),
    "pin": Sample("match/pin.html", room.PIN),
    "pin-refused": Sample("match/pin.html", room.PIN_REFUSED),
    "match-watched": Sample("match/show.html", room.WATCHED, MATCH),
    "rules": Sample("rules/index.html", others.RULES),
    "transfer": Sample("transfer.html", others.TRANSFER),
    "compose": Sample("rules/compose.html", houses.COMPOSE, COMPOSE),
    "compose-new": Sample("rules/compose.html", houses.COMPOSE_NEW, COMPOSE),
    "compose-refused": Sample("rules/compose.html", houses.COMPOSE_REFUSED, COMPOSE),
    "compose-match": Sample("rules/compose.html", houses.COMPOSE_MATCH, COMPOSE),
    "house": Sample("rules/houses.html", houses.HOUSES),
    "house-refused": Sample("rules/houses.html", houses.HOUSES_REFUSED),
    "share": Sample("rules/share.html", houses.SHARE),
    "print": Sample("prints/choose.html", prints.CHOOSE, ("sizes", "preview", "foot")),
    "print-without": Sample("prints/choose.html", prints.WITHOUT, ("preview", "foot")),
    "print-index": Sample("prints/index.html", prints.INDEX),
    "offline": Sample("offline.html", others.OFFLINE),
    "error": Sample("errors/error.html", others.ERROR),
}
