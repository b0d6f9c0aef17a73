-- A run whose attempt is to be cancelled shows the reason `cancelling`; what whoever asked for it said is kept beside.
ALTER TABLE mainspring.runs ADD COLUMN cancel_reason text;
CREATE INDEX runs_cancelling ON mainspring.runs (session) WHERE state = 2 AND reason = 'cancelling';

-- Whoever follows a log asks for what comes behind a position: with numbers set aside for each connection, a later line
-- could stand before an earlier one.
ALTER SEQUENCE mainspring.log_positions CACHE 1;

-- As before, but what is past its deadline is not given out: it waits for whoever fails it.
CREATE FUNCTION mainspring.claim_3(p_lines integer[], p_slots uuid[], p_sessions uuid[], p_token uuid, p_now timestamptz)
RETURNS TABLE (
  o_session uuid, o_runs bytea, o_lines bytea, o_jobs bytea, o_attempts bytea, o_inputs bytea[], o_extras bytea[],
  o_deadlines timestamptz[]
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
        SELECT p.priority, l.line
        FROM generate_series(9, 0, -1) AS p(priority)
        CROSS JOIN unnest(p_lines) WITH ORDINALITY AS l(line, turn)
        ORDER BY p.priority DESC, l.turn
      ) AS head
      CROSS JOIN LATERAL (
        SELECT c.ctid AS place
        FROM mainspring.runs AS c
        WHERE c.state = 1 AND c.line = head.line AND c.priority = head.priority AND c.due_at <= p_now
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
    RETURNING r.session, picked.position, r.id, r.line, r.job, r.attempt, r.input, r.deadline_at,
      CASE WHEN r.extra NOT LIKE '{"by":%' THEN r.extra END AS extra
  )
  SELECT c.session, string_agg(uuid_send(c.id), ''), string_agg(int4send(c.line), ''), string_agg(int4send(c.job), ''),
    string_agg(int4send(c.attempt), ''), array_agg(c.input),
    CASE WHEN bool_or(c.extra IS NOT NULL) THEN array_agg(c.extra) END,
    CASE WHEN bool_or(c.deadline_at IS NOT NULL) THEN array_agg(c.deadline_at) END
  FROM (SELECT * FROM claimed ORDER BY claimed.session, claimed.position) AS c
  GROUP BY c.session;
END $$;
DROP FUNCTION mainspring.claim_2;
