"""The time zone of the phone that a match began on: its day is the one on that phone."""

from alembic import op

from scorekeeper.database.new_tables import text

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the column; for the present matches it is not known."""
    with op.batch_alter_table("match") as batch:
        batch.add_column(text("zone", 40, optional=True))


def downgrade() -> None:
    """Drop it."""
    with op.batch_alter_table("match") as batch:
        batch.drop_column("zone")
