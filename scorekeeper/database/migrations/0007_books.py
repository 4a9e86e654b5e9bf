"""Books with their events, links and matches, a uid for every match, and the figures of matches for statistics."""

import secrets

import sqlalchemy as sa
from alembic import op

from scorekeeper.database.new_tables import create_table, json, moment, number, text

revision = "0007"
down_revision = "0006"

_AT_ONCE = 1000


def upgrade() -> None:
    """Create the tables. `scorekeeper.book.book_matches` puts the present matches into books afterwards."""
    _create_books()
    _index_listed()
    with op.batch_alter_table("match") as batch:
        batch.add_column(text("uid", 22, optional=True))
    _fill_uids()
    with op.batch_alter_table("match") as batch:
        batch.alter_column("uid", existing_type=sa.String(length=22), nullable=False)
        batch.create_unique_constraint("uq_match_uid", ["uid"])
    with op.batch_alter_table("link") as batch:
        batch.add_column(number("book_link_id", optional=True))
        batch.create_foreign_key(
            "fk_link_book_link_id_book_link", "book_link", ["book_link_id"], ["id"], ondelete="SET NULL"
        )
        batch.create_index("ix_link_book_link_id", ["book_link_id"])
        batch.create_unique_constraint("uq_link_match_id_book_link_id", ["match_id", "book_link_id"])
    with op.batch_alter_table("invitation") as batch:
        batch.alter_column("match_id", existing_type=sa.Integer(), nullable=True)
        batch.add_column(number("book_id", optional=True))
        batch.create_foreign_key("fk_invitation_book_id_book", "book", ["book_id"], ["id"], ondelete="CASCADE")
        batch.create_index("ix_invitation_book_id", ["book_id"])


def _index_listed() -> None:
    kinds = "'rename', 'sits_in', 'deletion', 'undeletion', 'undo', 'redo'"
    where = sa.text(f"kind IN ({kinds})")
    op.create_index("ix_event_listed", "event", ["match_id"], sqlite_where=where, postgresql_where=where)


def _create_books() -> None:
    create_table(
        "book",
        text("uid", 22),
        moment("created_at"),
        text("client_key", 48),
        unique=[["client_key"], ["uid"]],
    )
    create_table(
        "book_event",
        number("book_id"),
        number("seq"),
        text("client_key", 48),
        text("kind", 16),
        moment("at"),
        text("actor", 40),
        json("payload"),
        refers={"book_id": "book"},
        unique=[["book_id", "client_key"], ["book_id", "seq"]],
    )
    create_table(
        "book_link",
        text("code", 32),
        number("book_id"),
        text("role", 16),
        moment("created_at"),
        moment("revoked_at", optional=True),
        text("revoked_by", 40, optional=True),
        text("device", 64, optional=True),
        text("holder", 24, optional=True),
        refers={"book_id": "book"},
        unique=[["book_id", "device"], ["code"]],
        indexed=("book_id",),
    )
    create_table(
        "device_book",
        text("device", 64),
        number("book_id"),
        number("link_id"),
        moment("last_seen"),
        key=("device", "book_id"),
        refers={"book_id": "book", "link_id": "book_link"},
        indexed=("book_id", "link_id"),
    )
    create_table(
        "book_match",
        number("match_id"),
        number("book_id", optional=True),
        key=("match_id",),
        refers={"book_id": "book", "match_id": "match"},
        indexed=("book_id",),
    )
    create_table(
        "match_figures",
        number("match_id"),
        number("version"),
        number("edition"),
        json("figures"),
        sa.Column("details", sa.Text(), nullable=False),
        key=("match_id",),
        refers={"match_id": "match"},
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
