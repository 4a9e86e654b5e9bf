"""The books that a phone chose, by joining them or by putting a match in: one that it only opened takes no match."""

from alembic import op

from scorekeeper.database.new_tables import moment

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Add the column; so far a phone's matches went into the book that it opened last, and they still do."""
    with op.batch_alter_table("device_book") as batch:
        batch.add_column(moment("chosen_at", optional=True))
    op.execute("UPDATE device_book SET chosen_at = last_seen")


def downgrade() -> None:
    """Drop it."""
    with op.batch_alter_table("device_book") as batch:
        batch.drop_column("chosen_at")
