"""The event log: a stream of events with versions and idempotency keys, what undoes one, and how it is stored."""
