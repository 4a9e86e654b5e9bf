"""Hands count without being accepted: open the endings that this changes, and drop `seat_since` of links."""

from alembic import op

from scorekeeper.database.new_tables import number

revision = "0019"
down_revision = "0018"

_WITH_ACCEPTANCE = "SELECT match_id FROM event WHERE kind = 'agreement'"


def upgrade() -> None:
    """Open the endings of matches with acceptance that were not over: hands of theirs may have waited.

    As in `0005`, the ending follows from the hands, and is filled in afterwards. A match that was over has no such
    hand.
    """
    op.execute(f"DELETE FROM ending WHERE status = 'stopped' AND match_id IN ({_WITH_ACCEPTANCE})")
    op.execute(
        "INSERT INTO ending (match_id, winners, scores) SELECT id, '[]', '{}' FROM \"match\""
        f" WHERE id IN ({_WITH_ACCEPTANCE}) AND id NOT IN (SELECT match_id FROM ending)"
    )
    with op.batch_alter_table("link") as batch:
        batch.drop_column("seat_since")


def downgrade() -> None:
    """Add the column `seat_since` again; its values are lost."""
    with op.batch_alter_table("link") as batch:
        batch.add_column(number("seat_since", optional=True))
