"""Acts on many runs: dead letters, sweeps over runs, and backfills of triggers."""
