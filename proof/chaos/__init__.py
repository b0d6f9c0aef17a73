"""Real servers, executors and PostgreSQL, broken on purpose while a client keeps asking; see docs/chaos.md."""
