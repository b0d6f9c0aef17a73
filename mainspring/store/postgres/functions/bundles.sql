-- Move succeeded runs to history as succeed_2 does, beside those without a token, which are in bundles. Of the first bundles all runs
-- have succeeded, of the torn ones some, and the others stay in them; the last are undone first. Null, and nothing is done, if the
-- bundles are not what the caller thinks.
CREATE OR REPLACE FUNCTION mainspring.succeed_4(
  p_runs uuid[], p_tokens uuid[], p_results bytea[], p_waits integer[], p_durations bigint[], p_now timestamptz,
  p_whole uuid[], p_whole_parts integer[], p_torn uuid[], p_torn_parts integer[], p_count bigint, p_left bigint,
  p_undone uuid[], p_undone_parts integer[]
) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
  opened CONSTANT uuid[] := p_whole || p_torn;
  parts CONSTANT integer[] := p_whole_parts || p_torn_parts;
  bundled_count bigint := 0;
BEGIN
  IF cardinality(opened) > 0 AND cardinality(p_undone) > 0 THEN
    -- In one order for all, not some kinds before the others.
    PERFORM FROM mainspring.bundles AS b
    JOIN unnest(opened || p_undone, parts || p_undone_parts) AS t(token, part) ON t.token = b.token AND t.part = b.part
    ORDER BY b.token, b.part
    FOR UPDATE OF b;
  END IF;
  IF cardinality(opened) > 0 THEN
    PERFORM mainspring.turn_bundles_1(opened, parts, p_now) WHERE EXISTS (SELECT FROM mainspring.lanes);
    bundled_count := mainspring.succeed_bundles_2(
      p_runs, p_tokens, p_results, p_waits, p_durations, p_now, p_whole, p_whole_parts, p_torn, p_torn_parts, p_count, p_left
    );
    IF bundled_count IS NULL THEN
      RETURN NULL;
    END IF;
  END IF;
  PERFORM mainspring.unbundle_1(p_undone, p_undone_parts) WHERE cardinality(p_undone) > 0;
  IF bundled_count < cardinality(p_runs) THEN
    bundled_count := bundled_count + mainspring.succeed_2(p_runs, p_tokens, p_results, p_waits, p_durations, p_now);
  END IF;
  RETURN bundled_count;
END $$;

-- Move runs of bundles, those without an owner, into history: all runs of the first bundles, some of the torn ones, in which so many
-- are left. Null, and nothing is done, if there are not as many as the caller thinks.
CREATE OR REPLACE FUNCTION mainspring.succeed_bundles_2(
  p_runs uuid[], p_owners uuid[], p_results bytea[], p_waits integer[], p_durations bigint[], p_now timestamptz, p_tokens uuid[],
  p_parts integer[], p_torn uuid[], p_torn_parts integer[], p_count bigint, p_left bigint
) RETURNS bigint
LANGUAGE plpgsql
-- plan: hashed
AS $$
DECLARE
  forgetful CONSTANT integer[] := ARRAY(SELECT j.id FROM mainspring.jobs AS j WHERE j.forgets > 0);
  gated CONSTANT boolean := EXISTS (SELECT FROM mainspring.gates);
  found_count bigint;
  moved_count bigint;
