-- What a run may bring besides its input. `extra` is JSON: its labels, its tags, and by whom it was asked for.
-- The table is made anew, because its input is to stay last. The views over it come back with the first use of a day.
DROP VIEW IF EXISTS all_runs;
CREATE TABLE runs_next (
  id BLOB NOT NULL PRIMARY KEY,
  line INTEGER NOT NULL,
  job INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  state INTEGER NOT NULL,
  reason TEXT,
  attempt INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  losses INTEGER NOT NULL,
  token BLOB,
  session BLOB,
  created_at INTEGER NOT NULL,
  claimed_at INTEGER,
  deadline_at INTEGER,
  key TEXT,
  extra BLOB,
  input BLOB NOT NULL
) WITHOUT ROWID;
INSERT INTO runs_next (
  id, line, job, priority, due_at, state, reason, attempt, failures, losses, token, session, created_at, claimed_at,
  key, input
)
SELECT
  id, line, job, priority, due_at, state, reason, attempt, failures, losses, token, session, created_at, claimed_at,
  key, input
FROM runs;
DROP TABLE runs;
ALTER TABLE runs_next RENAME TO runs;
CREATE INDEX runs_claimable ON runs (line, priority, due_at, id) WHERE state = 1;
CREATE INDEX runs_held ON runs (session) WHERE state = 2;
CREATE INDEX runs_deadline ON runs (deadline_at) WHERE deadline_at IS NOT NULL;

-- Leads from a tag, or a label as key=value, to the runs that have it: ids grow with time, so it lists them in order.
CREATE TABLE marks (
  namespace TEXT NOT NULL,
  mark TEXT NOT NULL,
  run BLOB NOT NULL,
  PRIMARY KEY (namespace, mark, run)
) WITHOUT ROWID;
CREATE INDEX marks_run ON marks (run);
