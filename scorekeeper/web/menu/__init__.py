"""A match's menu."""
