"""Hands count without being accepted: the endings that change by it, and what was kept of phones that accept."""

from alembic import op

from scorekeeper.database.new_tables import number

revision = "0019"
down_revision = "0018"

_WITH_ACCEPTANCE = "SELECT match_id FROM event WHERE kind = 'agreement'"


def upgrade() -> None:
    """Leave open how those matches ended that were not over: hands of theirs may have waited.

    As in `0005`, the ending follows from the hands, and is filled in afterwards. What was over has no such hand.
    """
    op.execute(f"DELETE FROM ending WHERE status = 'stopped' AND match_id IN ({_WITH_ACCEPTANCE})")
    op.execute(
        "INSERT INTO ending (match_id, winners, scores) SELECT id, '[]', '{}' FROM \"match\""
        f" WHERE id IN ({_WITH_ACCEPTANCE}) AND id NOT IN (SELECT match_id FROM ending)"
    )
    with op.batch_alter_table("link") as batch:
        batch.drop_column("seat_since")


def downgrade() -> None:
    """Make room again for since when a phone has its holder; nobody knows it any more."""
    with op.batch_alter_table("link") as batch:
        batch.add_column(number("seat_since", optional=True))
