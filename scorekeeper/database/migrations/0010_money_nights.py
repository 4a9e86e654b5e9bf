"""Money nights: which match continues which, and which link of a phone was given for an earlier one."""

from alembic import op

from scorekeeper.database.new_tables import create_table, number

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Create the tables."""
    create_table(
        "money_change",
        number("match_id"),
        number("earlier_id"),
        number("first_id"),
        key=("match_id",),
        refers={"match_id": "match", "earlier_id": "match", "first_id": "match"},
        indexed=("earlier_id", "first_id"),
    )
    create_table(
        "carried_link",
        number("link_id"),
        number("first_id"),
        key=("link_id",),
        refers={"link_id": "link", "first_id": "link"},
        indexed=("first_id",),
    )


def downgrade() -> None:
    """Drop them; every match stays, without its connection to the others."""
    op.drop_table("carried_link")
    op.drop_table("money_change")
