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
CREATE INDEX runs_suspending ON runs (session) WHERE state = 2 AND reason = 'suspending';
