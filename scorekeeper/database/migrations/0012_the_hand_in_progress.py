"""The next hand of a match as far as it is entered, which other phones show and continue."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the table, without rows: no hand in progress was stored before."""
    op.create_table(
        "hand_draft",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("counter", sa.Integer(), nullable=False),
        sa.Column("link_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], op.f("fk_hand_draft_match_id_match"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], op.f("fk_hand_draft_link_id_link"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_hand_draft")),
    )
    op.create_index(op.f("ix_hand_draft_link_id"), "hand_draft", ["link_id"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("hand_draft")
