"""Who holds a link, who ended it, and invitations to links."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Store with a link who holds the phone; the links that are there have nobody, and stay what they were."""
    with op.batch_alter_table("link") as batch:
        batch.add_column(sa.Column("seat", sa.String(length=8), nullable=True))
        batch.add_column(sa.Column("revoked_by", sa.String(length=40), nullable=True))
    op.create_table(
        "invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=32), nullable=False),
        sa.Column("pin", sa.String(length=8), nullable=True),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_invitation_match_id_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_invitation"),
        sa.UniqueConstraint("code", name="uq_invitation_code"),
        sa.UniqueConstraint("pin", name="uq_invitation_pin"),
    )
    op.create_index("ix_invitation_match_id", "invitation", ["match_id"])


def downgrade() -> None:
    """Drop the invitations, and what links say of phones."""
    op.drop_table("invitation")
    with op.batch_alter_table("link") as batch:
        batch.drop_column("revoked_by")
        batch.drop_column("seat")
