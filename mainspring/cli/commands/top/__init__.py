"""The live view of queues and executors."""
