"""The price of being seen: each module measures rows of `make bench BENCH=seen`."""
