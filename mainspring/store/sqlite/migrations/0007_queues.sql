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
