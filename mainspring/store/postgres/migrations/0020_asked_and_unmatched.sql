-- Instants to come that somebody wanted left out, oldest first; in the ledger they are skipped.
ALTER TABLE mainspring.triggers ADD COLUMN asked timestamptz[];

DROP FUNCTION mainspring.rewrite_triggers_1;

-- Write all that a move of triggers may change.
CREATE FUNCTION mainspring.rewrite_triggers_2(
  p_triggers bigint[], p_jobs text[], p_kinds text[], p_calendars text[], p_cohorts text[], p_owners text[], p_specs bytea[],
  p_applied bytea[], p_revisions integer[], p_next_due timestamptz[], p_act_at timestamptz[], p_pending text[], p_held text[],
  p_fired bigint[], p_failures integer[], p_last_fire_at timestamptz[], p_paused_at timestamptz[], p_paused_by text[],
  p_paused_reasons text[], p_asked text[], p_updated_at timestamptz[]
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

-- Events that were told, and for which nobody waited.
ALTER TABLE mainspring.event_counts ADD COLUMN unmatched bigint NOT NULL DEFAULT 0;

-- Count fires of triggers that others call. A plan that was made while there were few would else read all of them for ever.
CREATE FUNCTION mainspring.count_fires_1(p_triggers bigint[], p_fires bigint[], p_now timestamptz) RETURNS void
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
  UPDATE mainspring.triggers AS t SET fired = t.fired + c.fires, last_fire_at = greatest(t.last_fire_at, p_now)
  FROM unnest(p_triggers, p_fires) AS c(id, fires)
  WHERE t.id = c.id;
END $$;

-- Delete triggers.
CREATE FUNCTION mainspring.delete_triggers_1(p_triggers bigint[]) RETURNS void
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
  DELETE FROM mainspring.triggers AS t WHERE t.id = ANY (p_triggers);
END $$;

-- Triggers that wait for events of these types, each type looked up by itself: read in the order of ids, all others would be
-- passed over on the way.
CREATE FUNCTION mainspring.subscribers_1(p_namespace text, p_types text[], p_limit bigint) RETURNS SETOF mainspring.triggers
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
