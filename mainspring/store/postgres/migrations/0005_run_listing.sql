-- A list of runs is read in the order of their ids, from one job, line and state after the other. Running runs are found by
-- their session instead: so a claim adds to no further index, and a run that is born claimed to none at all.
CREATE INDEX history_listed ON mainspring.history (job, line, state, id);
CREATE INDEX history_troubled ON mainspring.history (id) WHERE state > 3;
CREATE INDEX runs_listed ON mainspring.runs (job, line, state, id) WHERE state < 2;
DROP INDEX mainspring.runs_held;
CREATE INDEX runs_held ON mainspring.runs (session, id) WHERE state = 2;

-- Settled runs from some days, each with the ids between which it holds them. On each day, step from one job, line and state
-- that occurs to the next, and read the first runs of each; with a page full, only what comes before its end still matters.
CREATE FUNCTION mainspring.find_on_days_1(
  p_jobs integer[], p_lines integer[], p_states smallint[], p_days timestamptz[], p_lows uuid[], p_highs uuid[],
  p_low uuid, p_high uuid, p_newest boolean, p_limit integer
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
          SELECT j.id AS job, f.line, f.state
          FROM unnest(p_jobs) AS j(id)
          CROSS JOIN LATERAL (
            SELECT h.line, h.state FROM mainspring.history AS h
            WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = j.id
            ORDER BY h.line, h.state
            LIMIT 1
          ) AS f
          UNION ALL
          SELECT p.job, f.line, f.state
          FROM place AS p
          CROSS JOIN LATERAL (
            SELECT h.line, h.state FROM mainspring.history AS h
            WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = p.job
              AND (h.line, h.state) > (p.line, p.state)
            ORDER BY h.line, h.state
            LIMIT 1
          ) AS f
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
        WHERE p.line = ANY (p_lines) AND p.state = ANY (p_states)
        UNION ALL
        SELECT r.id FROM unnest(runs) AS r(id)
        ORDER BY id DESC
        LIMIT p_limit
      );
      low := coalesce(runs[p_limit], low);
    ELSE
      runs := ARRAY(
        WITH RECURSIVE place AS (
          SELECT j.id AS job, f.line, f.state
          FROM unnest(p_jobs) AS j(id)
          CROSS JOIN LATERAL (
            SELECT h.line, h.state FROM mainspring.history AS h
            WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = j.id
            ORDER BY h.line, h.state
            LIMIT 1
          ) AS f
          UNION ALL
          SELECT p.job, f.line, f.state
          FROM place AS p
          CROSS JOIN LATERAL (
            SELECT h.line, h.state FROM mainspring.history AS h
            WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = p.job
              AND (h.line, h.state) > (p.line, p.state)
            ORDER BY h.line, h.state
            LIMIT 1
          ) AS f
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
        WHERE p.line = ANY (p_lines) AND p.state = ANY (p_states)
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

-- Which of these runs, given with their instants of birth, match. Most runs are over within the hour: one day is looked at
-- before the others.
CREATE FUNCTION mainspring.matching_1(
  p_runs uuid[], p_births timestamptz[], p_namespace text, p_job text, p_queue text, p_states smallint[], p_parked integer[]
) RETURNS SETOF uuid
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
  RETURN QUERY
  SELECT c.id
  FROM unnest(p_runs, p_births) AS c(id, born)
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
    );
END $$;

-- Runs of a namespace, given with their instants of birth, as people see them; bodies up to a size. The joins are outer ones,
-- although there is no run without a line and a job: so each table is read for the runs, never the other way.
CREATE FUNCTION mainspring.show_1(p_namespace text, p_runs uuid[], p_births timestamptz[], p_size integer)
RETURNS TABLE (
  id uuid, namespace text, job text, queue text, handler text, priority smallint, state smallint, reason text,
  attempt integer, failures smallint, losses smallint, due_at timestamptz, created_at timestamptz, started_at timestamptz,
  finished_at timestamptz, deadline_at timestamptz, executor text, key text, extra bytea, input bytea, result bytea,
  error text, message text, traceback text, progress_token uuid, fraction real, note text
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
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT x.id, l.namespace, j.name, l.queue, l.handler, x.priority, x.state, x.reason, x.attempt, x.failures, x.losses,
    x.due_at, x.created_at, x.started_at, x.finished_at, x.deadline_at, s.executor, x.key, x.extra,
    CASE WHEN octet_length(x.input) <= p_size THEN x.input END,
    CASE WHEN octet_length(x.result) <= p_size THEN x.result END,
    f.error, f.message, CASE WHEN octet_length(f.traceback) <= p_size THEN f.traceback END, p.token, p.fraction, p.note
  FROM unnest(p_runs, p_births) AS c(id, born)
  CROSS JOIN LATERAL (
    SELECT *
    FROM (
      SELECT r.id, r.line, r.job, r.priority, r.state, r.reason, r.attempt, r.failures, r.losses, r.due_at, r.created_at,
        r.claimed_at AS started_at, NULL::timestamptz AS finished_at, r.deadline_at, r.session, r.key, r.extra, r.input,
        NULL::bytea AS result
      FROM mainspring.runs AS r
      WHERE r.id = c.id
      UNION ALL
      SELECT h.id, h.line, h.job, h.priority, h.state, h.reason, h.attempt, h.failures, h.losses, h.due_at, h.created_at,
        h.started_at, h.finished_at, h.deadline_at, h.session, h.key, h.extra, h.input, h.result
      FROM mainspring.history AS h
      WHERE h.id = c.id AND h.finished_at >= c.born - interval '5 minutes' AND h.finished_at < c.born + interval '1 hour'
      UNION ALL
      SELECT h.id, h.line, h.job, h.priority, h.state, h.reason, h.attempt, h.failures, h.losses, h.due_at, h.created_at,
        h.started_at, h.finished_at, h.deadline_at, h.session, h.key, h.extra, h.input, h.result
      FROM mainspring.history AS h
      WHERE h.id = c.id
    ) AS u
    LIMIT 1
  ) AS x
  LEFT JOIN mainspring.lines AS l ON l.id = x.line
  LEFT JOIN mainspring.jobs AS j ON j.id = x.job
  LEFT JOIN mainspring.sessions AS s ON s.id = x.session
  LEFT JOIN mainspring.progress AS p ON p.run = x.id
  LEFT JOIN LATERAL (
    SELECT a.error, a.message, a.traceback
    FROM mainspring.attempts AS a
    WHERE a.run = x.id AND a.ended_at >= c.born - interval '5 minutes' AND a.error IS NOT NULL
      AND x.failures + x.losses > 0
    ORDER BY a.number DESC
    LIMIT 1
  ) AS f ON true
  WHERE l.namespace IS NOT DISTINCT FROM p_namespace;
END $$;
