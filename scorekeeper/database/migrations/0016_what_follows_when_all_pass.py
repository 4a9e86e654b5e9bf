"""When all pass, two games left it up to the table, for house rules and nights that were saved without an answer."""

from alembic import op

revision = "0016"
down_revision = "0015"

_TABLES = (("house_version", "options"), ("night", "house"))
_GAMES = "'hoyle-auction-pitch', 'pitch-with-joker'"


def upgrade() -> None:
    """Leave it up to the table where no answer is set; matches need nothing, as they store all their rules."""
    is_sqlite = op.get_context().dialect.name == "sqlite"
    for table, column in _TABLES:
        if is_sqlite:
            says = f"json_set({column}, '$.all_pass', json('null'))"
            lacks = f"json_type({column}, '$.all_pass') IS NULL"
        else:
            says = f"({column}::jsonb || jsonb_build_object('all_pass', NULL))::json"
            lacks = f"({column}->'all_pass') IS NULL"
        op.execute(f"UPDATE {table} SET {column} = {says} WHERE variant IN ({_GAMES}) AND {lacks}")


def downgrade() -> None:
    """Leave the answers, which an earlier program has, too."""
