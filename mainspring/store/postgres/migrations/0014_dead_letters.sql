-- Runs that failed for good: a row is added in the transaction that settles them, and nothing else pays for it. Rows are
-- never counted up in place: thousands of failures a second would wait for one another at one row.
CREATE TABLE mainspring.dead (
  run uuid NOT NULL PRIMARY KEY,
  namespace text NOT NULL,
  line integer NOT NULL,
  job integer NOT NULL,
  fingerprint bytea NOT NULL,
  failed_at timestamptz NOT NULL,
  reason text,
  error text NOT NULL,
  message text NOT NULL,
  discarded_at timestamptz,
  discarded_by text,
  discard_reason text
);
CREATE INDEX dead_kinds ON mainspring.dead (namespace, fingerprint, failed_at, run) WHERE discarded_at IS NULL;
-- By an expression, and BRIN: so no statement can be planned by another index than the one that brings its rows in order.
CREATE INDEX dead_listed ON mainspring.dead ((namespace || ''), failed_at, run) WHERE discarded_at IS NULL;
CREATE INDEX dead_age ON mainspring.dead USING brin (failed_at);

-- Acts on many runs, done in the background.
CREATE TABLE mainspring.sweeps (
  id uuid NOT NULL PRIMARY KEY,
  namespace text NOT NULL,
  live boolean NOT NULL,
  version integer NOT NULL,
  body bytea NOT NULL
);
CREATE INDEX sweeps_live ON mainspring.sweeps (id) WHERE live;
CREATE INDEX sweeps_listed ON mainspring.sweeps (namespace, id);
