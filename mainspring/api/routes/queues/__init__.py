"""Routes of queues."""
