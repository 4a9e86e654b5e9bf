"""How keys and constraints are named. Tables import `metadata` from here, so that it is set before any of them."""

from sqlmodel import SQLModel

metadata = SQLModel.metadata
# Every column goes into a name: with the first alone, two keys that begin with the same column would clash.
# An unnamed constraint could never be dropped again on SQLite.
metadata.naming_convention = {
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
}
