-- partitions
-- The tables of all days, oldest first.
SELECT name
FROM sqlite_master
WHERE type = 'table' AND name GLOB 'history_[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'
ORDER BY name

-- dated_days
-- The history tables that were made before runs had a deadline and an extra.
SELECT m.name
FROM sqlite_master AS m
WHERE m.type = 'table' AND m.name GLOB 'history_[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'
  AND NOT EXISTS (SELECT 1 FROM pragma_table_info(m.name) AS c WHERE c.name = 'extra')

-- add_deadline
-- Give such a table its deadlines.
ALTER TABLE {table} ADD COLUMN deadline_at INTEGER

-- add_extra
-- Give such a table its extras.
ALTER TABLE {table} ADD COLUMN extra BLOB

-- bare_days
-- The tables of attempts that were made before attempts had a code.
SELECT m.name
FROM sqlite_master AS m
WHERE m.type = 'table' AND m.name GLOB 'attempts_[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'
  AND NOT EXISTS (SELECT 1 FROM pragma_table_info(m.name) AS c WHERE c.name = 'code')

-- add_detail
-- Give such a table another column.
ALTER TABLE {table} ADD COLUMN {column}

-- add_history_day
-- One day of settled runs, by the instant they finished.
CREATE TABLE IF NOT EXISTS history_{day} (
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
  executor TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER NOT NULL,
  duration INTEGER NOT NULL,
  deadline_at INTEGER,
  key TEXT,
  extra BLOB,
  input BLOB NOT NULL,
  result BLOB
) WITHOUT ROWID

-- add_history_day_index
-- Leads to a day's runs of one job, line and state in the order of their ids, as every index here ends with the id.
CREATE INDEX IF NOT EXISTS history_{day}_listed ON history_{day} (job, line, state)

-- add_history_day_note
-- Whatever moves a step's run into a day's history leaves a note there, in the same transaction.
CREATE TRIGGER IF NOT EXISTS history_{day}_note AFTER INSERT ON history_{day}
WHEN substr(NEW.extra, 1, 11) = CAST('{{"workflow"' AS BLOB)
BEGIN
  INSERT INTO notes (workflow, step, state, runs)
  SELECT s.workflow, s.step, NEW.state, 1 FROM steps AS s WHERE s.run = NEW.id;
END

-- add_attempts_day
-- One day of attempts that did not succeed, by the instant they ended.
CREATE TABLE IF NOT EXISTS attempts_{day} (
  run BLOB NOT NULL,
  number INTEGER NOT NULL,
  token BLOB NOT NULL,
  outcome INTEGER NOT NULL,
  executor TEXT,
  started_at INTEGER,
  ended_at INTEGER NOT NULL,
  error TEXT,
  message TEXT,
  traceback TEXT,
  host TEXT,
  code_version TEXT,
  code TEXT,
  duration INTEGER,
  beside TEXT,
  PRIMARY KEY (run, number)
) WITHOUT ROWID

-- add_logs_day
-- One day of log lines, by the instant they were stored; the position goes on where the day before stopped.
CREATE TABLE IF NOT EXISTS logs_{day} (
  position INTEGER PRIMARY KEY,
  run BLOB NOT NULL,
  token BLOB NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  level INTEGER NOT NULL,
  message TEXT NOT NULL,
  UNIQUE (run, token, seq)
)

-- add_logs_day_index
-- Leads to a run's lines in their order.
CREATE INDEX IF NOT EXISTS logs_{day}_run ON logs_{day} (run)

-- everything
-- One day's table as part of a view.
SELECT *
FROM {table}

-- live_as_run
-- A live run in the shape that people see; the casts keep the columns alike, or the days would not be merged by id.
SELECT
  id, line, job, priority, due_at, state, reason, attempt, failures, losses, session,
  CAST(NULL AS TEXT) AS executor,
  created_at, claimed_at AS started_at, CAST(NULL AS INTEGER) AS finished_at, deadline_at, key, extra, input,
  CAST(NULL AS BLOB) AS result
FROM runs

-- history_day_as_run
-- A settled run of one day in the same shape.
SELECT
  id, line, job, priority, due_at, state, reason, attempt, failures, losses,
  CAST(NULL AS BLOB) AS session, executor,
  created_at, started_at, finished_at, deadline_at, key, extra, input, result
FROM history_{day}
