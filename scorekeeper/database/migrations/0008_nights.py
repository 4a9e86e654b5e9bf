"""Tournament nights: their events, the links that lead to them, and invitations."""

from alembic import op

from scorekeeper.database.new_tables import create_table, json, moment, number, text

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the tables."""
    create_table(
        "night",
        moment("created_at"),
        text("client_key", 36),
        text("title", 60),
        number("rounds"),
        number("size"),
        text("variant", 60),
        unique=[["client_key"]],
    )
    create_table(
        "night_event",
        number("night_id"),
        number("seq"),
        text("client_key", 36),
        text("kind", 16),
        moment("at"),
        text("actor", 40),
        json("payload"),
        number("match_id", optional=True),
        refers={"night_id": "night", "match_id": "match"},
        emptied=("match_id",),
        unique=[["night_id", "seq"], ["night_id", "client_key"]],
        indexed=("match_id",),
    )
    create_table(
        "night_link",
        text("code", 32),
        number("night_id"),
        text("role", 16),
        text("device", 64),
        number("pair", optional=True),
        moment("created_at"),
        moment("revoked_at", optional=True),
        refers={"night_id": "night"},
        unique=[["code"], ["night_id", "device"]],
        indexed=("device",),
    )
    create_table(
        "night_invitation",
        text("code", 32),
        text("pin", 16, optional=True),
        number("night_id"),
        text("role", 16),
        moment("created_at"),
        moment("expires_at"),
        moment("ended_at", optional=True),
        refers={"night_id": "night"},
        unique=[["code"], ["pin"]],
        indexed=("night_id",),
    )


def downgrade() -> None:
    """Drop them all, with every night."""
    op.drop_table("night_invitation")
    op.drop_table("night_link")
    op.drop_table("night_event")
    op.drop_table("night")
