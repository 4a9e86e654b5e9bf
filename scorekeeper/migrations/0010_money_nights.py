"""Money nights: which match goes on from which, and by which of its links a phone goes on."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "money_change",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("earlier_id", sa.Integer(), nullable=False),
        sa.Column("first_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_money_change_match_id_match", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["earlier_id"], ["match.id"], name="fk_money_change_earlier_id_match", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["first_id"], ["match.id"], name="fk_money_change_first_id_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", name="pk_money_change"),
    )
    op.create_index("ix_money_change_earlier_id", "money_change", ["earlier_id"])
    op.create_index("ix_money_change_first_id", "money_change", ["first_id"])
    op.create_table(
        "carried_link",
        sa.Column("link_id", sa.Integer(), nullable=False),
        sa.Column("first_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], name="fk_carried_link_link_id_link", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["first_id"], ["link.id"], name="fk_carried_link_first_id_link", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("link_id", name="pk_carried_link"),
    )
    op.create_index("ix_carried_link_first_id", "carried_link", ["first_id"])


def downgrade() -> None:
    """Drop them; every match stays, and no longer knows of the others."""
    op.drop_table("carried_link")
    op.drop_table("money_change")
