"""What a change does to the scores, said before it is made."""

from scorekeeper.engine.words import listed, plain, verb
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.writing import Preview
from scorekeeper.web.contexts.confirm import ChangeView
from scorekeeper.web.present.sides import side_views


def changed_scores(looked: Preview) -> tuple[ChangeView, ...]:
    """Give each side's score, the old one struck where it moves."""
    views = side_views(looked.after)
    before, after = looked.before.state.scores, looked.after.state.scores
    return tuple(
        ChangeView(
            label=name,
            old=plain(before[name]) if before.get(name) != score else "",
            new=plain(score),
            side=views[name],
        )
        for name, score in after.items()
    )


def grave_change(looked: Preview) -> str:
    """Say it where a change makes or unmakes a winner; empty where it does not."""
    before, after = _winners(looked.before), _winners(looked.after)
    if before == after:
        return ""
    if not after:
        return f"Nobody would have won: {listed(before)} would not be out any more."
    would = verb(looked.after.state.seats, after, "would win", "would win")
    return f"{listed(after)} {would}{', not ' + listed(before) if before else ''}."


def _winners(match: LoadedMatch) -> tuple[str, ...]:
    return match.state.outcome.winners if match.state.outcome else ()
