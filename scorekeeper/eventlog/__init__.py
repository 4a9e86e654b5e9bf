"""The event log: streams of events with versions, idempotency keys, undo and redo, and how they are stored."""
