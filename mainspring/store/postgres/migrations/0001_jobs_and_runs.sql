-- The schema is private: the API is the way to read it.
--
-- Written by noun: definitions, runs, what happened to them, triggers, executors and servers, queues, access. A function that
-- is not a trigger's stands in `functions/`.
CREATE SCHEMA IF NOT EXISTS mainspring;

-- The functions of `functions/` as they were applied last.
CREATE TABLE mainspring.functions (
  name text PRIMARY KEY,
  checksum text NOT NULL,
  retired_by text  -- the version that no longer has it; the next one drops it
);

CREATE TABLE mainspring.jobs (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace text NOT NULL,
  name text NOT NULL,
  spec bytea NOT NULL,
  updated_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1,
  code bytea,  -- what an executor's code said last
  deleted_at timestamptz,  -- a deleted job keeps its row, for history names it
  UNIQUE (namespace, name)
);

-- Definitions by version: a change makes a new one, so that it can be looked up, compared and brought back.
CREATE TABLE mainspring.job_versions (
  job integer NOT NULL REFERENCES mainspring.jobs (id),
  version integer NOT NULL,
  origin text NOT NULL,
  author text NOT NULL,
  code_version text NOT NULL,
  note text NOT NULL,
  at timestamptz NOT NULL,
  spec bytea NOT NULL,
  PRIMARY KEY (job, version)
);

CREATE TABLE mainspring.lines (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace text NOT NULL,
  queue text NOT NULL,
  handler text NOT NULL,
  address text NOT NULL,
  UNIQUE (namespace, queue, handler, address)
);

-- Lines that a caller's transaction needs and that do not exist yet. They are made when it commits, not before: until then
-- no other transaction waits for it, and as all are made in one order, none deadlocks.
CREATE TABLE mainspring.lines_to_make (
  id integer PRIMARY KEY,
  namespace text NOT NULL,
  queue text NOT NULL,
  handler text NOT NULL
);

-- Make the lines of this transaction; the first row's turn does it for all.
CREATE FUNCTION mainspring.make_lines() RETURNS trigger
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
DECLARE
  wanted record;
  made integer;
BEGIN
  FOR wanted IN SELECT t.* FROM mainspring.lines_to_make AS t ORDER BY t.namespace, t.queue, t.handler LOOP
    INSERT INTO mainspring.lines (id, namespace, queue, handler, address) OVERRIDING SYSTEM VALUE
    VALUES (wanted.id, wanted.namespace, wanted.queue, wanted.handler, '')
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      -- Somebody made it meanwhile, under another number.
      SELECT l.id INTO STRICT made FROM mainspring.lines AS l
      WHERE l.namespace = wanted.namespace AND l.queue = wanted.queue AND l.handler = wanted.handler AND l.address = '';
      UPDATE mainspring.runs AS r SET line = made WHERE r.line = wanted.id AND r.state = 1;
      PERFORM mainspring.hint(ARRAY[made::text]);
    END IF;
    DELETE FROM mainspring.lines_to_make AS t WHERE t.id = wanted.id;
  END LOOP;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION mainspring.make_lines FROM PUBLIC;
CREATE CONSTRAINT TRIGGER lines_to_make_at_commit AFTER INSERT ON mainspring.lines_to_make
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION mainspring.make_lines();

-- Only live runs, so that the table stays small: a settled run moves to history. A claim writes each row a second time; with
-- room for that on every page, of the table and of its key, no page has to be split and no row moved.
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
  reason text,  -- `cancelling` while its attempt is being cancelled, `suspending` while it is being set aside
  key text,
  input bytea NOT NULL,
  deadline_at timestamptz,  -- until its first start, the instant by which it has to start may stand here
  extra bytea,  -- JSON: its labels, its tags, and by whom it was asked for
  cancel_reason text,  -- as given by the caller who cancelled it
  first_started_at timestamptz  -- written when it comes back, so that a run which succeeds at once pays nothing
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- A claim reads one line and one priority at a time, so it never meets runs that are not due or stand in other lines.
CREATE INDEX runs_claimable ON mainspring.runs (line, priority, due_at, id) WHERE state = 1;
-- A list of runs is read in the order of their ids, from one job, line and state after the other. Running runs are found by
-- their session instead: so a claim adds to no further index, and a run that is born claimed to none at all.
CREATE INDEX runs_listed ON mainspring.runs (job, line, state, id) WHERE state < 2;
CREATE INDEX runs_held ON mainspring.runs (session, id) WHERE state = 2;
CREATE INDEX runs_cancelling ON mainspring.runs (session) WHERE state = 2 AND reason = 'cancelling';
CREATE INDEX runs_suspending ON mainspring.runs (session) WHERE state = 2 AND reason = 'suspending';
CREATE INDEX runs_deadline ON mainspring.runs (deadline_at) WHERE deadline_at IS NOT NULL;

