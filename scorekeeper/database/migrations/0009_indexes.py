"""Indexes for queries that would otherwise scan a large database."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_IS_OPEN = sa.text("status IS NULL")


def upgrade() -> None:
    """Index a device's last matches and the endings that are still open, so that the others are not read."""
    op.create_index("ix_device_match_device_last_seen", "device_match", ["device", "last_seen"])
    op.create_index("ix_ending_match_id", "ending", ["match_id"], sqlite_where=_IS_OPEN, postgresql_where=_IS_OPEN)


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_ending_match_id", "ending")
    op.drop_index("ix_device_match_device_last_seen", "device_match")
