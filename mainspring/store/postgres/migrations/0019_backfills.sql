-- Runs for instants of triggers that lie behind, made in the background.
CREATE TABLE mainspring.backfills (
  id uuid NOT NULL PRIMARY KEY,
  version integer NOT NULL,
  live boolean NOT NULL,
  namespace text NOT NULL COLLATE "C",
  trigger_name text NOT NULL COLLATE "C",
  body bytea NOT NULL
);
CREATE INDEX backfills_live ON mainspring.backfills (id) WHERE live;
CREATE INDEX backfills_listed ON mainspring.backfills (namespace, id);

-- Which run each of them made for an instant: one, whatever else the ledger knows of it.
CREATE TABLE mainspring.backfill_fires (
  backfill uuid NOT NULL REFERENCES mainspring.backfills (id) ON DELETE CASCADE,
  run uuid NOT NULL,
  trigger bigint NOT NULL,
  fire_at timestamptz NOT NULL,
  PRIMARY KEY (backfill, fire_at)
);
CREATE INDEX backfill_fires_trigger ON mainspring.backfill_fires (trigger, fire_at, run);

-- Make the runs of a piece of a backfill and enter their instants; an instant that is in the ledger gets no other run, unless
-- all are to run again. Returns the runs that were made.
CREATE FUNCTION mainspring.backfill_1(
  p_backfill uuid, p_trigger bigint, p_rerun boolean, p_fire_at timestamptz[], p_runs uuid[], p_jobs integer[],
  p_lines integer[], p_priorities smallint[], p_due_at timestamptz[], p_deadlines timestamptz[], p_extras bytea[],
  p_inputs bytea[], p_now timestamptz
) RETURNS SETOF uuid
LANGUAGE plpgsql
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  made uuid[];
BEGIN
  WITH entered AS (
    INSERT INTO mainspring.fires (trigger, fire_at, run)
    SELECT p_trigger, t.fire_at, t.run FROM unnest(p_fire_at, p_runs) AS t(fire_at, run)
    ON CONFLICT DO NOTHING
    RETURNING fires.run
  )
  SELECT coalesce(array_agg(e.run), '{}') INTO made FROM entered AS e;
  IF p_rerun THEN
    made := p_runs;
  END IF;
  INSERT INTO mainspring.backfill_fires (backfill, run, trigger, fire_at)
  SELECT p_backfill, t.run, p_trigger, t.fire_at
  FROM unnest(p_fire_at, p_runs) AS t(fire_at, run)
  WHERE t.run = ANY (made);
  INSERT INTO mainspring.runs (
    id, due_at, created_at, line, job, attempt, priority, state, failures, losses, deadline_at, extra, input
  )
  SELECT t.id, t.due_at, p_now, t.line, t.job, 0, t.priority, 1, 0, 0, t.deadline_at, t.extra, t.input
  FROM unnest(p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_deadlines, p_extras, p_inputs)
    AS t(id, job, line, priority, due_at, deadline_at, extra, input)
  WHERE t.id = ANY (made);
  RETURN QUERY SELECT t.id FROM unnest(made) AS t(id);
END $$;
