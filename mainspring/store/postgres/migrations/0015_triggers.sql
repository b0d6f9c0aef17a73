-- Triggers: what each starts and when, and which of its instants comes next. A row is rewritten with every fire, so only what
-- leads to a trigger is indexed, and what few have (a calendar, an owner, a pause) only for those few.
CREATE TABLE mainspring.triggers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fired bigint NOT NULL DEFAULT 0,
  next_due timestamptz,
  act_at timestamptz,
  last_fire_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  paused_at timestamptz,
  revision integer NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  touched boolean NOT NULL DEFAULT false,  -- its calendar was changed: what was prepared is to be withdrawn
  namespace text NOT NULL COLLATE "C",
  name text NOT NULL COLLATE "C",
  job text NOT NULL COLLATE "C",
  kind text NOT NULL,
  calendar text NOT NULL COLLATE "C",
  cohort text NOT NULL COLLATE "C",  -- the group that it is spread with
  owner text NOT NULL COLLATE "C",
  paused_by text,
  paused_reason text,
  pending uuid[],
  held timestamptz[],
  spec bytea NOT NULL,
  applied bytea  -- empty: the same as the spec
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE UNIQUE INDEX triggers_name ON mainspring.triggers (namespace, name);
CREATE INDEX triggers_act ON mainspring.triggers (act_at) WHERE act_at IS NOT NULL;
-- Names are looked up by one index alone, so no other one begins with the namespace.
CREATE INDEX triggers_job ON mainspring.triggers (job, namespace, name);
CREATE INDEX triggers_pending ON mainspring.triggers (id) WHERE pending IS NOT NULL;
CREATE INDEX triggers_called ON mainspring.triggers (namespace, kind, name) WHERE kind IN ('webhook', 'event');
CREATE INDEX triggers_calendar ON mainspring.triggers (namespace, calendar, name) WHERE calendar <> '';
CREATE INDEX triggers_cohort ON mainspring.triggers (namespace, cohort, name) WHERE cohort <> '';
CREATE INDEX triggers_owner ON mainspring.triggers (namespace, owner, name) WHERE owner <> '';
CREATE INDEX triggers_paused ON mainspring.triggers (namespace, name) WHERE paused_at IS NOT NULL;
-- Always empty: no active trigger is to be moved later than at its next instant.
CREATE INDEX triggers_stuck ON mainspring.triggers (id)
WHERE next_due IS NOT NULL AND paused_at IS NULL AND (act_at IS NULL OR act_at > next_due);

-- The ledger: an instant that has a run, or had one. By day of the instant; the days that have no table of their own, long
-- past or far ahead, share one.
CREATE TABLE mainspring.fires (
  trigger bigint NOT NULL,
  fire_at timestamptz NOT NULL,
  run uuid NOT NULL,
  PRIMARY KEY (trigger, fire_at)
) PARTITION BY RANGE (fire_at);
CREATE TABLE mainspring.fires_default PARTITION OF mainspring.fires DEFAULT;

-- Instants that have none, from one to another.
CREATE TABLE mainspring.skips (
  trigger bigint NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  at timestamptz NOT NULL,
  reason text NOT NULL
);
CREATE INDEX skips_trigger ON mainspring.skips (trigger, last_at);
CREATE INDEX skips_age ON mainspring.skips USING brin (at);

-- Lock the triggers whose time to move has come, the most urgent first, passing over what others have locked.
CREATE FUNCTION mainspring.due_triggers_1(p_now timestamptz, p_limit bigint) RETURNS SETOF mainspring.triggers
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN QUERY
  SELECT t.* FROM mainspring.triggers AS t
  WHERE t.act_at <= p_now
  ORDER BY t.act_at
  LIMIT p_limit
  FOR UPDATE SKIP LOCKED;
END $$;

-- Lock triggers by name, in the order of the names given, which is the same for all. Each is looked up by itself: a plan that
-- was made while there were none would else read all of them for ever.
CREATE FUNCTION mainspring.hold_triggers_1(p_namespace text, p_names text[]) RETURNS SETOF mainspring.triggers
LANGUAGE plpgsql
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_material = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN QUERY
  SELECT t.*
  FROM unnest(p_names) AS w(name)
  CROSS JOIN LATERAL (
    SELECT c.* FROM mainspring.triggers AS c WHERE c.namespace = p_namespace AND c.name = w.name LIMIT 1 FOR UPDATE
  ) AS t;
END $$;

