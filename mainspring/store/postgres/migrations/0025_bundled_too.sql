-- What looks for live runs finds those in bundles too; all else in these functions is as it was.

CREATE OR REPLACE FUNCTION mainspring.settle(run uuid, token uuid, result json DEFAULT 'null') RETURNS uuid
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  settled_at CONSTANT timestamptz := clock_timestamp();
BEGIN
  IF octet_length(settle.result::text) > 1048576 THEN
    PERFORM mainspring.refuse(
      'result', 'result_too_large', octet_length(settle.result::text) || ' bytes are over the limit of 1048576'
    );
  END IF;
  PERFORM mainspring.unbundle_under_1(ARRAY[settle.token])
  WHERE EXISTS (SELECT FROM mainspring.bundles AS b WHERE b.token = settle.token);
  WITH moved AS (
    DELETE FROM mainspring.runs AS r WHERE r.id = settle.run AND r.token = settle.token RETURNING r.*
  )
  INSERT INTO mainspring.history (
    id, due_at, created_at, started_at, finished_at, duration, line, job, attempt, priority, state,
    failures, losses, token, session, deadline_at, key, extra, input, result
  )
  SELECT
    m.id, m.due_at, m.created_at, m.claimed_at, settled_at,
    greatest(extract(epoch FROM settled_at - m.claimed_at) * 1000000, 0)::bigint, m.line, m.job,
    m.attempt, m.priority, 3, m.failures, m.losses, m.token, m.session, m.deadline_at, m.key, m.extra, m.input,
    convert_to(settle.result::text, 'UTF8')
  FROM moved AS m;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'this attempt does not own run % any more', settle.run USING ERRCODE = 'MSLST';
  END IF;
  RETURN settle.run;
END $$;

CREATE OR REPLACE FUNCTION mainspring.create_full_2(
  p_namespace text, p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamptz[],
  p_inputs bytea[], p_keys text[], p_digests bytea[], p_deadlines timestamptz[], p_extras bytea[], p_marked uuid[],
  p_marks text[], p_tokens uuid[], p_sessions uuid[], p_owners uuid[], p_seen_since timestamptz, p_now timestamptz
) RETURNS bigint
LANGUAGE plpgsql
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_material = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  made_count bigint;
  live_count bigint;
  taken text;
BEGIN
  PERFORM s.id FROM mainspring.sessions AS s WHERE s.id = ANY (p_owners) AND s.state = 0 FOR KEY SHARE;
  GET DIAGNOSTICS live_count = ROW_COUNT;
  IF live_count < cardinality(p_owners) THEN
    RAISE EXCEPTION 'a session that was to run these is gone' USING ERRCODE = 'MSLST';
  END IF;
  WITH given AS MATERIALIZED (
    SELECT *
    FROM unnest(
      p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_inputs, p_keys, p_digests, p_deadlines, p_extras, p_tokens,
      p_sessions
    ) AS t(id, job, line, priority, due_at, input, key, digest, deadline_at, extra, token, session)
  ), won AS (
    INSERT INTO mainspring.keys (namespace, key, run, digest, created_at)
    SELECT p_namespace, g.key, g.id, g.digest, p_now FROM given AS g WHERE g.key IS NOT NULL
    ON CONFLICT DO NOTHING
    RETURNING run
  )
  INSERT INTO mainspring.runs (
    id, due_at, created_at, claimed_at, line, job, attempt, priority, state, failures, losses, token, session,
    deadline_at, key, extra, input
  )
  SELECT
    g.id, g.due_at, p_now, CASE WHEN g.token IS NULL THEN NULL ELSE p_now END, g.line, g.job,
    CASE WHEN g.token IS NULL THEN 0 ELSE 1 END, g.priority, CASE WHEN g.token IS NULL THEN 1 ELSE 2 END, 0, 0,
    g.token, g.session, g.deadline_at, g.key, g.extra, g.input
  FROM given AS g
  WHERE (g.key IS NULL OR g.id IN (SELECT w.run FROM won AS w))
    AND (p_seen_since IS NULL OR NOT EXISTS (
      SELECT FROM mainspring.history AS h WHERE h.id = g.id AND h.finished_at >= p_seen_since
    ) AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE g.id = ANY (b.ids))
      AND NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = g.id))
  ON CONFLICT (id) DO NOTHING;
  GET DIAGNOSTICS made_count = ROW_COUNT;
  IF made_count < cardinality(p_runs) THEN
    SELECT k.key INTO taken
    FROM unnest(p_keys, p_digests) AS t(key, digest)
    JOIN mainspring.keys AS k ON k.namespace = p_namespace AND k.key = t.key
    WHERE k.digest <> t.digest
    LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION '%', taken USING ERRCODE = 'MSKEY';
    END IF;
  END IF;
  IF cardinality(p_marks) > 0 THEN
    INSERT INTO mainspring.marks (namespace, mark, run)
    SELECT p_namespace, t.mark, t.run
    FROM unnest(p_marks, p_marked) AS t(mark, run)
    WHERE EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = t.run)
      OR EXISTS (SELECT FROM mainspring.bundles AS b WHERE t.run = ANY (b.ids))
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN made_count;
END $$;

