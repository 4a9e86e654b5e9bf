"""Who won: one hand settled without any match; the address holds all of it, and nothing is stored."""