BEGIN
  SELECT sum(f.size) INTO found_count
  FROM (
    SELECT b.size
    FROM mainspring.bundles AS b
    JOIN unnest(p_tokens || p_torn, p_parts || p_torn_parts) AS t(token, part) ON t.token = b.token AND t.part = b.part
    ORDER BY b.token, b.part
    FOR UPDATE OF b
  ) AS f;
  IF found_count IS DISTINCT FROM p_count + p_left THEN
    RETURN NULL;
  END IF;
  WITH emptied AS (
    DELETE FROM mainspring.bundles AS b
    USING unnest(p_tokens, p_parts) AS t(token, part)
    WHERE b.token = t.token AND b.part = t.part
    RETURNING b.token, b.part, b.session, b.claimed_at, b.held
  ), opened AS (
    SELECT * FROM emptied
    UNION ALL
    SELECT b.token, b.part, b.session, b.claimed_at, b.held
    FROM mainspring.bundles AS b
    JOIN unnest(p_torn, p_torn_parts) AS t(token, part) ON t.token = b.token AND t.part = b.part
  ), noted AS (
    INSERT INTO mainspring.forgotten (runs)
    SELECT array_agg(m.id)
    FROM opened AS o CROSS JOIN LATERAL unnest(o.held) AS m
    WHERE cardinality(forgetful) > 0 AND m.input = '' AND m.job = ANY (forgetful) AND coalesce(m.extra, '') NOT LIKE '{"workflow"%'
      AND (p_left = 0 OR m.id IN (SELECT unnest(p_runs)))
    HAVING count(*) > 0
  ), freed AS (
    INSERT INTO mainspring.exits (gate, ended)
    SELECT g.gate, sum(c.ended)
    FROM (
      SELECT m.line, count(*) AS ended
      FROM opened AS o CROSS JOIN LATERAL unnest(o.held) AS m
      WHERE gated AND (p_left = 0 OR m.id IN (SELECT unnest(p_runs)))
      GROUP BY m.line
    ) AS c
    JOIN mainspring.gate_lines AS g ON g.line = c.line
    GROUP BY g.gate
  )
  INSERT INTO mainspring.history (
    {kept}, input, started_at, finished_at, duration, attempt, state, failures, losses, token, session, result
  )
  SELECT
    {h.kept}, CASE WHEN h.forgotten THEN '\x00' ELSE h.input END, h.began_at + e.wait * interval '1 millisecond', p_now, e.duration, h.attempt + 1, 3, h.failures, h.losses,
    h.owner, h.holder, CASE WHEN NOT h.forgotten THEN e.result END
  FROM (
    SELECT r.*, o.token AS owner, o.session AS holder, o.claimed_at AS began_at,
      r.job = ANY (forgetful) AND coalesce(r.extra, '') NOT LIKE '{"workflow"%' AS forgotten
    -- In the order of their claims, which mostly is that of their ids: so the indexes of history grow at their right end, without
    -- a search for the page and without splitting others. In any other order a settlement costs a fifth more.
    FROM (SELECT p.* FROM opened AS p ORDER BY p.claimed_at, p.token, p.part) AS o
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
  PERFORM mainspring.keep_rest_1(p_torn, p_torn_parts, p_runs) WHERE p_left > 0;
  RETURN moved_count;
END $$;

-- Leave in these bundles, which the caller has locked, only what is not among these runs; a bundle of which nothing is left is gone.
CREATE OR REPLACE FUNCTION mainspring.keep_rest_1(p_tokens uuid[], p_parts integer[], p_runs uuid[]) RETURNS void
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  WITH rest AS (
    SELECT b.token, b.part, count(*)::integer AS size, array_agg(h.id) AS ids, array_agg(h) AS held, array_agg(h.lane) AS lanes
    FROM mainspring.bundles AS b
    JOIN unnest(p_tokens, p_parts) AS t(token, part) ON t.token = b.token AND t.part = b.part
    CROSS JOIN LATERAL unnest(b.held) AS h
    WHERE (h.id IN (SELECT unnest(p_runs))) IS NOT TRUE
    GROUP BY b.token, b.part
  ), kept AS (
    UPDATE mainspring.bundles AS b
    SET size = r.size, ids = r.ids, held = r.held, lanes = CASE WHEN b.lanes IS NOT NULL THEN r.lanes END
    FROM rest AS r
    WHERE b.token = r.token AND b.part = r.part
  )
  DELETE FROM mainspring.bundles AS b
  USING unnest(p_tokens, p_parts) AS t(token, part)
  WHERE b.token = t.token AND b.part = t.part
    AND NOT EXISTS (SELECT FROM rest AS r WHERE r.token = b.token AND r.part = b.part);
END $$;

-- Take these runs, or all if they are null, out of these bundles: they are rows again, as if they had been claimed one by one.
CREATE OR REPLACE FUNCTION mainspring.undo_bundles_2(p_tokens uuid[], p_parts integer[], p_runs uuid[]) RETURNS bigint
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
  INSERT INTO mainspring.runs (
    {kept}, input, claimed_at, attempt, state, failures, losses, token, session, reason, cancel_reason, first_started_at, lane
  )
  SELECT
    {h.kept}, h.input, b.claimed_at, h.attempt + 1, 2, h.failures, h.losses, b.token, b.session, nullif(h.reason, 'limit'),
    h.cancel_reason, h.first_started_at, h.lane
  FROM mainspring.bundles AS b
  JOIN unnest(p_tokens, p_parts) AS t(token, part) ON t.token = b.token AND t.part = b.part
  CROSS JOIN LATERAL unnest(b.held) AS h
  WHERE p_runs IS NULL OR h.id IN (SELECT unnest(p_runs));
  GET DIAGNOSTICS loose_count = ROW_COUNT;
  IF p_runs IS NULL THEN
    DELETE FROM mainspring.bundles AS b
    USING unnest(p_tokens, p_parts) AS t(token, part)
    WHERE b.token = t.token AND b.part = t.part;
  ELSE
    PERFORM mainspring.keep_rest_1(p_tokens, p_parts, p_runs);
  END IF;
  RETURN loose_count;
END $$;

-- Undo these bundles, each that can be undone: one whose runs cannot be written back stays, and keeps no other one.
CREATE OR REPLACE FUNCTION mainspring.unbundle_1(p_tokens uuid[], p_parts integer[]) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
  undone_count bigint := 0;
BEGIN
  RETURN mainspring.undo_bundles_2(p_tokens, p_parts, NULL);
EXCEPTION WHEN data_exception OR integrity_constraint_violation THEN
  FOR place IN 1 .. cardinality(p_tokens) LOOP
    BEGIN
      undone_count := undone_count + mainspring.undo_bundles_2(p_tokens[place : place], p_parts[place : place], NULL);
    EXCEPTION WHEN data_exception OR integrity_constraint_violation THEN
      CONTINUE;
    END;
  END LOOP;
  RETURN undone_count;
END $$;

-- Undo the bundles under these tokens.
CREATE OR REPLACE FUNCTION mainspring.unbundle_under_1(p_tokens uuid[]) RETURNS bigint
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
