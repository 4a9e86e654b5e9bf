"""Registers the club with the kitchen table, in `scorekeeper/hooks.py` and in Flask."""

from flask import Flask

from scorekeeper import hooks
from scorekeeper.access.links import LINKS, MATCH_LINKS
from scorekeeper.club.figures.counting import keep_figures
from scorekeeper.club.hosting.serving import counting_requests, removing_unused
from scorekeeper.club.money.service import keep_in_line
from scorekeeper.club.money.store import TOGETHER
from scorekeeper.club.nights.links import NIGHT_LINKS
from scorekeeper.club.nights.service import follow_verdict


def init(app: Flask, *, has_pages: bool) -> None:
    """Register everything of the club; what only pages need is imported only where an app has them."""
    LINKS[NIGHT_LINKS.kind], MATCH_LINKS.together = NIGHT_LINKS, TOGETHER
    hooks.on_append.add(keep_in_line)
    hooks.on_append.add(keep_figures)
    hooks.on_append.add(follow_verdict)
    hooks.while_serving.add(removing_unused)
    hooks.request_watches.add(counting_requests)
    if has_pages:
        from scorekeeper.club.page_hooks import init_pages

        init_pages(app)
