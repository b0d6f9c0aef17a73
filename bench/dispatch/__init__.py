"""Dispatch under policies: each module measures one row of `make bench BENCH=dispatch`."""
