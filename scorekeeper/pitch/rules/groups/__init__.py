"""The house options, one module for each group: their answers, texts and contradictions, and which are moot."""
