CREATE TABLE sessions (
  id BLOB NOT NULL PRIMARY KEY,
  namespace TEXT NOT NULL,
  executor TEXT NOT NULL,
  server BLOB NOT NULL,
  state INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  closed_at INTEGER,
  reclaimed INTEGER NOT NULL,
  abilities BLOB NOT NULL,
  specs TEXT NOT NULL DEFAULT '{}',  -- from a job to the digest of what the session's code says of it
  load BLOB,  -- comes with its last beat
  seal BLOB NOT NULL DEFAULT x''  -- who may open it again: the digest of its executor's secret and of the token it came with
) WITHOUT ROWID;
CREATE INDEX sessions_executor ON sessions (namespace, executor);

-- Executors that are to take nothing new, by name, so that it outlives their restarts.
CREATE TABLE cordons (
  namespace TEXT NOT NULL,
  executor TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  drain_at INTEGER,
  grace REAL NOT NULL,
  PRIMARY KEY (namespace, executor)
) WITHOUT ROWID;

CREATE TABLE servers (
  id BLOB NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  lease_until INTEGER NOT NULL
) WITHOUT ROWID;

-- When a server was there last, in one row: instants that passed while none was are decided anew.
CREATE TABLE attendance (
  one INTEGER PRIMARY KEY DEFAULT 1 CHECK (one = 1),
  at INTEGER NOT NULL
);

-- What operators have said about a queue: paused, a budget. The rule of a whole namespace has no queue's name.
CREATE TABLE queues (
  namespace TEXT NOT NULL,
  queue TEXT NOT NULL,
  paused_at INTEGER,
  paused_by TEXT,
  pause_reason TEXT,
  max_queued INTEGER,
  PRIMARY KEY (namespace, queue)
) WITHOUT ROWID;

-- How many live runs stood in each line when they were last counted. Pages read this and never count runs themselves.
CREATE TABLE depths (
  line INTEGER PRIMARY KEY,
  queued INTEGER NOT NULL,
  later INTEGER NOT NULL,
  waiting INTEGER NOT NULL,
  running INTEGER NOT NULL,
  oldest_at INTEGER
);

-- One row: when the last count began, and of when its numbers are.
CREATE TABLE surveys (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  begun_at INTEGER,
  taken_at INTEGER
);
INSERT INTO surveys (id) VALUES (1);

-- Finished runs by minute and by hour (`step`, in seconds). Waits and durations are microseconds; their histograms are
-- JSON arrays over the buckets of domain/queues/rollup.py.
CREATE TABLE rollups (
  step INTEGER NOT NULL,
  at INTEGER NOT NULL,
  line INTEGER NOT NULL,
  job INTEGER NOT NULL,
  state INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  wait_sum INTEGER NOT NULL,
  wait_max INTEGER NOT NULL,
  duration_sum INTEGER NOT NULL,
  duration_max INTEGER NOT NULL,
  waits BLOB NOT NULL,
  durations BLOB NOT NULL,
  PRIMARY KEY (step, at, line, job, state)
) WITHOUT ROWID;

-- One row: up to when history is rolled up.
CREATE TABLE rolled (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  until INTEGER
);
INSERT INTO rolled (id) VALUES (1);

-- Which runs finished and are not rolled up yet, one row a batch. An index on the instant would cost every settled run
-- more than this costs a batch of them.
CREATE TABLE finished (
  position INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  ids BLOB NOT NULL
);

-- The one row that numbers the changes of tokens and namespaces, so that the server asks for what is new.
CREATE TABLE access (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  version INTEGER NOT NULL
);
INSERT INTO access (one, version) VALUES (1, 1);

CREATE TABLE namespaces (
  name TEXT NOT NULL PRIMARY KEY,
  description TEXT NOT NULL,
  created_at INTEGER
) WITHOUT ROWID;
INSERT INTO namespaces (name, description) VALUES ('default', '');

-- Only hashes of the secrets that are shown. `version` is the number of the change that made the row what it is; `queues` is
-- JSON.
CREATE TABLE tokens (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  namespace TEXT NOT NULL,
  queues TEXT NOT NULL,
  digest BLOB NOT NULL UNIQUE,
  replaced_digest BLOB,
  replaced_until INTEGER,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  rotated_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER,
  version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX tokens_version ON tokens (version);
CREATE INDEX tokens_age ON tokens (created_at, id);

-- Who changed what. Append only.
CREATE TABLE audit (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  token TEXT NOT NULL,
  namespace TEXT NOT NULL,
  act TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  details BLOB NOT NULL
);
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
-- The log is read newest first, by any of its filters: each has an index that brings the entries in that order.
CREATE INDEX audit_at ON audit (at, position);
CREATE INDEX audit_actor ON audit (actor, at, position);
CREATE INDEX audit_kind ON audit (kind, at, position);
CREATE INDEX audit_key ON audit (key, at, position);
CREATE INDEX audit_actor_kind ON audit (actor, kind, at, position);
CREATE INDEX audit_namespace ON audit (namespace, at, position);
CREATE INDEX audit_namespace_actor ON audit (namespace, actor, at, position);
CREATE INDEX audit_namespace_kind ON audit (namespace, kind, at, position);
