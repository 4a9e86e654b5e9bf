"""The house options, one file a group: what each may be answered, its words, and what it means beside others."""
