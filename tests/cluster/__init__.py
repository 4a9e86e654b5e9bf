"""Several processes on PostgreSQL behind a proxy, with many phones, while one part after the other is killed."""
