"""Sample big screens: two sides, five alone, won."""

from dataclasses import replace

from scorekeeper.web.contexts.tv import JoinView, TvPage
from scorekeeper.web.present.scanned import picture_of
from tests.look import matches

JOIN = JoinView(
    says="Follow on your phone",
    pin="KRTMH",
    typed_at="192.168.1.20:8000/join",
    qr=picture_of("http://192.168.1.20:8000/join/KRTMH", "The way to this match", border=2),
)

TV = TvPage(
    title=matches.TITLE,
    rules="Partnership Pitch, to 21",
    match_url="/match",
    board_url="/tv?v=9",
    scores=matches.MATCH.scores,
    race=matches.MATCH.race,
    turn=matches.MATCH.turn,
    last="Dan has it for 3 ♠",
    history=replace(matches.MATCH.history, rows=matches.MATCH.history.rows[:5]),
    join=JOIN,
    told="Hand 8: Dan bid 2, made. Us 19, Them 17.",
)
TV_FIVE = replace(
    TV,
    title="Five at the cabin",
    rules="Call Your Partner, to 42",
    scores=matches.FIVE.scores,
    race=None,
    turn=matches.FIVE.turn,
    last="",
    history=replace(matches.FIVE.history, rows=matches.FIVE.history.rows[:5]),
)
TV_WON = replace(
    TV,
    scores=matches.VERDICT.scores,
    race=None,
    turn=None,
    last="",
    verdict=matches.VERDICT.verdict,
    history=replace(matches.VERDICT.history, rows=matches.VERDICT.history.rows[:3]),
)
