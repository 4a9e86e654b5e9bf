"""The pages that enter or correct a hand, and that resolve a conflict when two phones have entered the same hand."""
