-- Lock the triggers whose time to move has come, the most urgent first, passing over those that others have locked.
CREATE OR REPLACE FUNCTION mainspring.due_triggers_1(p_now timestamptz, p_limit bigint)
RETURNS SETOF mainspring.triggers
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
CREATE OR REPLACE FUNCTION mainspring.hold_triggers_1(p_namespace text, p_names text[]) RETURNS SETOF mainspring.triggers
LANGUAGE plpgsql
-- plan: nested
AS $$
BEGIN
  RETURN QUERY
  SELECT t.*
  FROM unnest(p_names) AS w(name)
  CROSS JOIN LATERAL (
    SELECT c.* FROM mainspring.triggers AS c WHERE c.namespace = p_namespace AND c.name = w.name LIMIT 1 FOR UPDATE
  ) AS t;
END $$;

-- Move triggers on, of which nothing else has changed.
CREATE OR REPLACE FUNCTION mainspring.advance_triggers_1(
  p_triggers bigint[], p_next_due timestamptz[], p_act_at timestamptz[], p_last_fire_at timestamptz[], p_fired bigint[]
) RETURNS void
LANGUAGE plpgsql
-- plan: nested
AS $$
BEGIN
  UPDATE mainspring.triggers AS t
  SET next_due = m.next_due, act_at = m.act_at, last_fire_at = m.last_fire_at, fired = m.fired, touched = false
  FROM unnest(p_triggers, p_next_due, p_act_at, p_last_fire_at, p_fired) AS m(id, next_due, act_at, last_fire_at, fired)
  WHERE t.id = m.id;
END $$;

-- Write all that a move of triggers may change.
CREATE OR REPLACE FUNCTION mainspring.rewrite_triggers_2(
  p_triggers bigint[], p_jobs text[], p_kinds text[], p_calendars text[], p_cohorts text[], p_owners text[], p_specs bytea[],
  p_applied bytea[], p_revisions integer[], p_next_due timestamptz[], p_act_at timestamptz[], p_pending text[], p_held text[],
  p_fired bigint[], p_failures integer[], p_last_fire_at timestamptz[], p_paused_at timestamptz[], p_paused_by text[],
  p_paused_reasons text[], p_asked text[], p_updated_at timestamptz[]
) RETURNS void
LANGUAGE plpgsql
-- plan: nested
AS $$
BEGIN
  UPDATE mainspring.triggers AS t
  SET job = m.job, kind = m.kind, calendar = m.calendar, cohort = m.cohort, owner = m.owner, spec = m.spec,
      applied = m.applied, revision = m.revision, next_due = m.next_due, act_at = m.act_at, pending = m.pending::uuid[],
      held = m.held::timestamptz[], fired = m.fired, failures = m.failures, last_fire_at = m.last_fire_at,
      paused_at = m.paused_at, paused_by = m.paused_by, paused_reason = m.paused_reason, asked = m.asked::timestamptz[],
      updated_at = m.updated_at, touched = false
  FROM unnest(
    p_triggers, p_jobs, p_kinds, p_calendars, p_cohorts, p_owners, p_specs, p_applied, p_revisions, p_next_due, p_act_at,
    p_pending, p_held, p_fired, p_failures, p_last_fire_at, p_paused_at, p_paused_by, p_paused_reasons, p_asked,
    p_updated_at
  ) AS m(
    id, job, kind, calendar, cohort, owner, spec, applied, revision, next_due, act_at, pending, held, fired, failures,
    last_fire_at, paused_at, paused_by, paused_reason, asked, updated_at
  )
  WHERE t.id = m.id;
END $$;

-- Count fires of triggers that others call. A plan that was made while there were few would else read all of them for ever.
CREATE OR REPLACE FUNCTION mainspring.count_fires_1(p_triggers bigint[], p_fires bigint[], p_now timestamptz) RETURNS void
LANGUAGE plpgsql
-- plan: nested
AS $$
BEGIN
  UPDATE mainspring.triggers AS t SET fired = t.fired + c.fires, last_fire_at = greatest(t.last_fire_at, p_now)
  FROM unnest(p_triggers, p_fires) AS c(id, fires)
  WHERE t.id = c.id;
