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
    """Create a table with these columns and, unless there is another `key`, with an `id` as primary key.

    `refers` maps foreign keys to their tables. Deleting a row there sets foreign keys in `emptied` to null, and for
    other foreign keys deletes the referring row. `unique` has the columns of each unique constraint, `indexed` each
    column with an index of its own.
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
    """Return an integer column."""
    return sa.Column(name, sa.Integer(), nullable=optional)


def text(name: str, max_length: int, *, optional: bool = False) -> "sa.Column[object]":
    """Return a text column of limited length."""
    return sa.Column(name, sa.String(length=max_length), nullable=optional)


def moment(name: str, *, optional: bool = False) -> "sa.Column[object]":
    """Return a column of times with a date and a time zone."""
    return sa.Column(name, sa.DateTime(timezone=True), nullable=optional)


def json(name: str) -> "sa.Column[object]":
    """Return a required JSON column."""
    return sa.Column(name, sa.JSON(), nullable=False)
