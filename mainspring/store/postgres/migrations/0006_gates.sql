-- Limits that operators set on a queue, on a namespace, or under a name that jobs share.
CREATE TABLE mainspring.limits (
  namespace text NOT NULL,
  scope text NOT NULL,
  name text NOT NULL,
  at_once integer,  -- null: any number
  rate text,  -- such as 100/s
  burst integer,
  key text[] NOT NULL DEFAULT '{}',
  revision integer NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (namespace, scope, name)
);

-- A limit or rate without a key, that whole lines lead through. A claim locks the gates of its lines in the order of their ids.
CREATE TABLE mainspring.gates (
  id bigint PRIMARY KEY,
  namespace text NOT NULL,
  scope text NOT NULL,
  name text NOT NULL,
  at_once integer,
  held integer NOT NULL DEFAULT 0,  -- attempts under way, as of the last claim; what `exits` says is to be taken off
  gap bigint,  -- microseconds between two starts in the long run
  burst integer,
  full_at bigint NOT NULL DEFAULT 0,  -- microseconds since 1970 at which the bucket is full again
  revision bigint NOT NULL,
  counted_at timestamptz
) WITH (fillfactor = 50);
CREATE TABLE mainspring.gate_lines (
  line integer NOT NULL,
  gate bigint NOT NULL,
  PRIMARY KEY (line, gate)
);
CREATE INDEX gate_lines_gate ON mainspring.gate_lines (gate);
-- Attempts that have ended, told to their gates: whoever ends an attempt only adds a row, and so waits for no claim.
CREATE TABLE mainspring.exits (
  gate bigint NOT NULL,
  ended integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX exits_gate ON mainspring.exits (gate);
