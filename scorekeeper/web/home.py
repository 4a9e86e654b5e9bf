"""The home page: this phone's matches, and what else is in the drawer."""

from flask import Blueprint, Response, request, url_for

from scorekeeper.engine.outcome import worth
from scorekeeper.engine.words import listed, plain
from scorekeeper.engine.words.ends import ends_at
from scorekeeper.extensions import db
from scorekeeper.services.devices import ListedMatch, matches_of_device
from scorekeeper.services.load import LoadedMatch, load_match
from scorekeeper.services.refusals import UnknownMatch
from scorekeeper.web.contexts.home import CardScore, HomeLine, HomePage, MatchCard
from scorekeeper.web.contexts.parts import Action, Notice, ThemeSwitch
from scorekeeper.web.keys import device, new_key
from scorekeeper.web.present.board import match_title
from scorekeeper.web.present.sides import side_views
from scorekeeper.web.respond import page
from scorekeeper.web.theme import theme

bp = Blueprint("home", __name__)

MOST_AGAIN = 3


@bp.get("/")
def index() -> Response:
    """Show this phone's matches, the one that is being played on top."""
    listed_matches = matches_of_device(db.session, device())
    loaded = [item.loaded for item in listed_matches if item.loaded]
    current = next((match for match in loaded if match.status == "in_progress"), None)
    return page("home/index.html", _page(listed_matches, loaded, current))


def _page(items: list[ListedMatch], loaded: list[LoadedMatch], current: LoadedMatch | None) -> HomePage:
    return HomePage(
        title="Your matches",
        new_url=url_for("new.choose"),
        join=Action(label="Join", url=url_for("join.ask"), icon="phone"),
        drawer=(
            HomeLine(url=url_for("sheets.index"), label="Rules, to read and to print", icon="book"),
            HomeLine(url=url_for("house.index"), label="Our own rules", icon="pencil"),
            HomeLine(url=url_for("prints.choose"), label="Print rules and score sheets", icon="print"),
            HomeLine(url=url_for("transfer.show"), label="Take matches away, bring them back", icon="down"),
        ),
        current=_card(current) if current else None,
        again=_again(loaded),
        others=tuple(_line(item) for item in items if item.loaded is not current or current is None),
        lost="A match that is not listed here is not lost: open its link, "
        "or ask on the computer that keeps the score with “scorekeeper matches”.",
        theme=ThemeSwitch(url=url_for("theme.choose_theme"), next_url=url_for(".index"), chosen=theme()),
        notices=_gone(),
    )


def _card(match: LoadedMatch) -> MatchCard:
    scores = tuple(
        CardScore(side=view, score=plain(match.counted.scores[name]), is_negative=match.counted.scores[name] < 0)
        for name, view in side_views(match).items()
    )
    return MatchCard(
        url=url_for("matches.show", code=match.code),
        title=match_title(match),
        where=f"hand {len(match.state.hands) + 1}",
        scores=scores,
    )


def _again(loaded: list[LoadedMatch]) -> tuple[HomeLine, ...]:
    """Offer the last tables, each once, with their rules."""
    lines: dict[tuple[object, ...], HomeLine] = {}
    for match in loaded:
        ruleset = match.state.ruleset
        people = ", ".join(side.name for side in match.state.seats.sides)
        seated = ", ".join(view.people or view.name for view in side_views(match).values())
        key = (ruleset.id, match.match.digest, people)
        if key not in lines and len(lines) < MOST_AGAIN:
            lines[key] = HomeLine(
                url=url_for("new.again", code=match.code),
                label=seated,
                small=f"{ruleset.name}, {ends_at(ruleset)}",
                sign=str(len(match.state.seats.players) or next(iter(ruleset.table.partners), 2)),
            )
    return tuple(lines.values())


def _line(item: ListedMatch) -> HomeLine:
    match = item.loaded
    url = url_for("matches.show", code=item.link.code)
    day = item.written_at.astimezone()
    when = f"{day.day} {day.strftime('%b')}"
    if match is None:
        return HomeLine(url=url, label=item.title or "A match", small=f"{when}: its rules cannot be read here")
    best = sorted(match.counted.scores.values(), key=lambda score: -worth(match.state.ruleset, score))
    standing = {"over": "over", "stopped": "stopped"}.get(match.status, f"hand {len(match.state.hands) + 1}")
    if match.counted.outcome:
        standing = f"{listed(match.counted.outcome.winners)} won"
    return HomeLine(
        url=url,
        label=match_title(match),
        small=f"{when}, {standing}",
        end=" : ".join(plain(score) for score in best[:3]),
    )


def _gone() -> tuple[Notice, ...]:
    """Say that a match was thrown away, with the way to fetch it back."""
    code = request.args.get("gone", "")
    if not code:
        return ()
    try:
        match = load_match(db.session, code)
    except UnknownMatch:
        return ()
    if not match.log.is_deleted:
        return ()
    fields = (("client_key", new_key()),)
    back = Action(
        label="Put back", url=url_for("matches.restore", code=code), icon="again", is_post=True, fields=fields
    )
    return (Notice(lead=f"{match_title(match)} is thrown away.", icon="bin", actions=(back,)),)
