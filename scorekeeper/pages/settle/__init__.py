"""Who won: settle one hand without a match; the address holds all of it, and nothing is stored."""
