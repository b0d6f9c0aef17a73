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
  abilities bytea NOT NULL,
  specs jsonb NOT NULL DEFAULT '{}',  -- from a job to the digest of what the session's code says of it
  load bytea,  -- comes with its last beat
  seal bytea NOT NULL DEFAULT ''  -- who may open it again: the digest of its executor's secret and of the token it came with
) WITH (fillfactor = 50, toast_tuple_target = 256);
-- Each beat writes the row anew: columns that only a hello changes are kept beside it, and those of the beat within.
ALTER TABLE mainspring.sessions ALTER COLUMN load SET STORAGE PLAIN;
CREATE INDEX sessions_open ON mainspring.sessions (id) WHERE NOT reclaimed;
CREATE INDEX sessions_executor ON mainspring.sessions (namespace, executor);

-- Executors that are to take nothing new, by name, so that it outlives their restarts.
CREATE TABLE mainspring.cordons (
  namespace text NOT NULL,
  executor text NOT NULL,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  reason text NOT NULL,
  drain_at timestamptz,
  grace double precision NOT NULL,
  PRIMARY KEY (namespace, executor)
);

CREATE TABLE mainspring.servers (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  lease_until timestamptz NOT NULL
) WITH (fillfactor = 50);

-- When a server was there last, in one row: instants that passed while none was are decided anew.
CREATE TABLE mainspring.attendance (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  at timestamptz NOT NULL
);

-- What operators have said about a queue: paused, a budget. The rule of a whole namespace has no queue's name.
CREATE TABLE mainspring.queues (
  namespace text NOT NULL,
  queue text NOT NULL,
  paused_at timestamptz,
  paused_by text,
  pause_reason text,
  max_queued bigint,
  PRIMARY KEY (namespace, queue)
);

-- How many live runs stood in each line when they were last counted. Pages read this and never count runs themselves.
CREATE TABLE mainspring.depths (
  line integer PRIMARY KEY,
  queued bigint NOT NULL,
  later bigint NOT NULL,
  waiting bigint NOT NULL,
  running bigint NOT NULL,
  oldest_at timestamptz
) WITH (fillfactor = 50);

-- One row: when the last count began, which keeps two servers from counting at once, and of when its numbers are.
CREATE TABLE mainspring.surveys (
  id smallint PRIMARY KEY CHECK (id = 1),
  begun_at timestamptz,
  taken_at timestamptz
) WITH (fillfactor = 50);
INSERT INTO mainspring.surveys (id) VALUES (1);

-- Finished runs by minute and by hour (`step`, in seconds). Waits and durations are microseconds; their histograms are
-- JSON arrays over the buckets of domain/queues/rollup.py.
CREATE TABLE mainspring.rollups (
  step smallint NOT NULL,
  at timestamptz NOT NULL,
  line integer NOT NULL,
  job integer NOT NULL,
  state smallint NOT NULL,
  runs bigint NOT NULL,
  wait_sum bigint NOT NULL,
  wait_max bigint NOT NULL,
  duration_sum bigint NOT NULL,
  duration_max bigint NOT NULL,
  waits bytea NOT NULL,
  durations bytea NOT NULL,
  PRIMARY KEY (step, at, line, job, state)
) WITH (fillfactor = 70);

-- One row: up to when history is rolled up. It moves in the transaction that adds, so nothing is counted twice.
CREATE TABLE mainspring.rolled (
  id smallint PRIMARY KEY CHECK (id = 1),
  until timestamptz
) WITH (fillfactor = 50);
INSERT INTO mainspring.rolled (id) VALUES (1);

-- The one row that every change of tokens and namespaces locks first. It numbers the changes in the order in which they
-- commit, so that servers ask for what is new; and it makes rules over several tokens, such as the last admin, safe.
CREATE TABLE mainspring.access (
  one boolean PRIMARY KEY CHECK (one),
  version bigint NOT NULL
);
INSERT INTO mainspring.access (one, version) VALUES (true, 1);

CREATE TABLE mainspring.namespaces (
  name text PRIMARY KEY,
  description text NOT NULL,
  created_at timestamptz
);
INSERT INTO mainspring.namespaces (name, description) VALUES ('default', '');

-- Only hashes of the secrets that are shown. `version` is the number of the change that made the row what it is.
CREATE TABLE mainspring.tokens (
  id text PRIMARY KEY,
  name text NOT NULL,
  role text NOT NULL,
  namespace text NOT NULL,
  queues text[] NOT NULL,
  digest bytea NOT NULL UNIQUE,
  replaced_digest bytea,
  replaced_until timestamptz,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  rotated_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  version bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX tokens_version ON mainspring.tokens (version);
CREATE INDEX tokens_age ON mainspring.tokens (created_at, id);

-- Who changed what. Append only: not even the owner's own statements may change what was written.
CREATE TABLE mainspring.audit (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  token text NOT NULL,
  namespace text NOT NULL,
  act text NOT NULL,
  kind text NOT NULL,
  key text NOT NULL,
  details bytea NOT NULL
);
-- The log is read newest first, by any of its filters: each has an index that brings the entries in that order.
CREATE INDEX audit_at ON mainspring.audit (at, position);
CREATE INDEX audit_actor ON mainspring.audit (actor, at, position);
CREATE INDEX audit_kind ON mainspring.audit (kind, at, position);
CREATE INDEX audit_key ON mainspring.audit (key, at, position);
CREATE INDEX audit_actor_kind ON mainspring.audit (actor, kind, at, position);
CREATE INDEX audit_namespace ON mainspring.audit (namespace, at, position);
CREATE INDEX audit_namespace_actor ON mainspring.audit (namespace, actor, at, position);
CREATE INDEX audit_namespace_kind ON mainspring.audit (namespace, kind, at, position);

CREATE FUNCTION mainspring.refuse_change() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON mainspring.audit
FOR EACH STATEMENT EXECUTE FUNCTION mainspring.refuse_change();
