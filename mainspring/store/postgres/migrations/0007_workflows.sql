-- Workflow runs: how far each has come, the runs of its steps, and the ends of steps that it has not taken up yet.

-- A byte for each step, and counts for each map. No index changes when a flow moves, so every move stays on its page.
CREATE TABLE mainspring.flows (
  run uuid PRIMARY KEY,
  job integer NOT NULL,
  version integer NOT NULL,
  states bytea NOT NULL,
  maps bytea,
  requests smallint NOT NULL DEFAULT 0,
  stage smallint NOT NULL DEFAULT 0,
  began_at timestamptz NOT NULL,
  touched_at timestamptz NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE mainspring.flows ALTER COLUMN states SET STORAGE PLAIN;
CREATE INDEX flows_job ON mainspring.flows (job);

-- The same of workflow runs that are over.
CREATE TABLE mainspring.flows_past (
  run uuid PRIMARY KEY,
  job integer NOT NULL,
  version integer NOT NULL,
  states bytea NOT NULL,
  maps bytea,
  requests smallint NOT NULL,
  stage smallint NOT NULL,
  began_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL
);

-- The run of each step; an item of a map has its number, any other step -1. The key keeps a step from beginning twice.
CREATE TABLE mainspring.steps (
  workflow uuid NOT NULL,
  step integer NOT NULL,
  item integer NOT NULL,
  run uuid NOT NULL,
  PRIMARY KEY (workflow, step, item)
);
CREATE INDEX steps_run ON mainspring.steps (run);

-- How many runs of a step have ended in a state; under step -1 a request to the workflow run. Only ever inserted and deleted.
CREATE TABLE mainspring.notes (
  workflow uuid NOT NULL,
  step integer NOT NULL,
  state smallint NOT NULL,
  runs integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX notes_workflow ON mainspring.notes (workflow);

-- Whatever moves a step's run into history leaves a note there, in the same transaction. A run without a workflow pays for a
-- look at the beginning of its metadata.
CREATE FUNCTION mainspring.note_step() RETURNS trigger
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
BEGIN
  INSERT INTO mainspring.notes (workflow, step, state, runs)
  SELECT s.workflow, s.step, NEW.state, 1 FROM mainspring.steps AS s WHERE s.run = NEW.id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION mainspring.note_step FROM PUBLIC;
CREATE TRIGGER history_note AFTER INSERT ON mainspring.history
FOR EACH ROW WHEN (substring(NEW.extra FROM 1 FOR 11) = '{"workflow"'::bytea) EXECUTE FUNCTION mainspring.note_step();
