"""How executors and clients find servers: seeds, the servers' own word, and address books."""
