"""House rules as they are saved, version by version."""
