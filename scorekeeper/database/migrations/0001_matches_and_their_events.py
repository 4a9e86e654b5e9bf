"""Matches, the links to them, their events, and the matches that each device has opened."""

import sqlalchemy as sa
from alembic import op

from scorekeeper.database.new_tables import create_table, json, moment, number, text

revision = "0001"
down_revision = None
branch_labels = ("default",)


def upgrade() -> None:
    """Create the first tables."""
    create_table(
        "match",
        moment("created_at"),
        text("client_key", 48, optional=True),
        text("variant", 60),
        json("house"),
        sa.Column("ruleset", sa.Text(), nullable=False),
        text("digest", 64),
        json("seats"),
        json("sides"),
        json("start"),
        text("first_dealer", 8, optional=True),
        text("title", 60),
        text("played_on", 10, optional=True),
        text("place", 60, optional=True),
        text("note", 500, optional=True),
        unique=[["client_key"]],
    )
    create_table(
        "link",
        text("code", 32),
        number("match_id"),
        text("role", 16),
        moment("created_at"),
        moment("revoked_at", optional=True),
        refers={"match_id": "match"},
        unique=[["code"]],
        indexed=("match_id",),
    )
    create_table(
        "event",
        number("match_id"),
        number("seq"),
        text("client_key", 36),
        text("kind", 16),
        moment("at"),
        text("actor", 40),
        json("payload"),
        refers={"match_id": "match"},
        unique=[["match_id", "seq"], ["match_id", "client_key"]],
    )
    create_table(
        "device_match",
        text("device", 64),
        number("match_id"),
        number("link_id"),
        moment("last_seen"),
        key=("device", "match_id"),
        refers={"link_id": "link", "match_id": "match"},
        indexed=("link_id", "match_id"),
    )


def downgrade() -> None:
    """Drop them all, with everything in them."""
    op.drop_table("device_match")
    op.drop_table("event")
    op.drop_table("link")
    op.drop_table("match")