-- Put instants into the ledger, and their runs into their lines; an instant that is there already stays as it is, and its
-- run is one of those returned, which were not made.
CREATE FUNCTION mainspring.fire_1(
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

-- Move triggers on, of which nothing else has changed.
CREATE FUNCTION mainspring.advance_triggers_1(
  p_triggers bigint[], p_next_due timestamptz[], p_act_at timestamptz[], p_last_fire_at timestamptz[], p_fired bigint[]
) RETURNS void
LANGUAGE plpgsql
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_material = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  UPDATE mainspring.triggers AS t
  SET next_due = m.next_due, act_at = m.act_at, last_fire_at = m.last_fire_at, fired = m.fired, touched = false
  FROM unnest(p_triggers, p_next_due, p_act_at, p_last_fire_at, p_fired) AS m(id, next_due, act_at, last_fire_at, fired)
  WHERE t.id = m.id;
END $$;

-- Take back what was prepared for triggers and nobody has begun, up to the last instant of each that has a run. A claim that is
-- under way is waited for, and wins. `last_at` is the latest instant that stays fired.
CREATE FUNCTION mainspring.withdraw_1(p_triggers bigint[], p_last_at timestamptz[], p_now timestamptz)
RETURNS TABLE (trigger bigint, fire_at timestamptz, run uuid, last_at timestamptz)
LANGUAGE plpgsql
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_material = off
SET jit = off
SET plan_cache_mode = force_generic_plan
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
    WHERE c.trigger = w.trigger AND c.fire_at > p_now AND c.fire_at <= w.last_at
    OFFSET 0
  ) AS f;
  -- In the order of their ids, as everybody locks runs.
  SELECT array_agg(p.trigger), array_agg(p.fire_at), array_agg(p.run) INTO triggers, instants, runs
  FROM (
    SELECT w.trigger, w.fire_at, w.run
    FROM unnest(triggers, instants, runs) AS w(trigger, fire_at, run)
    CROSS JOIN LATERAL (
      SELECT c.id FROM mainspring.runs AS c WHERE c.id = w.run AND c.state + 0 = 1 AND c.attempt = 0 LIMIT 1 FOR UPDATE
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

-- Write all that a move of triggers may change.
CREATE FUNCTION mainspring.rewrite_triggers_1(
  p_triggers bigint[], p_jobs text[], p_kinds text[], p_calendars text[], p_cohorts text[], p_owners text[], p_specs bytea[],
  p_applied bytea[], p_revisions integer[], p_next_due timestamptz[], p_act_at timestamptz[], p_pending text[], p_held text[],
  p_fired bigint[], p_failures integer[], p_last_fire_at timestamptz[], p_paused_at timestamptz[], p_paused_by text[],
  p_paused_reasons text[], p_updated_at timestamptz[]
) RETURNS void
LANGUAGE plpgsql
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_material = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  UPDATE mainspring.triggers AS t
  SET job = m.job, kind = m.kind, calendar = m.calendar, cohort = m.cohort, owner = m.owner, spec = m.spec,
      applied = m.applied, revision = m.revision, next_due = m.next_due, act_at = m.act_at, pending = m.pending::uuid[],
      held = m.held::timestamptz[], fired = m.fired, failures = m.failures, last_fire_at = m.last_fire_at,
      paused_at = m.paused_at, paused_by = m.paused_by, paused_reason = m.paused_reason, updated_at = m.updated_at,
      touched = false
  FROM unnest(
    p_triggers, p_jobs, p_kinds, p_calendars, p_cohorts, p_owners, p_specs, p_applied, p_revisions, p_next_due, p_act_at,
    p_pending, p_held, p_fired, p_failures, p_last_fire_at, p_paused_at, p_paused_by, p_paused_reasons, p_updated_at
  ) AS m(
    id, job, kind, calendar, cohort, owner, spec, applied, revision, next_due, act_at, pending, held, fired, failures,
    last_fire_at, paused_at, paused_by, paused_reason, updated_at
  )
  WHERE t.id = m.id;
END $$;

-- The last of so many triggers behind the one given that wait for runs to end; none if there are fewer.
CREATE FUNCTION mainspring.waiting_until_1(p_after bigint, p_look bigint) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN (
    SELECT t.id FROM mainspring.triggers AS t
    WHERE t.pending IS NOT NULL AND t.id > p_after
    ORDER BY t.id
    OFFSET p_look - 1
    LIMIT 1
  );
END $$;

-- Lock triggers of a range of whose pending runs some are not live any more, passing over what others have locked.
CREATE FUNCTION mainspring.followed_triggers_1(p_after bigint, p_until bigint, p_limit bigint)
RETURNS SETOF mainspring.triggers
LANGUAGE plpgsql
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_material = off
SET enable_sort = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN QUERY
  SELECT t.* FROM mainspring.triggers AS t
  WHERE t.pending IS NOT NULL AND t.id > p_after AND t.id <= p_until AND EXISTS (
    SELECT FROM unnest(t.pending) AS p(run) WHERE NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = p.run)
  )
  ORDER BY t.id
  LIMIT p_limit
  FOR UPDATE OF t SKIP LOCKED;
END $$;

-- Of these runs those that are not live, and what is known of them; as of one moment, for a run may come back to life.
CREATE FUNCTION mainspring.ended_runs_1(p_runs uuid[], p_since timestamptz)
RETURNS TABLE (run uuid, state smallint, finished_at timestamptz)
LANGUAGE plpgsql
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_material = off
SET enable_sort = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT p.run, h.state, h.finished_at
  FROM unnest(p_runs) AS p(run)
  LEFT JOIN LATERAL (
    SELECT c.state, c.finished_at FROM mainspring.history AS c WHERE c.id = p.run AND c.finished_at >= p_since LIMIT 1
  ) AS h ON true
  WHERE NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = p.run);
END $$;

-- Runs whose ends triggers wait for.
CREATE FUNCTION mainspring.pending_runs_1(p_limit bigint) RETURNS SETOF uuid
LANGUAGE plpgsql
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_material = off
SET enable_sort = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN QUERY
  SELECT p.run
  FROM mainspring.triggers AS t CROSS JOIN LATERAL unnest(t.pending) AS p(run)
  WHERE t.pending IS NOT NULL
  LIMIT p_limit;
END $$;
