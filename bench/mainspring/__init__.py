"""What the benchmark runs of Mainspring as processes of their own: apps, clients and generators of load."""
