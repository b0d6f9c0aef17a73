-- Definitions by version: a change makes a new one, so that it can be looked up, compared and brought back.
-- `code` is what an executor's code said last; a job that was deleted keeps its row, for history names it.
ALTER TABLE jobs ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE jobs ADD COLUMN code BLOB;
ALTER TABLE jobs ADD COLUMN deleted_at INTEGER;
UPDATE jobs SET code = spec;

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
INSERT INTO job_versions (job, version, origin, author, code_version, note, at, spec)
SELECT id, version, 'code', '', '', '', updated_at, spec FROM jobs;

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

-- `specs` leads from a job to the digest of what the session's code says of it; `load` comes with its last beat.
ALTER TABLE sessions ADD COLUMN specs TEXT NOT NULL DEFAULT '{}';
ALTER TABLE sessions ADD COLUMN load BLOB;
CREATE INDEX sessions_executor ON sessions (namespace, executor);
