-- Runs whose handlers found a breaker open: they wait (`breaker`) until it lets them go.
CREATE TABLE mainspring.parked_runs (
  run uuid PRIMARY KEY,
  namespace text NOT NULL,
  breaker text NOT NULL,  -- its name, which may be none that is stored: it opened on one executor alone
  epoch bigint NOT NULL,  -- of the breaker, as the executor knew it
  until timestamptz NOT NULL  -- when the run goes on if its breaker does not say otherwise
);
CREATE INDEX parked_runs_breaker ON mainspring.parked_runs (namespace, breaker, until, run);
