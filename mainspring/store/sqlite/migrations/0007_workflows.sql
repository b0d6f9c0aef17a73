-- Workflow runs: how far each has come, the runs of its steps, and the ends of steps that it has not taken up yet.
CREATE TABLE flows (
  run BLOB NOT NULL PRIMARY KEY,
  job INTEGER NOT NULL,
  version INTEGER NOT NULL,
  states BLOB NOT NULL,
  maps BLOB,
  requests INTEGER NOT NULL DEFAULT 0,
  stage INTEGER NOT NULL DEFAULT 0,
  began_at INTEGER NOT NULL,
  touched_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX flows_job ON flows (job);

-- The same of workflow runs that are over.
CREATE TABLE flows_past (
  run BLOB NOT NULL PRIMARY KEY,
  job INTEGER NOT NULL,
  version INTEGER NOT NULL,
  states BLOB NOT NULL,
  maps BLOB,
  requests INTEGER NOT NULL,
  stage INTEGER NOT NULL,
  began_at INTEGER NOT NULL,
  finished_at INTEGER NOT NULL
) WITHOUT ROWID;

-- The run of each step; an item of a map has its number, any other step -1. The key keeps a step from beginning twice.
CREATE TABLE steps (
  workflow BLOB NOT NULL,
  step INTEGER NOT NULL,
  item INTEGER NOT NULL,
  run BLOB NOT NULL,
  PRIMARY KEY (workflow, step, item)
) WITHOUT ROWID;
CREATE INDEX steps_run ON steps (run);

-- How many runs of a step have ended in a state; under step -1 a request to the workflow run. Each day's history has a trigger
-- that leaves one: `sql/days.sql`.
CREATE TABLE notes (
  workflow BLOB NOT NULL,
  step INTEGER NOT NULL,
  state INTEGER NOT NULL,
  runs INTEGER NOT NULL
);
CREATE INDEX notes_workflow ON notes (workflow);
