-- Settled runs from some days, each with the ids between which it holds them. The filter comes as places, in order: eight times
-- the line, plus the state. On each day, step from one place of a job that occurs to the next that is asked for, passing over all
-- others, and read the first runs of each; with a page full, only runs before its end still matter.
CREATE OR REPLACE FUNCTION mainspring.find_on_days_2(
  p_jobs integer[], p_places bigint[], p_days timestamptz[], p_lows uuid[], p_highs uuid[], p_low uuid, p_high uuid,
  p_newest boolean, p_limit integer
) RETURNS uuid[]
LANGUAGE plpgsql STABLE
-- plan: nested
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
          -- As one comparison and one order of all four: with equalities the index on ids alone looks as good to the planner.
          WHERE h.finished_at >= day_start AND h.finished_at < day_end
            AND (h.job, h.line, h.state, h.id) >= (p.job, p.line, p.state, low)
            AND (h.job, h.line, h.state, h.id) < (p.job, p.line, p.state, high)
          ORDER BY h.job DESC, h.line DESC, h.state DESC, h.id DESC
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
          -- As one comparison and one order of all four: with equalities the index on ids alone looks as good to the planner.
          WHERE h.finished_at >= day_start AND h.finished_at < day_end
            AND (h.job, h.line, h.state, h.id) >= (p.job, p.line, p.state, low)
            AND (h.job, h.line, h.state, h.id) < (p.job, p.line, p.state, high)
          ORDER BY h.job ASC, h.line ASC, h.state ASC, h.id ASC
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
CREATE OR REPLACE FUNCTION mainspring.matching_2(
  p_runs uuid[], p_namespace text, p_job text, p_queue text, p_states smallint[], p_parked integer[]
) RETURNS uuid[]
LANGUAGE plpgsql STABLE
-- plan: nested
AS $$
BEGIN
  IF 2 >= ALL (p_states) THEN
    RETURN ARRAY(
      SELECT r.id
      FROM unnest(p_runs) AS c(id)
      CROSS JOIN LATERAL (
        SELECT f.id, f.job, f.line, f.state FROM mainspring.runs AS f WHERE f.id = c.id
        UNION ALL
        SELECT f.id, f.job, f.line, 2
        FROM mainspring.bundles AS b
        CROSS JOIN LATERAL unnest(b.held) AS f
        WHERE c.id = ANY (b.ids) AND f.id = c.id
      ) AS r
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
        SELECT r.job, r.line, 2
        FROM mainspring.bundles AS b
        CROSS JOIN LATERAL unnest(b.held) AS r
        WHERE c.id = ANY (b.ids) AND r.id = c.id
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
CREATE OR REPLACE FUNCTION mainspring.find_marked_1(
  p_namespace text, p_mark text, p_others text[], p_job text, p_queue text, p_states smallint[], p_parked integer[],
  p_low uuid, p_high uuid, p_newest boolean, p_size integer, OUT runs uuid[], OUT reach uuid
)
LANGUAGE plpgsql STABLE
-- plan: nested
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

-- All that is shown of these runs, wherever they are kept, with their last failure and progress.
CREATE OR REPLACE FUNCTION mainspring.show_2(p_namespace text, p_runs uuid[], p_births timestamptz[], p_size integer)
RETURNS TABLE (
  id uuid, namespace text, job text, queue text, handler text, priority smallint, state smallint, reason text,
  attempt integer, failures smallint, losses smallint, due_at timestamptz, created_at timestamptz, started_at timestamptz,
  finished_at timestamptz, deadline_at timestamptz, executor text, key text, extra bytea, input bytea, result bytea,
  error text, message text, traceback text, code text, progress_token uuid, fraction real, note text
)
LANGUAGE plpgsql STABLE
-- plan: nested
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT x.id, l.namespace, j.name, l.queue, l.handler, x.priority, x.state, x.reason, x.attempt, x.failures, x.losses,
    x.due_at, x.created_at, x.started_at, x.finished_at, x.deadline_at, s.executor, x.key, x.extra,
    CASE WHEN octet_length(i.input) <= p_size THEN i.input END,
    CASE WHEN octet_length(x.result) <= p_size THEN x.result END,
    f.error, f.message, CASE WHEN octet_length(f.traceback) <= p_size THEN f.traceback END, f.code, p.token, p.fraction, p.note
  FROM unnest(p_runs, p_births) AS c(id, born)
  CROSS JOIN LATERAL (
    SELECT *
    FROM (
      SELECT {r.kept}, r.input, r.state, r.reason, r.attempt, r.failures, r.losses, r.claimed_at AS started_at,
        NULL::timestamptz AS finished_at, r.session, NULL::bytea AS result
      FROM mainspring.runs AS r
      WHERE r.id = c.id
      UNION ALL
      SELECT {h.kept}, h.input, h.state, h.reason, h.attempt, h.failures, h.losses, h.started_at, h.finished_at, h.session, h.result
      FROM mainspring.history AS h
      WHERE h.id = c.id AND h.finished_at >= c.born - interval '5 minutes' AND h.finished_at < c.born + interval '1 hour'
      UNION ALL
      SELECT {r.kept}, r.input, 2::smallint, nullif(r.reason, 'limit'), r.attempt + 1, r.failures, r.losses, b.claimed_at, NULL, b.session, NULL
      FROM mainspring.bundles AS b
      CROSS JOIN LATERAL unnest(b.held) AS r
      WHERE c.id = ANY (b.ids) AND r.id = c.id
      UNION ALL
      SELECT {h.kept}, h.input, h.state, h.reason, h.attempt, h.failures, h.losses, h.started_at, h.finished_at, h.session, h.result
      FROM mainspring.history AS h
      WHERE h.id = c.id
    ) AS u
    LIMIT 1
  ) AS x
  CROSS JOIN LATERAL (SELECT CASE WHEN p_size >= 0 THEN mainspring.input_1(x.id, x.input) END AS input) AS i
  LEFT JOIN mainspring.lines AS l ON l.id = x.line
  LEFT JOIN mainspring.jobs AS j ON j.id = x.job
  LEFT JOIN mainspring.sessions AS s ON s.id = x.session
  LEFT JOIN mainspring.progress AS p ON p.run = x.id
  LEFT JOIN LATERAL (
    SELECT a.error, a.message, a.traceback, a.code
    FROM mainspring.attempts AS a
    WHERE a.run = x.id AND a.ended_at >= c.born - interval '5 minutes' AND a.error IS NOT NULL
      AND x.failures + x.losses > 0
    ORDER BY a.number DESC
    LIMIT 1
  ) AS f ON true
  WHERE l.namespace IS NOT DISTINCT FROM p_namespace;
END $$;

-- JSON that is kept as bytes; null if it cannot be read, so that one spoilt row fails no list.
CREATE OR REPLACE FUNCTION mainspring.json_or_null_1(p_bytes bytea) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT
AS $$
BEGIN
  RETURN convert_from(p_bytes, 'UTF8')::jsonb;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END $$;
