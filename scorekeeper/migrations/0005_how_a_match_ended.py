"""How each match scored when it ended."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table, with an open row for every match that is there.

    How those ended follows from their hands. A migration would say it by whatever the rules are on the day it runs, so
    it says nothing: `scorekeeper.services.endings` fills the open rows in afterwards.
    """
    op.create_table(
        "ending",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=True),
        sa.Column("winners", sa.JSON(), nullable=False),
        sa.Column("scores", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_ending_match_id_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", name="pk_ending"),
    )
    op.execute("INSERT INTO ending (match_id, winners, scores) SELECT id, '[]', '{}' FROM \"match\"")


def downgrade() -> None:
    """Drop the table; what a match came to is still in its hands."""
    op.drop_table("ending")
