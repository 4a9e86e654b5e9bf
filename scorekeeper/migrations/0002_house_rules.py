"""House rules, their versions, and which device has them in its list."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables of house rules; nothing that is there changes."""
    op.create_table(
        "house_ruleset",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("client_key", sa.String(length=36), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_house_ruleset"),
        sa.UniqueConstraint("code", name="uq_house_ruleset_code"),
        sa.UniqueConstraint("client_key", name="uq_house_ruleset_client_key"),
    )
    op.create_table(
        "house_version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("house_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("client_key", sa.String(length=36), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("variant", sa.String(length=60), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.Column("retired", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["house_id"], ["house_ruleset.id"], name="fk_house_version_house_id_house_ruleset", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_house_version"),
        sa.UniqueConstraint("house_id", "seq", name="uq_house_version_house_id_seq"),
        sa.UniqueConstraint("house_id", "client_key", name="uq_house_version_house_id_client_key"),
    )
    op.create_table(
        "device_house",
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("house_id", sa.Integer(), nullable=False),
        sa.Column("last_seen", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["house_id"], ["house_ruleset.id"], name="fk_device_house_house_id_house_ruleset", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("device", "house_id", name="pk_device_house"),
    )
    op.create_index("ix_device_house_house_id", "device_house", ["house_id"])


def downgrade() -> None:
    """Drop them all, with everything in them."""
    op.drop_table("device_house")
    op.drop_table("house_version")
    op.drop_table("house_ruleset")