END $$;

CREATE OR REPLACE FUNCTION mainspring.delete_triggers_1(p_triggers bigint[]) RETURNS void
LANGUAGE plpgsql
-- plan: nested
AS $$
BEGIN
  DELETE FROM mainspring.triggers AS t WHERE t.id = ANY (p_triggers);
END $$;

-- Triggers that wait for events of these types, each type looked up by itself: read in the order of ids, all others would be
-- passed over on the way.
CREATE OR REPLACE FUNCTION mainspring.subscribers_1(p_namespace text, p_types text[], p_limit bigint)
RETURNS SETOF mainspring.triggers
LANGUAGE plpgsql
-- plan: nested
AS $$
BEGIN
  RETURN QUERY
  SELECT t.*
  FROM (
    SELECT s.trigger
    FROM unnest(p_types) AS w(type)
    CROSS JOIN LATERAL (
      SELECT c.trigger FROM mainspring.subscriptions AS c
      WHERE c.namespace = p_namespace AND c.type = w.type
      ORDER BY c.trigger
      LIMIT p_limit
    ) AS s
    ORDER BY s.trigger
    LIMIT p_limit
  ) AS f
  CROSS JOIN LATERAL (SELECT c.* FROM mainspring.triggers AS c WHERE c.id = f.trigger LIMIT 1) AS t
  ORDER BY f.trigger;
END $$;

-- The last of so many triggers after the one given that wait for runs to end; none if there are fewer.
CREATE OR REPLACE FUNCTION mainspring.waiting_until_1(p_after bigint, p_look bigint) RETURNS bigint
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

-- Lock triggers of a range of whose pending runs some are not live any more, passing over those that others have locked.
CREATE OR REPLACE FUNCTION mainspring.followed_triggers_1(p_after bigint, p_until bigint, p_limit bigint)
RETURNS SETOF mainspring.triggers
LANGUAGE plpgsql
-- plan: nested, unsorted
AS $$
BEGIN
  RETURN QUERY
  SELECT t.* FROM mainspring.triggers AS t
  WHERE t.pending IS NOT NULL AND t.id > p_after AND t.id <= p_until AND EXISTS (
    SELECT FROM unnest(t.pending) AS p(run)
    WHERE NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = p.run)
      AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE p.run = ANY (b.ids))
  )
  ORDER BY t.id
  LIMIT p_limit
  FOR UPDATE OF t SKIP LOCKED;
END $$;

-- Runs whose ends triggers wait for.
CREATE OR REPLACE FUNCTION mainspring.pending_runs_1(p_limit bigint) RETURNS SETOF uuid
LANGUAGE plpgsql
-- plan: nested, unsorted
AS $$
BEGIN
  RETURN QUERY
  SELECT p.run
  FROM mainspring.triggers AS t CROSS JOIN LATERAL unnest(t.pending) AS p(run)
  WHERE t.pending IS NOT NULL
  LIMIT p_limit;
END $$;

-- Of these runs those that are not live, with their state; as of one moment, for a run may come back to life.
CREATE OR REPLACE FUNCTION mainspring.ended_runs_1(p_runs uuid[], p_since timestamptz)
RETURNS TABLE (run uuid, state smallint, finished_at timestamptz)
LANGUAGE plpgsql
-- plan: nested, unsorted
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT p.run, h.state, h.finished_at
  FROM unnest(p_runs) AS p(run)
  LEFT JOIN LATERAL (
    SELECT c.state, c.finished_at FROM mainspring.history AS c WHERE c.id = p.run AND c.finished_at >= p_since LIMIT 1
  ) AS h ON true
  WHERE NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = p.run)
    AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE p.run = ANY (b.ids));
END $$;
