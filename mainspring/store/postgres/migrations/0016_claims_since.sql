-- As before, but a look into a line may begin behind what is known to be gone from it. While somebody's transaction stays
-- open, the rows that claims have moved on cannot be cleaned up, and a look from the start would read all of them again.
CREATE FUNCTION mainspring.claim_4(
  p_lines integer[], p_since timestamptz[], p_slots uuid[], p_sessions uuid[], p_token uuid, p_now timestamptz
)
RETURNS TABLE (
  o_session uuid, o_runs bytea, o_lines bytea, o_jobs bytea, o_attempts bytea, o_inputs bytea[], o_extras bytea[],
  o_deadlines timestamptz[], o_reached timestamptz
)
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
  live uuid[];
  slots uuid[] := p_slots;
BEGIN
  -- Expiring a session waits for this lock, so no claim can slip in behind its reclaim.
  live := ARRAY(SELECT s.id FROM mainspring.sessions AS s WHERE s.id = ANY (p_sessions) AND s.state = 0 FOR KEY SHARE);
  IF cardinality(live) < cardinality(p_sessions) THEN
    slots := ARRAY(SELECT t.slot FROM unnest(p_slots) WITH ORDINALITY AS t(slot, turn) WHERE t.slot = ANY (live) ORDER BY t.turn);
  END IF;
  -- The locked row is found again by its place, which is cheaper than by its id. Should another transaction have
  -- moved it between this statement's snapshot and its lock, it stays queued for the next claim.
  RETURN QUERY
  WITH picked AS MATERIALIZED (
    SELECT q.place, row_number() OVER () AS position
    FROM (
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
    ) AS q
  ), claimed AS (
    UPDATE mainspring.runs AS r
    SET state = 2, attempt = r.attempt + 1, session = slots[picked.position], token = p_token, claimed_at = p_now
    FROM picked
    WHERE r.ctid = picked.place
    RETURNING r.session, picked.position, r.id, r.line, r.job, r.attempt, r.input, r.deadline_at, r.due_at,
      CASE WHEN r.extra NOT LIKE '{"by":%' THEN r.extra END AS extra
  )
  SELECT c.session, string_agg(uuid_send(c.id), ''), string_agg(int4send(c.line), ''), string_agg(int4send(c.job), ''),
    string_agg(int4send(c.attempt), ''), array_agg(c.input),
    CASE WHEN bool_or(c.extra IS NOT NULL) THEN array_agg(c.extra) END,
    CASE WHEN bool_or(c.deadline_at IS NOT NULL) THEN array_agg(c.deadline_at) END,
    max(c.due_at) FILTER (WHERE c.position = cardinality(slots))
  FROM (SELECT * FROM claimed ORDER BY claimed.session, claimed.position) AS c
  GROUP BY c.session;
END $$;
DROP FUNCTION mainspring.claim_3;

-- As before, but a key that was pruned between the insert and the look is nobody's any more: it is taken after all.
CREATE OR REPLACE FUNCTION mainspring.holder_of(p_namespace text, p_run mainspring.called_run, p_now timestamptz)
RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
  holder record;
BEGIN
  LOOP
    INSERT INTO mainspring.keys (namespace, key, run, digest, created_at)
    VALUES (p_namespace, p_run.key, p_run.id, p_run.digest, p_now)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
      RETURN p_run.id;
    END IF;
    SELECT k.run, k.digest INTO holder FROM mainspring.keys AS k
    WHERE k.namespace = p_namespace AND k.key = p_run.key;
    EXIT WHEN FOUND;
  END LOOP;
  IF holder.digest <> p_run.digest THEN
    RAISE EXCEPTION 'key ''%'': was used before with another job or input', p_run.key
      USING ERRCODE = 'MSKEY', DETAIL = json_build_object('kind', 'key', 'key', p_run.key);
  END IF;
  RETURN holder.run;
END $$;
