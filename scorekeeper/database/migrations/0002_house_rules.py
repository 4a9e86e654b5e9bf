"""House rules, their versions, and which device has them in its list."""

import sqlalchemy as sa
from alembic import op

from scorekeeper.database.new_tables import create_table, json, moment, number, text

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables of house rules; nothing that is there changes."""
    create_table(
        "house_ruleset",
        text("code", 32),
        moment("created_at"),
        text("client_key", 36),
        unique=[["code"], ["client_key"]],
    )
    create_table(
        "house_version",
        number("house_id"),
        number("seq"),
        text("client_key", 36),
        moment("at"),
        text("actor", 40),
        text("name", 60),
        text("variant", 60),
        json("options"),
        json("notes"),
        sa.Column("retired", sa.Boolean(), nullable=False),
        refers={"house_id": "house_ruleset"},
        unique=[["house_id", "seq"], ["house_id", "client_key"]],
    )
    create_table(
        "device_house",
        text("device", 64),
        number("house_id"),
        moment("last_seen"),
        key=("device", "house_id"),
        refers={"house_id": "house_ruleset"},
        indexed=("house_id",),
    )


def downgrade() -> None:
    """Drop them all, with everything in them."""
    op.drop_table("device_house")
    op.drop_table("house_version")
    op.drop_table("house_ruleset")
