"""The pages that enter or correct a hand, or resolve a conflict of two phones about one."""
