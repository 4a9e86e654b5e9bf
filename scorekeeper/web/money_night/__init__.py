"""A money night: who joins or leaves, and who owes whom over the whole of it."""
