-- The schema is private: the API is the way to read it. Instants are microseconds since 1970, ids 16 bytes.
--
-- Written by noun: definitions, runs, triggers, executors and servers, queues, access. The tables of settled runs, of their
-- attempts and logs are made day by day: `sql/days.sql`.
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  spec BLOB NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  code BLOB,  -- what an executor's code said last
  deleted_at INTEGER,  -- a deleted job keeps its row, for history names it
  UNIQUE (namespace, name)
);

-- Definitions by version: a change makes a new one, so that it can be looked up, compared and brought back.
CREATE TABLE job_versions (
  job INTEGER NOT NULL REFERENCES jobs (id),
  version INTEGER NOT NULL,
  origin TEXT NOT NULL,
  author TEXT NOT NULL,
  code_version TEXT NOT NULL,
  note TEXT NOT NULL,
  at INTEGER NOT NULL,
  spec BLOB NOT NULL,
  PRIMARY KEY (job, version)
) WITHOUT ROWID;

CREATE TABLE lines (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL,
  queue TEXT NOT NULL,
  handler TEXT NOT NULL,
  address TEXT NOT NULL,
  UNIQUE (namespace, queue, handler, address)
);

-- Only live runs. Clustered by id, which grows with time: measured a third faster than a rowid table with an index on id.
-- Reading the columns before the input never follows it onto overflow pages; those after it are read only where a reason says
-- so, so that no other run pays for them.
CREATE TABLE runs (
  id BLOB NOT NULL PRIMARY KEY,
  line INTEGER NOT NULL,
  job INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  state INTEGER NOT NULL,
  reason TEXT,  -- `cancelling` while its attempt is being cancelled, `suspending` while it is being set aside
  attempt INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  losses INTEGER NOT NULL,
  token BLOB,
  session BLOB,
  created_at INTEGER NOT NULL,
  claimed_at INTEGER,
  deadline_at INTEGER,  -- until its first start, the instant by which it has to start may stand here
  key TEXT,
  extra BLOB,  -- JSON: its labels, its tags, and by whom it was asked for
  input BLOB NOT NULL,
  cancel_reason TEXT,  -- as given by the caller who cancelled it
  first_started_at INTEGER  -- read only when an attempt did not succeed
) WITHOUT ROWID;
-- A claim reads one line and one priority at a time, so it never meets runs that are not due or stand in other lines.
CREATE INDEX runs_claimable ON runs (line, priority, due_at, id) WHERE state = 1;
-- A list of runs is read in the order of their ids, from one job, line and state after the other. Running runs are found by
-- their session instead: so a claim adds to no further index, and a run that is born claimed to none at all.
CREATE INDEX runs_listed ON runs (job, line, state) WHERE state < 2;
CREATE INDEX runs_held ON runs (session) WHERE state = 2;
CREATE INDEX runs_cancelling ON runs (session) WHERE state = 2 AND reason = 'cancelling';
CREATE INDEX runs_suspending ON runs (session) WHERE state = 2 AND reason = 'suspending';
CREATE INDEX runs_deadline ON runs (deadline_at) WHERE deadline_at IS NOT NULL;

CREATE TABLE keys (
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  run BLOB NOT NULL,
  digest BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (namespace, key)
) WITHOUT ROWID;
CREATE INDEX keys_age ON keys (created_at);

-- Leads from a tag, or a label as key=value, to the runs that have it: ids grow with time, so it lists them in order.
CREATE TABLE marks (
  namespace TEXT NOT NULL,
  mark TEXT NOT NULL,
  run BLOB NOT NULL,
  PRIMARY KEY (namespace, mark, run)
) WITHOUT ROWID;
CREATE INDEX marks_run ON marks (run);

-- What runs remember from attempt to attempt: a checkpoint (0), steps (1), effects (2).
CREATE TABLE memories (
  run BLOB NOT NULL,
  kind INTEGER NOT NULL,
  name TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  at INTEGER NOT NULL,
  value BLOB,
  PRIMARY KEY (run, kind, name)
) WITHOUT ROWID;

-- Why runs are set aside, and until when; the run's own row says whether it is.
CREATE TABLE suspensions (
  run BLOB NOT NULL PRIMARY KEY,
  reason TEXT NOT NULL,
  resume_at INTEGER
) WITHOUT ROWID;
CREATE INDEX suspensions_resume ON suspensions (resume_at) WHERE resume_at IS NOT NULL;

CREATE TABLE progress (
  run BLOB NOT NULL PRIMARY KEY,
  token BLOB NOT NULL,
  fraction REAL NOT NULL,
  note TEXT NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;

-- Runs that failed for good: a row is added in the transaction that settles them, and nothing else pays for it.
CREATE TABLE dead (
  run BLOB NOT NULL PRIMARY KEY,
  namespace TEXT NOT NULL,
  line INTEGER NOT NULL,
  job INTEGER NOT NULL,
  fingerprint BLOB NOT NULL,
  failed_at INTEGER NOT NULL,
  reason TEXT,
  error TEXT NOT NULL,
  message TEXT NOT NULL,
  discarded_at INTEGER,
  discarded_by TEXT,
  discard_reason TEXT
) WITHOUT ROWID;
CREATE INDEX dead_kinds ON dead (namespace, fingerprint, failed_at, run) WHERE discarded_at IS NULL;
CREATE INDEX dead_listed ON dead (namespace, failed_at, run) WHERE discarded_at IS NULL;
CREATE INDEX dead_age ON dead (failed_at);

-- Acts on many runs, done in the background.
CREATE TABLE sweeps (
  id BLOB NOT NULL PRIMARY KEY,
  namespace TEXT NOT NULL,
  live INTEGER NOT NULL,
  version INTEGER NOT NULL,
  body BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX sweeps_live ON sweeps (id) WHERE live;
CREATE INDEX sweeps_listed ON sweeps (namespace, id);
