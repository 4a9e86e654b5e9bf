"""Who won: settle one hand without a match; the query of the URL holds all of it, and nothing is stored."""
