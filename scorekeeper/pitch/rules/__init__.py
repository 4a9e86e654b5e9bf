"""Rulesets: their values and checks, the house options that change them, and how to find a game or a rule."""
