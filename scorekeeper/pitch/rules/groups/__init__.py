"""The house options, one module per group: possible answers, texts, contradictions, and when an option is moot."""
