-- What a claim takes from a backlog is kept in bundles: one row for many attempts, instead of a change to each of their rows.
-- Most of them have ended a moment later, all those of a bundle together, and go from there into history. A bundle of which
-- anything else is wanted is undone: its runs are rows again, as if they had been claimed one by one.
CREATE TABLE mainspring.bundles (
  token uuid NOT NULL,
  part integer NOT NULL,
  session uuid NOT NULL,
  size integer NOT NULL,
  claimed_at timestamptz NOT NULL,
  ids uuid[] NOT NULL,
  held mainspring.runs[] NOT NULL,
  PRIMARY KEY (token, part)
) WITH (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
-- To compress what lives for a moment would cost more than all else about it.
ALTER TABLE mainspring.bundles ALTER COLUMN held SET STORAGE EXTERNAL, ALTER COLUMN ids SET STORAGE EXTERNAL;

-- Every live run, wherever it is kept.
CREATE VIEW mainspring.live AS
SELECT
  r.id, r.due_at, r.created_at, r.claimed_at, r.line, r.job, r.attempt, r.priority, r.state, r.failures, r.losses, r.token,
  r.session, r.reason, r.key, r.input, r.deadline_at, r.extra, r.cancel_reason, r.first_started_at
FROM mainspring.runs AS r
UNION ALL
SELECT
  h.id, h.due_at, h.created_at, b.claimed_at, h.line, h.job, h.attempt + 1, h.priority, 2::smallint, h.failures, h.losses,
  b.token, b.session, h.reason, h.key, h.input, h.deadline_at, h.extra, h.cancel_reason, h.first_started_at
FROM mainspring.bundles AS b
CROSS JOIN LATERAL unnest(b.held) AS h;

-- Give each slot a due run, as claim_4 does, and keep them in bundles, each of one session; one row for each of them, column by
-- column. Slots that alternate between the sessions make bundles of the size that is asked for.
CREATE FUNCTION mainspring.claim_bundled_1(
  p_lines integer[], p_since timestamptz[], p_slots uuid[], p_sessions uuid[], p_token uuid, p_now timestamptz, p_size integer
) RETURNS TABLE (
  o_session uuid, o_runs bytea, o_lines bytea, o_jobs bytea, o_attempts bytea, o_inputs bytea[], o_extras bytea[],
  o_deadlines timestamptz[], o_reached timestamptz, o_part integer, o_size integer
)
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
DECLARE
  live uuid[];
  slots uuid[] := p_slots;
  stretch CONSTANT bigint := p_size * cardinality(p_sessions);
  places tid[];
BEGIN
  -- Expiring a session waits for this lock, so no claim can slip in behind its reclaim.
  live := ARRAY(SELECT s.id FROM mainspring.sessions AS s WHERE s.id = ANY (p_sessions) AND s.state = 0 FOR KEY SHARE);
  IF cardinality(live) < cardinality(p_sessions) THEN
    slots := ARRAY(SELECT t.slot FROM unnest(p_slots) WITH ORDINALITY AS t(slot, turn) WHERE t.slot = ANY (live) ORDER BY t.turn);
  END IF;
  places := ARRAY(
    SELECT r.place
    FROM (
      SELECT p.priority, l.line, coalesce(l.since, '-infinity') AS since
      FROM generate_series(9, 0, -1) AS p(priority)
      CROSS JOIN unnest(p_lines, p_since) WITH ORDINALITY AS l(line, since, turn)
      ORDER BY p.priority DESC, l.turn
    ) AS head
    CROSS JOIN LATERAL (
      SELECT c.ctid AS place
      FROM mainspring.runs AS c
      WHERE c.state = 1 AND c.line = head.line AND c.priority = head.priority
        AND c.due_at >= head.since AND c.due_at <= p_now
        AND (c.deadline_at IS NULL OR c.deadline_at > p_now)
      ORDER BY c.due_at, c.id
      LIMIT cardinality(slots)
      FOR UPDATE SKIP LOCKED
    ) AS r
    LIMIT cardinality(slots)
  );
  -- Everything about a bundle is gathered in one pass over what was taken: all its columns are in the same order.
  RETURN QUERY
  WITH taken AS (
    DELETE FROM mainspring.runs AS r
    USING unnest(places) WITH ORDINALITY AS p(place, position)
    WHERE r.ctid = p.place
    RETURNING p.position, slots[p.position] AS session, r AS run, r.id, r.line, r.job, r.attempt, r.input, r.deadline_at,
      r.due_at, CASE WHEN r.extra NOT LIKE '{"by":%' THEN r.extra END AS extra
  ), packed AS MATERIALIZED (
    SELECT t.session, min(t.position)::integer AS part, count(*)::integer AS size, array_agg(t.id) AS ids,
      array_agg(t.run) AS held, string_agg(uuid_send(t.id), '') AS runs, string_agg(int4send(t.line), '') AS lines,
      string_agg(int4send(t.job), '') AS jobs, string_agg(int4send(t.attempt + 1), '') AS attempts, array_agg(t.input) AS inputs,
      CASE WHEN count(t.extra) > 0 THEN array_agg(t.extra) END AS extras,
      CASE WHEN count(t.deadline_at) > 0 THEN array_agg(t.deadline_at) END AS deadlines,
      max(t.due_at) FILTER (WHERE t.position = cardinality(slots)) AS reached
    FROM taken AS t
    GROUP BY t.session, (t.position - 1) / stretch
  ), bundled AS (
    INSERT INTO mainspring.bundles (token, part, session, size, claimed_at, ids, held)
    SELECT p_token, p.part, p.session, p.size, p_now, p.ids, p.held
    FROM packed AS p
  )
  SELECT p.session, p.runs, p.lines, p.jobs, p.attempts, p.inputs, p.extras, p.deadlines, p.reached, p.part, p.size
  FROM packed AS p
  ORDER BY p.session, p.part;
END $$;

-- Undo these bundles: their runs are rows again.
CREATE FUNCTION mainspring.unbundle_1(p_tokens uuid[], p_parts integer[]) RETURNS bigint
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  loose_count bigint;
BEGIN
  IF p_tokens IS NULL THEN
    RETURN 0;
  END IF;
  -- In one order for all, so that nobody waits for somebody who waits for him.
  PERFORM FROM mainspring.bundles AS b
  JOIN unnest(p_tokens, p_parts) AS t(token, part) ON t.token = b.token AND t.part = b.part
  ORDER BY b.token, b.part
  FOR UPDATE OF b;
  WITH undone AS (
    DELETE FROM mainspring.bundles AS b
    USING unnest(p_tokens, p_parts) AS t(token, part)
    WHERE b.token = t.token AND b.part = t.part
    RETURNING b.*
  )
  INSERT INTO mainspring.runs (
    id, due_at, created_at, claimed_at, line, job, attempt, priority, state, failures, losses, token, session, reason, key,
    input, deadline_at, extra, cancel_reason, first_started_at
  )
  SELECT
    h.id, h.due_at, h.created_at, u.claimed_at, h.line, h.job, h.attempt + 1, h.priority, 2, h.failures, h.losses, u.token,
    u.session, h.reason, h.key, h.input, h.deadline_at, h.extra, h.cancel_reason, h.first_started_at
  FROM undone AS u
  CROSS JOIN LATERAL unnest(u.held) AS h;
  GET DIAGNOSTICS loose_count = ROW_COUNT;
  RETURN loose_count;
END $$;

-- Undo the bundles under these tokens.
CREATE FUNCTION mainspring.unbundle_under_1(p_tokens uuid[]) RETURNS bigint
LANGUAGE plpgsql
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN (
    SELECT mainspring.unbundle_1(array_agg(b.token), array_agg(b.part))
    FROM mainspring.bundles AS b
    WHERE b.token = ANY (p_tokens)
  );
END $$;

-- Move the runs of whole bundles, those without an owner, into history; null, and nothing is done, if they are not so many as the
-- caller thinks.
CREATE FUNCTION mainspring.succeed_bundles_1(
  p_runs uuid[], p_owners uuid[], p_results bytea[], p_waits integer[], p_durations bigint[], p_now timestamptz, p_tokens uuid[],
  p_parts integer[], p_count bigint
) RETURNS bigint
LANGUAGE plpgsql
SET enable_nestloop = off
SET enable_mergejoin = off
SET enable_hashjoin = on
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  found_count bigint;
  moved_count bigint;
BEGIN
  SELECT sum(f.size) INTO found_count
  FROM (
    SELECT b.size
    FROM mainspring.bundles AS b
    JOIN unnest(p_tokens, p_parts) AS t(token, part) ON t.token = b.token AND t.part = b.part
    ORDER BY b.token, b.part
    FOR UPDATE OF b
  ) AS f;
  IF found_count IS DISTINCT FROM p_count THEN
    RETURN NULL;
  END IF;
  WITH opened AS (
    DELETE FROM mainspring.bundles AS b
    USING unnest(p_tokens, p_parts) AS t(token, part)
    WHERE b.token = t.token AND b.part = t.part
    RETURNING b.token, b.session, b.claimed_at, b.held
  )
  INSERT INTO mainspring.history (
    id, due_at, created_at, started_at, finished_at, duration, line, job, attempt, priority, state,
    failures, losses, token, session, deadline_at, key, extra, input, result
  )
  SELECT
    h.id, h.due_at, h.created_at, h.began_at + e.wait * interval '1 millisecond', p_now, e.duration, h.line, h.job,
    h.attempt + 1, h.priority, 3, h.failures, h.losses, h.owner, h.holder, h.deadline_at, h.key, h.extra, h.input, e.result
  FROM (
    SELECT r.*, o.token AS owner, o.session AS holder, o.claimed_at AS began_at
    FROM opened AS o
    CROSS JOIN LATERAL unnest(o.held) AS r
    OFFSET 0
  ) AS h
  JOIN (
    -- Not in FROM, where all of it would be written down first.
    SELECT t.id, t.result, t.wait, t.duration
    FROM (
      SELECT unnest(p_runs) AS id, unnest(p_owners) AS token, unnest(p_results) AS result, unnest(p_waits) AS wait,
        unnest(p_durations) AS duration
    ) AS t
    WHERE t.token IS NULL
  ) AS e ON e.id = h.id;
  GET DIAGNOSTICS moved_count = ROW_COUNT;
  IF moved_count <> p_count THEN
    RAISE EXCEPTION 'bundles of % runs had outcomes for %', p_count, moved_count;
  END IF;
  RETURN moved_count;
END $$;

-- Move succeeded runs to history, those with a token; what is not found may be in a bundle that somebody else has made.
CREATE OR REPLACE FUNCTION mainspring.succeed_2(
  p_runs uuid[], p_tokens uuid[], p_results bytea[], p_waits integer[], p_durations bigint[], p_now timestamptz
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
  wanted_count CONSTANT bigint := cardinality(array_remove(p_tokens, NULL));
  moved_count bigint;
  found_count bigint := 0;
BEGIN
  FOR look IN 1..2 LOOP
    WITH moved AS (
      DELETE FROM mainspring.runs AS r
      USING unnest(p_runs, p_tokens, p_results, p_waits, p_durations) AS e(id, token, result, wait, duration)
      WHERE e.token IS NOT NULL AND r.id = e.id AND r.token = e.token
      RETURNING r.*, e.result, e.wait, e.duration
    )
    INSERT INTO mainspring.history (
      id, due_at, created_at, started_at, finished_at, duration, line, job, attempt, priority, state,
      failures, losses, token, session, deadline_at, key, extra, input, result
    )
    SELECT
      m.id, m.due_at, m.created_at, m.claimed_at + m.wait * interval '1 millisecond', p_now, m.duration, m.line, m.job,
      m.attempt, m.priority, 3, m.failures, m.losses, m.token, m.session, m.deadline_at, m.key,
      m.extra, m.input, m.result
    FROM moved AS m;
    GET DIAGNOSTICS moved_count = ROW_COUNT;
    found_count := found_count + moved_count;
    EXIT WHEN found_count >= wanted_count OR look = 2;
    -- Look again even if there is nothing to undo: somebody else may have done it since the first look.
    PERFORM mainspring.unbundle_under_1(p_tokens);
  END LOOP;
  RETURN found_count;
END $$;

-- The same beside whole bundles, whose runs are those without a token; bundles that only some of the others are in are undone first.
CREATE FUNCTION mainspring.succeed_3(
  p_runs uuid[], p_tokens uuid[], p_results bytea[], p_waits integer[], p_durations bigint[], p_now timestamptz,
  p_whole uuid[], p_whole_parts integer[], p_count bigint, p_torn uuid[], p_torn_parts integer[]
) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
  bundled_count bigint := 0;
BEGIN
  IF cardinality(p_whole) > 0 AND cardinality(p_torn) > 0 THEN
    -- In one order for all, not the whole ones before the torn ones.
    PERFORM FROM mainspring.bundles AS b
    JOIN unnest(p_whole || p_torn, p_whole_parts || p_torn_parts) AS t(token, part) ON t.token = b.token AND t.part = b.part
    ORDER BY b.token, b.part
    FOR UPDATE OF b;
  END IF;
  IF cardinality(p_whole) > 0 THEN
    bundled_count := mainspring.succeed_bundles_1(
      p_runs, p_tokens, p_results, p_waits, p_durations, p_now, p_whole, p_whole_parts, p_count
    );
    IF bundled_count IS NULL THEN
      RETURN NULL;
    END IF;
  END IF;
  PERFORM mainspring.unbundle_1(p_torn, p_torn_parts) WHERE cardinality(p_torn) > 0;
  IF bundled_count < cardinality(p_runs) THEN
    bundled_count := bundled_count + mainspring.succeed_2(p_runs, p_tokens, p_results, p_waits, p_durations, p_now);
  END IF;
  RETURN bundled_count;
END $$;