CREATE OR REPLACE FUNCTION mainspring.show_2(p_namespace text, p_runs uuid[], p_births timestamptz[], p_size integer)
RETURNS TABLE (
  id uuid, namespace text, job text, queue text, handler text, priority smallint, state smallint, reason text,
  attempt integer, failures smallint, losses smallint, due_at timestamptz, created_at timestamptz, started_at timestamptz,
  finished_at timestamptz, deadline_at timestamptz, executor text, key text, extra bytea, input bytea, result bytea,
  error text, message text, traceback text, code text, progress_token uuid, fraction real, note text
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
    f.error, f.message, CASE WHEN octet_length(f.traceback) <= p_size THEN f.traceback END, f.code, p.token, p.fraction, p.note
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
      SELECT r.id, r.line, r.job, r.priority, 2::smallint, r.reason, r.attempt + 1, r.failures, r.losses, r.due_at, r.created_at,
        b.claimed_at, NULL, r.deadline_at, b.session, r.key, r.extra, r.input, NULL
      FROM mainspring.bundles AS b
      CROSS JOIN LATERAL unnest(b.held) AS r
      WHERE c.id = ANY (b.ids) AND r.id = c.id
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
    SELECT a.error, a.message, a.traceback, a.code
    FROM mainspring.attempts AS a
    WHERE a.run = x.id AND a.ended_at >= c.born - interval '5 minutes' AND a.error IS NOT NULL
      AND x.failures + x.losses > 0
    ORDER BY a.number DESC
    LIMIT 1
  ) AS f ON true
  WHERE l.namespace IS NOT DISTINCT FROM p_namespace;
END $$;

CREATE OR REPLACE FUNCTION mainspring.matching_2(
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

CREATE OR REPLACE FUNCTION mainspring.ended_runs_1(p_runs uuid[], p_since timestamptz)
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
  WHERE NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = p.run)
    AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE p.run = ANY (b.ids));
END $$;

CREATE OR REPLACE FUNCTION mainspring.followed_triggers_1(p_after bigint, p_until bigint, p_limit bigint)
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
    SELECT FROM unnest(t.pending) AS p(run)
    WHERE NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = p.run)
      AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE p.run = ANY (b.ids))
  )
  ORDER BY t.id
  LIMIT p_limit
  FOR UPDATE OF t SKIP LOCKED;
END $$;

CREATE OR REPLACE FUNCTION mainspring.survey_1(p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql
SET max_parallel_workers_per_gather = 0
SET enable_sort = off
SET jit = off
AS $$
BEGIN
  UPDATE mainspring.surveys SET taken_at = p_now WHERE id = 1 AND (taken_at IS NULL OR taken_at <= p_now);
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  WITH found AS MATERIALIZED (
    SELECT r.line,
      count(*) FILTER (WHERE r.state = 1 AND r.due_at <= p_now) AS queued,
      count(*) FILTER (WHERE r.state = 1 AND r.due_at > p_now) AS later,
      count(*) FILTER (WHERE r.state = 0) AS waiting,
      count(*) FILTER (WHERE r.state = 2) AS running,
      min(r.due_at) FILTER (WHERE r.state = 1 AND r.due_at <= p_now) AS oldest_at
    FROM mainspring.live AS r
    GROUP BY r.line
  ), emptied AS (
    DELETE FROM mainspring.depths AS d WHERE NOT EXISTS (SELECT FROM found AS f WHERE f.line = d.line)
  )
  INSERT INTO mainspring.depths AS d (line, queued, later, waiting, running, oldest_at)
  SELECT f.line, f.queued, f.later, f.waiting, f.running, f.oldest_at FROM found AS f
  ON CONFLICT (line) DO UPDATE
  SET queued = excluded.queued, later = excluded.later, waiting = excluded.waiting, running = excluded.running,
      oldest_at = excluded.oldest_at
  WHERE (d.queued, d.later, d.waiting, d.running, d.oldest_at)
    IS DISTINCT FROM (excluded.queued, excluded.later, excluded.waiting, excluded.running, excluded.oldest_at);
  RETURN true;
END $$;
