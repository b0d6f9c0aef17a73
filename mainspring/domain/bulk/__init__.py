"""Operations on many runs: sweeps and backfills."""
