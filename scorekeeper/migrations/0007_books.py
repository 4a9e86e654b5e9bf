"""Books with their facts, links and matches, a uid for every match, and what a match counts for in statistics."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_AT_ONCE = 1000


def upgrade() -> None:
    """Create the tables. Matches that are there come into books afterwards, by `scorekeeper.services.books`."""
    _create_books()
    _index_listed()
    with op.batch_alter_table("match") as batch:
        batch.add_column(sa.Column("uid", sa.String(length=22), nullable=True))
    _fill_uids()
    with op.batch_alter_table("match") as batch:
        batch.alter_column("uid", existing_type=sa.String(length=22), nullable=False)
        batch.create_unique_constraint("uq_match_uid", ["uid"])
    with op.batch_alter_table("link") as batch:
        batch.add_column(sa.Column("book_link_id", sa.Integer(), nullable=True))
        batch.create_foreign_key(
            "fk_link_book_link_id_book_link", "book_link", ["book_link_id"], ["id"], ondelete="SET NULL"
        )
        batch.create_index("ix_link_book_link_id", ["book_link_id"])
        batch.create_unique_constraint("uq_link_match_id_book_link_id", ["match_id", "book_link_id"])
    with op.batch_alter_table("invitation") as batch:
        batch.alter_column("match_id", existing_type=sa.Integer(), nullable=True)
        batch.add_column(sa.Column("book_id", sa.Integer(), nullable=True))
        batch.create_foreign_key("fk_invitation_book_id_book", "book", ["book_id"], ["id"], ondelete="CASCADE")
        batch.create_index("ix_invitation_book_id", ["book_id"])


def _index_listed() -> None:
    kinds = "'rename', 'sits_in', 'deletion', 'undeletion', 'undo', 'redo'"
    where = sa.text(f"kind IN ({kinds})")
    op.create_index("ix_event_listed", "event", ["match_id"], sqlite_where=where, postgresql_where=where)


def _create_books() -> None:
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "book",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("uid", sa.String(length=22), nullable=False),
        sa.Column("created_at", moment, nullable=False),
        sa.Column("client_key", sa.String(length=48), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_book"),
        sa.UniqueConstraint("client_key", name="uq_book_client_key"),
        sa.UniqueConstraint("uid", name="uq_book_uid"),
    )
    op.create_table(
        "book_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("book_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("client_key", sa.String(length=48), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("at", moment, nullable=False),
        sa.Column("actor", sa.String(length=40), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["book_id"], ["book.id"], name="fk_book_event_book_id_book", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_book_event"),
        sa.UniqueConstraint("book_id", "client_key", name="uq_book_event_book_id_client_key"),
        sa.UniqueConstraint("book_id", "seq", name="uq_book_event_book_id_seq"),
    )
    op.create_table(
        "book_link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=32), nullable=False),
        sa.Column("book_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("created_at", moment, nullable=False),
        sa.Column("revoked_at", moment, nullable=True),
        sa.Column("revoked_by", sa.String(length=40), nullable=True),
        sa.Column("device", sa.String(length=64), nullable=True),
        sa.Column("holder", sa.String(length=24), nullable=True),
        sa.ForeignKeyConstraint(["book_id"], ["book.id"], name="fk_book_link_book_id_book", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_book_link"),
        sa.UniqueConstraint("book_id", "device", name="uq_book_link_book_id_device"),
        sa.UniqueConstraint("code", name="uq_book_link_code"),
    )
    op.create_index("ix_book_link_book_id", "book_link", ["book_id"])
    op.create_table(
        "device_book",
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("book_id", sa.Integer(), nullable=False),
        sa.Column("link_id", sa.Integer(), nullable=False),
        sa.Column("last_seen", moment, nullable=False),
        sa.ForeignKeyConstraint(["book_id"], ["book.id"], name="fk_device_book_book_id_book", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["link_id"], ["book_link.id"], name="fk_device_book_link_id_book_link", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("device", "book_id", name="pk_device_book"),
    )
    op.create_index("ix_device_book_book_id", "device_book", ["book_id"])
    op.create_index("ix_device_book_link_id", "device_book", ["link_id"])
    op.create_table(
        "book_match",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("book_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["book_id"], ["book.id"], name="fk_book_match_book_id_book", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_book_match_match_id_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", name="pk_book_match"),
    )
    op.create_index("ix_book_match_book_id", "book_match", ["book_id"])
    op.create_table(
        "match_figures",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("figures", sa.JSON(), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_match_figures_match_id_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match_id", name="pk_match_figures"),
    )


def _fill_uids() -> None:
    connection, last = op.get_bind(), 0
    after = sa.text('SELECT id FROM "match" WHERE id > :last ORDER BY id LIMIT :at_once')
    fill = sa.text('UPDATE "match" SET uid = :uid WHERE id = :id')
    while found := list(connection.execute(after, {"last": last, "at_once": _AT_ONCE}).scalars()):
        connection.execute(fill, [{"id": match_id, "uid": secrets.token_urlsafe(16)} for match_id in found])
        last = found[-1]


def downgrade() -> None:
    """Drop the books; the matches that were in them stay."""
    op.drop_index("ix_event_listed", "event")
    op.execute("DELETE FROM invitation WHERE match_id IS NULL")
    with op.batch_alter_table("invitation") as batch:
        batch.drop_index("ix_invitation_book_id")
        batch.drop_constraint("fk_invitation_book_id_book", type_="foreignkey")
        batch.drop_column("book_id")
        batch.alter_column("match_id", existing_type=sa.Integer(), nullable=False)
    with op.batch_alter_table("link") as batch:
        batch.drop_constraint("uq_link_match_id_book_link_id", type_="unique")
        batch.drop_index("ix_link_book_link_id")
        batch.drop_constraint("fk_link_book_link_id_book_link", type_="foreignkey")
        batch.drop_column("book_link_id")
    with op.batch_alter_table("match") as batch:
        batch.drop_constraint("uq_match_uid", type_="unique")
        batch.drop_column("uid")
    for table in ("match_figures", "book_match", "device_book", "book_link", "book_event", "book"):
        op.drop_table(table)
