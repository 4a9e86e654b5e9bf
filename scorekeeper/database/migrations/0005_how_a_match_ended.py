"""How each match scored when it ended."""

from alembic import op

from scorekeeper.database.new_tables import create_table, json, number, text

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the table, with an open row for every match that is there.

    How those ended follows from their hands. A migration would score them by the rules of the day on which it runs, so
    it leaves the rows open: `scorekeeper.matches.service` fills them in afterwards.
    """
    create_table(
        "ending",
        number("match_id"),
        text("status", 16, optional=True),
        json("winners"),
        json("scores"),
        key=("match_id",),
        refers={"match_id": "match"},
    )
    op.execute("INSERT INTO ending (match_id, winners, scores) SELECT id, '[]', '{}' FROM \"match\"")


def downgrade() -> None:
    """Drop the table; the result of a match still follows from its hands."""
    op.drop_table("ending")
