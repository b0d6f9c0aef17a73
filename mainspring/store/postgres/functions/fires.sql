-- Put instants into the ledger, and their runs into their lines; an instant that is there already stays as it is, and its
-- run is one of those returned, which were not made.
CREATE OR REPLACE FUNCTION mainspring.fire_1(
  p_triggers bigint[], p_fire_at timestamptz[], p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[],
  p_due_at timestamptz[], p_deadlines timestamptz[], p_extras bytea[], p_inputs bytea[], p_now timestamptz
) RETURNS SETOF uuid
LANGUAGE plpgsql
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  fired uuid[];
BEGIN
  WITH entered AS (
    INSERT INTO mainspring.fires (trigger, fire_at, run)
    SELECT t.trigger, t.fire_at, t.run FROM unnest(p_triggers, p_fire_at, p_runs) AS t(trigger, fire_at, run)
    ON CONFLICT DO NOTHING
    RETURNING fires.run
  )
  SELECT array_agg(e.run) INTO fired FROM entered AS e;
  IF coalesce(cardinality(fired), 0) = cardinality(p_runs) THEN
    INSERT INTO mainspring.runs (
      id, due_at, created_at, line, job, attempt, priority, state, failures, losses, deadline_at, extra, input
    )
    SELECT t.id, t.due_at, p_now, t.line, t.job, 0, t.priority, 1, 0, 0, t.deadline_at, t.extra, t.input
    FROM unnest(p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_deadlines, p_extras, p_inputs)
      AS t(id, job, line, priority, due_at, deadline_at, extra, input);
    RETURN;
  END IF;
  INSERT INTO mainspring.runs (
    id, due_at, created_at, line, job, attempt, priority, state, failures, losses, deadline_at, extra, input
  )
  SELECT t.id, t.due_at, p_now, t.line, t.job, 0, t.priority, 1, 0, 0, t.deadline_at, t.extra, t.input
  FROM unnest(p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_deadlines, p_extras, p_inputs)
    AS t(id, job, line, priority, due_at, deadline_at, extra, input)
  WHERE t.id = ANY (fired);
  RETURN QUERY SELECT t.id FROM unnest(p_runs) AS t(id) WHERE fired IS NULL OR t.id <> ALL (fired);
END $$;

-- Delete the runs of instants after one, as long as none was started, and their entries in the ledger. The instant may be past:
-- of those that have passed, the runs that were made ahead of them.
CREATE OR REPLACE FUNCTION mainspring.withdraw_2(
  p_triggers bigint[], p_last_at timestamptz[], p_since timestamptz, p_now timestamptz
)
RETURNS TABLE (trigger bigint, fire_at timestamptz, run uuid, last_at timestamptz)
LANGUAGE plpgsql
-- plan: nested
AS $$
#variable_conflict use_column
DECLARE
  triggers bigint[];
  instants timestamptz[];
  runs uuid[];
BEGIN
  SELECT array_agg(f.trigger ORDER BY f.run), array_agg(f.fire_at ORDER BY f.run), array_agg(f.run ORDER BY f.run)
  INTO triggers, instants, runs
  FROM unnest(p_triggers, p_last_at) AS w(trigger, last_at)
  CROSS JOIN LATERAL (
    SELECT c.* FROM mainspring.fires AS c
    WHERE c.trigger = w.trigger AND c.fire_at > p_since AND c.fire_at <= w.last_at
    OFFSET 0
  ) AS f;
  -- In the order of their ids, as everybody locks runs.
  SELECT array_agg(p.trigger), array_agg(p.fire_at), array_agg(p.run) INTO triggers, instants, runs
  FROM (
    SELECT w.trigger, w.fire_at, w.run
    FROM unnest(triggers, instants, runs) AS w(trigger, fire_at, run)
    CROSS JOIN LATERAL (
      SELECT c.id FROM mainspring.runs AS c
      WHERE c.id = w.run AND c.state + 0 = 1 AND c.attempt = 0 AND (w.fire_at > p_now OR c.created_at < w.fire_at)
      LIMIT 1
      FOR UPDATE
    ) AS r
  ) AS p;
  IF runs IS NULL THEN
    RETURN;
  END IF;
  DELETE FROM mainspring.runs AS r WHERE r.id = ANY (runs);
  DELETE FROM mainspring.marks AS m WHERE m.run = ANY (runs);
  DELETE FROM mainspring.fires AS f USING unnest(triggers, instants) AS w(trigger, fire_at)
  WHERE f.trigger = w.trigger AND f.fire_at = w.fire_at;
  RETURN QUERY
  SELECT w.trigger, w.fire_at, w.run,
    (SELECT f.fire_at FROM mainspring.fires AS f WHERE f.trigger = w.trigger ORDER BY f.fire_at DESC LIMIT 1)
  FROM unnest(triggers, instants, runs) AS w(trigger, fire_at, run);
END $$;

-- Make the runs of a piece of a backfill and enter their instants; an instant that is in the ledger gets no other run, unless
-- all are to run again. Returns the runs that were made.
CREATE OR REPLACE FUNCTION mainspring.backfill_1(
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
