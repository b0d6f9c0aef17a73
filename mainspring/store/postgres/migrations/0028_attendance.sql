-- When a server was there last, in one row: instants that passed while none was are decided anew.
CREATE TABLE mainspring.attendance (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  at timestamptz NOT NULL
);

-- As before, from an instant on that may lie behind: of those that have passed, what was made ahead of them.
CREATE FUNCTION mainspring.withdraw_2(p_triggers bigint[], p_last_at timestamptz[], p_since timestamptz, p_now timestamptz)
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

DROP FUNCTION mainspring.withdraw_1;
