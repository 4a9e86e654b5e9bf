"""New tables for migrations, whose constraints are named after their columns.

A migration that has run does not run again. So nothing here may ever change: different tables get functions of their
own.
"""

from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa
from alembic import op


def create_table(
    table: str,
    *columns: "sa.Column[object]",
    key: Sequence[str] = (),
    refers: Mapping[str, str] | None = None,
    emptied: Collection[str] = (),
    unique: Sequence[Sequence[str]] = (),
    indexed: Sequence[str] = (),
) -> None:
    """Create a table, whose primary key is a number unless there is another `key`.

    `refers` has the columns that are foreign keys, each with its table. Where the row in that table is deleted, so is
    the row that refers to it, unless the column is among those that are `emptied`.
    """
    op.create_table(
        table,
        *(() if key else (number("id"),)),
        *columns,
        *(
            sa.ForeignKeyConstraint(
                [column],
                [f"{other}.id"],
                name=f"fk_{table}_{column}_{other}",
                ondelete="SET NULL" if column in emptied else "CASCADE",
            )
            for column, other in (refers or {}).items()
        ),
        sa.PrimaryKeyConstraint(*(key or ("id",)), name=f"pk_{table}"),
        *(sa.UniqueConstraint(*names, name=f"uq_{table}_{'_'.join(names)}") for names in unique),
    )
    for column in indexed:
        op.create_index(f"ix_{table}_{column}", table, [column])


def number(name: str, *, optional: bool = False) -> "sa.Column[object]":
    """Return a column of whole numbers."""
    return sa.Column(name, sa.Integer(), nullable=optional)


def text(name: str, max_length: int, *, optional: bool = False) -> "sa.Column[object]":
    """Return a column of texts of limited length."""
    return sa.Column(name, sa.String(length=max_length), nullable=optional)


def moment(name: str, *, optional: bool = False) -> "sa.Column[object]":
    """Return a column of moments."""
    return sa.Column(name, sa.DateTime(timezone=True), nullable=optional)


def json(name: str) -> "sa.Column[object]":
    """Return a column of JSON."""
    return sa.Column(name, sa.JSON(), nullable=False)
