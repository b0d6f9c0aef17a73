-- Settled runs from some days, each with the ids between which it holds them. What is asked for comes as places, in order: eight
-- times the line, plus the state. On each day, step from one place of a job that occurs to the next that is asked for, passing
-- over all others, and read the first runs of each; with a page full, only what comes before its end still matters.
DROP FUNCTION mainspring.find_on_days_1;
CREATE FUNCTION mainspring.find_on_days_2(
  p_jobs integer[], p_places bigint[], p_days timestamptz[], p_lows uuid[], p_highs uuid[], p_low uuid, p_high uuid,
  p_newest boolean, p_limit integer
) RETURNS uuid[]
LANGUAGE plpgsql STABLE
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_material = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  runs uuid[] := '{}';
  low uuid := p_low;
  high uuid := p_high;
  day_start timestamptz;
  day_end timestamptz;
BEGIN
  FOR turn IN 1 .. cardinality(p_days) LOOP
    CONTINUE WHEN p_lows[turn] >= high OR p_highs[turn] <= low;
    day_start := p_days[turn];
    day_end := day_start + interval '24 hours';
    IF p_newest THEN
      runs := ARRAY(
        WITH RECURSIVE place AS (
          SELECT j.id AS job, f.line, f.state, width_bucket(f.line * 8::bigint + f.state, p_places) AS turn
          FROM unnest(p_jobs) AS j(id)
          CROSS JOIN LATERAL (
            SELECT h.line, h.state FROM mainspring.history AS h
            WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = j.id
              AND (h.line, h.state) >= ((p_places[1] / 8)::integer, (p_places[1] % 8)::smallint)
            ORDER BY h.line, h.state
            LIMIT 1
          ) AS f
          UNION ALL
          SELECT p.job, f.line, f.state, width_bucket(f.line * 8::bigint + f.state, p_places)
          FROM place AS p
          CROSS JOIN LATERAL (
            SELECT h.line, h.state FROM mainspring.history AS h
            WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = p.job
              AND (h.line, h.state) >= ((p_places[p.turn + 1] / 8)::integer, (p_places[p.turn + 1] % 8)::smallint)
            ORDER BY h.line, h.state
            LIMIT 1
          ) AS f
          WHERE p.turn < cardinality(p_places)
        )
        SELECT f.id
        FROM place AS p
        CROSS JOIN LATERAL (
          SELECT h.id FROM mainspring.history AS h
          WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = p.job AND h.line = p.line
            AND h.state = p.state AND h.id >= low AND h.id < high
          ORDER BY h.id DESC
          LIMIT p_limit
        ) AS f
        WHERE p_places[p.turn] = p.line * 8::bigint + p.state
        UNION ALL
        SELECT r.id FROM unnest(runs) AS r(id)
        ORDER BY id DESC
        LIMIT p_limit
      );
      low := coalesce(runs[p_limit], low);
    ELSE
      runs := ARRAY(
        WITH RECURSIVE place AS (
          SELECT j.id AS job, f.line, f.state, width_bucket(f.line * 8::bigint + f.state, p_places) AS turn
          FROM unnest(p_jobs) AS j(id)
          CROSS JOIN LATERAL (
            SELECT h.line, h.state FROM mainspring.history AS h
            WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = j.id
              AND (h.line, h.state) >= ((p_places[1] / 8)::integer, (p_places[1] % 8)::smallint)
            ORDER BY h.line, h.state
            LIMIT 1
          ) AS f
          UNION ALL
          SELECT p.job, f.line, f.state, width_bucket(f.line * 8::bigint + f.state, p_places)
          FROM place AS p
          CROSS JOIN LATERAL (
            SELECT h.line, h.state FROM mainspring.history AS h
            WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = p.job
              AND (h.line, h.state) >= ((p_places[p.turn + 1] / 8)::integer, (p_places[p.turn + 1] % 8)::smallint)
            ORDER BY h.line, h.state
            LIMIT 1
          ) AS f
          WHERE p.turn < cardinality(p_places)
        )
        SELECT f.id
        FROM place AS p
        CROSS JOIN LATERAL (
          SELECT h.id FROM mainspring.history AS h
          WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = p.job AND h.line = p.line
            AND h.state = p.state AND h.id >= low AND h.id < high
          ORDER BY h.id ASC
          LIMIT p_limit
        ) AS f
        WHERE p_places[p.turn] = p.line * 8::bigint + p.state
        UNION ALL
        SELECT r.id FROM unnest(runs) AS r(id)
        ORDER BY id ASC
        LIMIT p_limit
      );
      high := coalesce(runs[p_limit], high);
    END IF;
  END LOOP;
  RETURN runs;
