"""This server among others: its row, the servers that it tells executors of, and its share of executors."""