-- Runs that a claim takes from a backlog are kept in bundles: one row for many attempts, instead of a change to each of their
-- rows. Most of them have ended a moment later, all those of a bundle together, and go from there into history. Any other act
-- on a bundle undoes it: its runs are rows again, as if they had been claimed one by one.
CREATE TABLE mainspring.bundles (
  token uuid NOT NULL,
  part integer NOT NULL,
  session uuid NOT NULL,
  size integer NOT NULL,
  claimed_at timestamptz NOT NULL,
  ids uuid[] NOT NULL,
  held mainspring.runs[] NOT NULL,
  PRIMARY KEY (token, part)
) WITH (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
-- To compress rows that live for a moment would cost more than all else about them.
ALTER TABLE mainspring.bundles ALTER COLUMN held SET STORAGE EXTERNAL, ALTER COLUMN ids SET STORAGE EXTERNAL;

-- Every live run, wherever it is kept.
CREATE VIEW mainspring.live AS
SELECT
  r.id, r.due_at, r.created_at, r.claimed_at, r.line, r.job, r.attempt, r.priority, r.state, r.failures, r.losses, r.token,
  r.session, r.reason, r.key, r.input, r.deadline_at, r.extra, r.cancel_reason, r.first_started_at
FROM mainspring.runs AS r
UNION ALL
SELECT
  h.id, h.due_at, h.created_at, b.claimed_at, h.line, h.job, h.attempt + 1, h.priority, 2::smallint, h.failures, h.losses,
  b.token, b.session, h.reason, h.key, h.input, h.deadline_at, h.extra, h.cancel_reason, h.first_started_at
FROM mainspring.bundles AS b
CROSS JOIN LATERAL unnest(b.held) AS h;

CREATE TABLE mainspring.keys (
  namespace text NOT NULL,
  key text NOT NULL,
  run uuid NOT NULL,
  digest bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (namespace, key)
);
CREATE INDEX keys_age ON mainspring.keys (created_at);

-- Leads from a tag, or a label as key=value, to the runs that have it: ids grow with time, so it lists them in order.
CREATE TABLE mainspring.marks (
  namespace text NOT NULL,
  mark text NOT NULL,
  run uuid NOT NULL,
  PRIMARY KEY (namespace, mark, run)
);
CREATE INDEX marks_run ON mainspring.marks (run);

-- What runs remember from attempt to attempt: a checkpoint (0), steps (1), effects (2).
CREATE TABLE mainspring.memories (
  run uuid NOT NULL,
  kind smallint NOT NULL,
  name text NOT NULL,
  attempt integer NOT NULL,
  turn bigint NOT NULL,
  at timestamptz NOT NULL,
  value bytea,
  PRIMARY KEY (run, kind, name)
) WITH (fillfactor = 70);

-- Why runs are set aside, and until when; the run's own row says whether it is.
CREATE TABLE mainspring.suspensions (
  run uuid PRIMARY KEY,
  reason text NOT NULL,
  resume_at timestamptz
);
CREATE INDEX suspensions_resume ON mainspring.suspensions (resume_at) WHERE resume_at IS NOT NULL;

CREATE TABLE mainspring.progress (
  run uuid PRIMARY KEY,
  token uuid NOT NULL,
  fraction real NOT NULL,
  note text NOT NULL,
  at timestamptz NOT NULL
);

-- A call of `enqueue_many` as it was written, and the run that it becomes.
CREATE TYPE mainspring.call AS (
  job json, input json, queue json, priority json, due_at json, delay json, key json, labels json, tags json,
  deadline json, deadline_in json, start_within json
);
CREATE TYPE mainspring.called_run AS (
  id uuid, job integer, queue text, line integer, priority integer, due_at timestamptz, deadline_at timestamptz,
  key text, digest bytea, marks text[], extra bytea, input bytea
);

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
  result bytea,
  deadline_at timestamptz,
  extra bytea
) PARTITION BY RANGE (finished_at);
CREATE INDEX history_id ON mainspring.history (id);
CREATE INDEX history_listed ON mainspring.history (job, line, state, id);
CREATE INDEX history_troubled ON mainspring.history (id) WHERE state > 3;
-- Rows enter history in the order of time, so the smallest index finds a range of it. Settling pays next to nothing for it.
CREATE INDEX history_finished ON mainspring.history USING brin (finished_at);

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
  traceback text,
  code text,  -- a stable code of an attempt that did not succeed
  duration bigint,  -- how long the handler took
  beside uuid[]  -- of a lost one: some of the runs that its executor had at that time
) PARTITION BY RANGE (ended_at);
CREATE INDEX attempts_run ON mainspring.attempts (run);

-- A reader who follows a log asks for lines after a position: with numbers set aside for each connection (CACHE), a later line
-- could stand before an earlier one.
CREATE SEQUENCE mainspring.log_positions;
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

-- Runs that failed for good: a row is added in the transaction that settles them, and nothing else pays for it. No row is ever
-- counted up in place: thousands of failures a second would wait for one another at one row.
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
