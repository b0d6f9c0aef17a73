-- Lock gates in the order of their ids, take off what has ended since, and say how many more runs all of them let start.
CREATE OR REPLACE FUNCTION mainspring.gate_room_1(p_gates bigint[], p_wanted integer, p_now timestamptz) RETURNS integer
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  instant CONSTANT bigint := floor(extract(epoch FROM p_now) * 1000000);
  room bigint;
  found_count bigint;
BEGIN
  PERFORM FROM mainspring.gates AS g WHERE g.id = ANY (p_gates) ORDER BY g.id FOR NO KEY UPDATE;
  -- Seen only now, by a snapshot taken after the locks.
  WITH gone AS (
    DELETE FROM mainspring.exits AS e WHERE e.gate = ANY (p_gates) RETURNING e.gate, e.ended
  )
  UPDATE mainspring.gates AS g SET held = g.held - x.ended
  FROM (SELECT o.gate, sum(o.ended) AS ended FROM gone AS o GROUP BY o.gate) AS x
  WHERE g.id = x.gate;
  SELECT
    count(*), min(least(g.at_once - g.held, g.burst - greatest(0, ceil((g.full_at - instant)::numeric / g.gap)), 1000000))
  INTO found_count, room
  FROM mainspring.gates AS g
  WHERE g.id = ANY (p_gates);
  -- A gate that is not there yet lets nothing pass.
  RETURN CASE WHEN found_count < cardinality(p_gates) THEN 0 ELSE greatest(least(room, p_wanted), 0) END;
END $$;

-- Count runs that were started through locked gates, and say when their rates let the next one start.
CREATE OR REPLACE FUNCTION mainspring.pass_gates_1(p_gates bigint[], p_taken integer, p_now timestamptz) RETURNS timestamptz
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  instant CONSTANT bigint := floor(extract(epoch FROM p_now) * 1000000);
  opens bigint;
BEGIN
  UPDATE mainspring.gates AS g
  SET held = g.held + p_taken, full_at = greatest(g.full_at, instant) + p_taken * coalesce(g.gap, 0)
  WHERE g.id = ANY (p_gates) AND p_taken > 0;
  SELECT max(g.full_at - (g.burst - 1) * g.gap) INTO opens FROM mainspring.gates AS g WHERE g.id = ANY (p_gates);
  RETURN CASE WHEN opens > instant THEN to_timestamp(opens / 1000000.0) END;
END $$;