END $$;

-- Which of these runs match. Live ones alone are looked up in one place. Most runs are over within the hour of their birth, which
-- their ids tell: one day is looked at before the others.
DROP FUNCTION mainspring.matching_1;
CREATE FUNCTION mainspring.matching_2(
  p_runs uuid[], p_namespace text, p_job text, p_queue text, p_states smallint[], p_parked integer[]
) RETURNS uuid[]
LANGUAGE plpgsql STABLE
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_material = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  IF 2 >= ALL (p_states) THEN
    RETURN ARRAY(
      SELECT r.id
      FROM unnest(p_runs) AS c(id)
      JOIN mainspring.runs AS r ON r.id = c.id
      WHERE CASE WHEN r.state = 1 AND r.line = ANY (p_parked) THEN 0 ELSE r.state END = ANY (p_states)
        AND (p_job IS NULL OR r.job = (SELECT j.id FROM mainspring.jobs AS j WHERE j.namespace = p_namespace AND j.name = p_job))
        AND (
          SELECT l.namespace = p_namespace AND (p_queue IS NULL OR l.queue = p_queue)
          FROM mainspring.lines AS l
          WHERE l.id = r.line
        )
    );
  END IF;
  RETURN ARRAY(
    SELECT c.id
    FROM (
      SELECT u.id, to_timestamp(('x' || left(translate(u.id::text, '-', ''), 12))::bit(48)::bigint / 1000.0::float8) AS born
      FROM unnest(p_runs) AS u(id)
      OFFSET 0
    ) AS c
    CROSS JOIN LATERAL (
      SELECT f.job, f.line, f.state
      FROM (
        SELECT r.job, r.line, CASE WHEN r.state = 1 AND r.line = ANY (p_parked) THEN 0 ELSE r.state END AS state
        FROM mainspring.runs AS r
        WHERE r.id = c.id
        UNION ALL
        SELECT h.job, h.line, h.state
        FROM mainspring.history AS h
        WHERE h.id = c.id AND h.finished_at >= c.born - interval '5 minutes' AND h.finished_at < c.born + interval '1 hour'
        UNION ALL
        SELECT h.job, h.line, h.state
        FROM mainspring.history AS h
        WHERE h.id = c.id
      ) AS f
      LIMIT 1
    ) AS x
    WHERE x.state = ANY (p_states)
      AND (p_job IS NULL OR x.job = (SELECT j.id FROM mainspring.jobs AS j WHERE j.namespace = p_namespace AND j.name = p_job))
      AND (
        SELECT l.namespace = p_namespace AND (p_queue IS NULL OR l.queue = p_queue)
        FROM mainspring.lines AS l
        WHERE l.id = x.line
      )
  );
END $$;

-- So many candidates that have a mark, in the order of their ids: which of them have the others and match, if there is anything
-- to match, and how far the candidates reach.
CREATE FUNCTION mainspring.find_marked_1(
  p_namespace text, p_mark text, p_others text[], p_job text, p_queue text, p_states smallint[], p_parked integer[],
  p_low uuid, p_high uuid, p_newest boolean, p_size integer, OUT runs uuid[], OUT reach uuid
)
LANGUAGE plpgsql STABLE
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_material = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  IF p_newest THEN
    runs := ARRAY(
      SELECT k.run FROM mainspring.marks AS k
      WHERE k.namespace = p_namespace AND k.mark = p_mark AND k.run >= p_low AND k.run < p_high
      ORDER BY k.run DESC
      LIMIT p_size
    );
  ELSE
    runs := ARRAY(
      SELECT k.run FROM mainspring.marks AS k
      WHERE k.namespace = p_namespace AND k.mark = p_mark AND k.run >= p_low AND k.run < p_high
      ORDER BY k.run ASC
      LIMIT p_size
    );
  END IF;
  reach := runs[p_size];
  IF cardinality(p_others) > 0 THEN
    runs := ARRAY(
      SELECT c.id
      FROM unnest(runs) AS c(id)
      WHERE cardinality(p_others) = (
        SELECT count(*) FROM mainspring.marks AS m
        WHERE m.namespace = p_namespace AND m.mark = ANY (p_others) AND m.run = c.id
      )
    );
  END IF;
  IF p_states IS NOT NULL THEN
    runs := mainspring.matching_2(runs, p_namespace, p_job, p_queue, p_states, p_parked);
  END IF;
END $$;
