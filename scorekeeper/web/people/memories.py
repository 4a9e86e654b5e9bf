"""What is remembered of some matches, in words, for pages and paper."""

from collections.abc import Iterator

from scorekeeper.narration.dates import DateStyle
from scorekeeper.narration.phrases import signed
from scorekeeper.printing.year_sheet import Memory
from scorekeeper.services.people import BookPeople
from scorekeeper.statistics.seated import Count, Memories
from scorekeeper.web.people.labels import score_words, side_name, team_name, two_scores, when


def comeback(people: BookPeople, memories: Memories, dates: DateStyle) -> Iterator[Memory]:
    """Yield from how far behind somebody has won."""
    if memories.comeback is None:
        return
    match = memories.comeback[1]
    figures = match.figures
    if figures.details.behind is None or figures.winner is None:
        return
    winners = side_name(people, match, figures.winner)
    yield Memory(
        label="Longest comeback",
        detail=f"{winners} from {two_scores(*figures.details.behind)} behind, {when(figures, dates)}",
        figure=score_words(figures, figures.winner),
        match=match.uid,
    )


def closest(people: BookPeople, memories: Memories, dates: DateStyle) -> Iterator[Memory]:
    """Yield which match ended closest, and who had the bid then."""
    if memories.closest is None:
        return
    match = memories.closest[1]
    figures = match.figures
    if figures.winner is None:
        return
    team = match.team_of(figures.details.last_team)
    had = f"{team_name(people, team)} had the bid, " if team and all(one in people.names for one in team) else ""
    yield Memory(
        label="Closest finish",
        detail=f"{had}{when(figures, dates)}",
        figure=score_words(figures, figures.winner),
        match=match.uid,
    )


def moons(people: BookPeople, memories: Memories, tried: Count, dates: DateStyle) -> Iterator[Memory]:
    """Yield the only moon that was made, or how many were."""
    if not tried.of:
        return
    made = memories.moons
    if len(made) == 1:
        match, moon = made[0]
        team = (match.people[moon.by],) if moon.by is not None else match.team_of(moon.team)
        who = team_name(people, team) if team and all(one in people.names for one in team) else "A moon"
        more = f". {tried.of} were tried" if tried.of > 1 else ""
        yield Memory(
            label="The only moon",
            detail=f"{who}, {when(match.figures, dates)}{more}",
            figure=signed(moon.change),
            match=match.uid,
        )
    else:
        yield Memory(label="Moons made", detail=f"of {tried.of} tried", figure=str(tried.some))


def longest(memories: Memories, dates: DateStyle) -> Iterator[Memory]:
    """Yield which match took most hands."""
    if memories.longest is not None:
        hands, match = memories.longest
        yield Memory(
            label="Most hands in one match", detail=when(match.figures, dates), figure=str(hands), match=match.uid
        )


def most_sets(people: BookPeople, memories: Memories, dates: DateStyle) -> Iterator[Memory]:
    """Yield who was set most often in one match; a single set is nothing to remember."""
    if memories.sets is None or memories.sets[0] <= 1:
        return
    sets, match = memories.sets
    who = memories.who_was_set_most or ""
    hands = match.figures.details.hands
    detail = f"{people.name_in(match, who)}, {when(match.figures, dates)}, {hands} hands"
    yield Memory(label="Most sets in one match", detail=detail, figure=str(sets), match=match.uid)
