-- Runs whose handlers found a breaker open: they wait (`breaker`) until it lets them go.
CREATE TABLE parked_runs (
  run BLOB PRIMARY KEY,
  namespace TEXT NOT NULL,
  breaker TEXT NOT NULL,  -- its name, which may be none that is stored: it opened on one executor alone
  epoch INTEGER NOT NULL,  -- of the breaker, as the executor knew it
  until INTEGER NOT NULL  -- when the run goes on if its breaker does not say otherwise
) WITHOUT ROWID;
CREATE INDEX parked_runs_breaker ON parked_runs (namespace, breaker, until, run);
