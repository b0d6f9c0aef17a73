-- The schema is private: the API is the way to read it.
CREATE SCHEMA IF NOT EXISTS mainspring;

CREATE TABLE mainspring.jobs (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace text NOT NULL,
  name text NOT NULL,
  spec bytea NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (namespace, name)
);

CREATE TABLE mainspring.lines (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace text NOT NULL,
  queue text NOT NULL,
  handler text NOT NULL,
  address text NOT NULL,
  UNIQUE (namespace, queue, handler, address)
);

-- Only live runs: it stays small, and what is settled moves to history. A claim writes each row a second time; with room
-- for that on every page, of the table and of its key, nothing has to be split or moved.
CREATE TABLE mainspring.runs (
  id uuid PRIMARY KEY WITH (fillfactor = 50),
  due_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  claimed_at timestamptz,
  line integer NOT NULL,
  job integer NOT NULL,
  attempt integer NOT NULL,
  priority smallint NOT NULL,
  state smallint NOT NULL,
  failures smallint NOT NULL,
  losses smallint NOT NULL,
  token uuid,
  session uuid,
  reason text,
  key text,
  input bytea NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- A claim reads one line and one priority at a time, so what is not due and what stands in other lines is never met.
CREATE INDEX runs_claimable ON mainspring.runs (line, priority, due_at, id) WHERE state = 1;
CREATE INDEX runs_held ON mainspring.runs (session) WHERE state = 2;

CREATE TABLE mainspring.history (
  id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz NOT NULL,
  duration bigint NOT NULL,
  line integer NOT NULL,
  job integer NOT NULL,
  attempt integer NOT NULL,
  priority smallint NOT NULL,
  state smallint NOT NULL,
  failures smallint NOT NULL,
  losses smallint NOT NULL,
  token uuid,
  session uuid,
  reason text,
  key text,
  input bytea NOT NULL,
  result bytea
) PARTITION BY RANGE (finished_at);
CREATE INDEX history_id ON mainspring.history (id);

CREATE TABLE mainspring.attempts (
  run uuid NOT NULL,
  number integer NOT NULL,
  outcome smallint NOT NULL,
  token uuid NOT NULL,
  session uuid,
  started_at timestamptz,
  ended_at timestamptz NOT NULL,
  error text,
  message text,
  traceback text
) PARTITION BY RANGE (ended_at);
CREATE INDEX attempts_run ON mainspring.attempts (run);

CREATE SEQUENCE mainspring.log_positions CACHE 100;
CREATE TABLE mainspring.logs (
  position bigint NOT NULL DEFAULT nextval('mainspring.log_positions'),
  stored_at timestamptz NOT NULL,
  run uuid NOT NULL,
  token uuid NOT NULL,
  seq integer NOT NULL,
  at bigint NOT NULL,
  level smallint NOT NULL,
  message text NOT NULL
) PARTITION BY RANGE (stored_at);
CREATE INDEX logs_run ON mainspring.logs (run, position);
CREATE INDEX logs_seq ON mainspring.logs (run, token, seq);

CREATE TABLE mainspring.progress (
  run uuid PRIMARY KEY,
  token uuid NOT NULL,
  fraction real NOT NULL,
  note text NOT NULL,
  at timestamptz NOT NULL
);

CREATE TABLE mainspring.keys (
  namespace text NOT NULL,
  key text NOT NULL,
  run uuid NOT NULL,
  digest bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (namespace, key)
);
CREATE INDEX keys_age ON mainspring.keys (created_at);

CREATE TABLE mainspring.sessions (
  id uuid PRIMARY KEY,
  namespace text NOT NULL,
  executor text NOT NULL,
  server uuid NOT NULL,
  state smallint NOT NULL,
  lease_until timestamptz NOT NULL,
  opened_at timestamptz NOT NULL,
  closed_at timestamptz,
  reclaimed boolean NOT NULL,
  abilities bytea NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX sessions_open ON mainspring.sessions (id) WHERE NOT reclaimed;

CREATE TABLE mainspring.servers (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  lease_until timestamptz NOT NULL
) WITH (fillfactor = 50);
