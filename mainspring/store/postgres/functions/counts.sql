-- Count the live runs of each line and keep the numbers, unless newer ones are there. One pass over the table, on one
-- core, whatever the statistics say.
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
      min(r.due_at) FILTER (WHERE r.state = 1 AND r.due_at <= p_now) AS oldest_at,
      min(r.claimed_at) FILTER (WHERE r.state = 2) AS running_oldest_at
    FROM mainspring.live AS r
    GROUP BY r.line
  ), emptied AS (
    DELETE FROM mainspring.depths AS d WHERE NOT EXISTS (SELECT FROM found AS f WHERE f.line = d.line)
  )
  INSERT INTO mainspring.depths AS d (line, queued, later, waiting, running, oldest_at, running_oldest_at)
  SELECT f.line, f.queued, f.later, f.waiting, f.running, f.oldest_at, f.running_oldest_at FROM found AS f
  ON CONFLICT (line) DO UPDATE
  SET queued = excluded.queued, later = excluded.later, waiting = excluded.waiting, running = excluded.running,
      oldest_at = excluded.oldest_at, running_oldest_at = excluded.running_oldest_at
  WHERE (d.queued, d.later, d.waiting, d.running, d.oldest_at, d.running_oldest_at)
    IS DISTINCT FROM (
      excluded.queued, excluded.later, excluded.waiting, excluded.running, excluded.oldest_at, excluded.running_oldest_at
    );
  RETURN true;
END $$;

-- The runs that finished in a range of time, counted by minute, line, job, state and the buckets of wait and duration. A run that
-- was never started has neither a wait nor a duration.
CREATE OR REPLACE FUNCTION mainspring.finished_1(p_since timestamptz, p_until timestamptz, p_edges bigint[])
RETURNS TABLE (
  o_minute timestamptz, o_line integer, o_job integer, o_state smallint, o_wait integer, o_duration integer,
  o_runs bigint, o_wait_sum bigint, o_wait_max bigint, o_duration_sum bigint, o_duration_max bigint
)
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_indexscan = off
SET enable_sort = off
SET max_parallel_workers_per_gather = 0
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  edges interval[] := ARRAY(SELECT e * interval '1 microsecond' FROM unnest(p_edges) AS e);
BEGIN
  RETURN QUERY
  SELECT date_bin('1 minute', f.finished_at, 'epoch'), f.line, f.job, f.state, width_bucket(f.wait, edges),
    width_bucket(f.duration, p_edges), count(*), (extract(epoch FROM sum(f.wait)) * 1000000)::bigint,
    (extract(epoch FROM max(f.wait)) * 1000000)::bigint, sum(f.duration)::bigint, max(f.duration)
  FROM (
    SELECT h.finished_at, h.line, h.job, h.state,
      CASE WHEN h.started_at IS NOT NULL THEN greatest(h.started_at - greatest(h.due_at, h.created_at), interval '0') END
        AS wait,
      CASE WHEN h.started_at IS NOT NULL THEN h.duration END AS duration
    FROM mainspring.history AS h
    WHERE h.finished_at >= p_since AND h.finished_at < p_until
  ) AS f
  GROUP BY 1, 2, 3, 4, 5, 6;
END $$;

-- Tell the index of one day's history about rows that came since it was told last. Gives way to a vacuum, which does the
-- same.
CREATE OR REPLACE FUNCTION mainspring.summarize_1(p_day text) RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
  day regclass := to_regclass('mainspring.history_' || p_day);
  index regclass;
BEGIN
  SELECT i.indexrelid INTO index
  FROM pg_catalog.pg_index AS i
  JOIN pg_catalog.pg_inherits AS p ON p.inhrelid = i.indexrelid
  WHERE i.indrelid = day AND p.inhparent = 'mainspring.history_finished'::regclass;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  EXECUTE format('LOCK TABLE %s IN SHARE UPDATE EXCLUSIVE MODE NOWAIT', day);
  RETURN brin_summarize_new_values(index);
EXCEPTION WHEN lock_not_available THEN
  RETURN 0;
END $$;
