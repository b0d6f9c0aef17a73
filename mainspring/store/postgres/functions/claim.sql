-- Give each slot a due run, most urgent first; never the same run twice, and none that is past its deadline. Inputs that are kept
-- apart are empty here. Numbers and ids
-- come back as packed bytes. A look into a line may begin after runs that are known to be gone from it: while a transaction stays
-- open, the rows that claims have moved on cannot be cleaned up, and a look from the start would read all of them again.
CREATE OR REPLACE FUNCTION mainspring.claim_4(
  p_lines integer[], p_since timestamptz[], p_slots uuid[], p_sessions uuid[], p_token uuid, p_now timestamptz
)
RETURNS TABLE (
  o_session uuid, o_runs bytea, o_lines bytea, o_jobs bytea, o_attempts bytea, o_inputs bytea[], o_extras bytea[],
  o_deadlines timestamptz[], o_reached timestamptz
)
LANGUAGE plpgsql
-- plan: nested
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
    string_agg(int4send(c.attempt), ''),
    array_agg(c.input),
    CASE WHEN bool_or(c.extra IS NOT NULL) THEN array_agg(c.extra) END,
    CASE WHEN bool_or(c.deadline_at IS NOT NULL) THEN array_agg(c.deadline_at) END,
    max(c.due_at) FILTER (WHERE c.position = cardinality(slots))
  FROM (SELECT * FROM claimed ORDER BY claimed.session, claimed.position) AS c
  GROUP BY c.session;
END $$;

-- Give each slot a due run, as claim_4 does, and keep them in bundles, each of one session; one row for each bundle, column by
-- column. Slots that alternate between the sessions make bundles of the size that is asked for.
CREATE OR REPLACE FUNCTION mainspring.claim_bundled_1(
  p_lines integer[], p_since timestamptz[], p_slots uuid[], p_sessions uuid[], p_token uuid, p_now timestamptz, p_size integer
) RETURNS TABLE (
  o_session uuid, o_runs bytea, o_lines bytea, o_jobs bytea, o_attempts bytea, o_inputs bytea[], o_extras bytea[],
  o_deadlines timestamptz[], o_reached timestamptz, o_part integer, o_size integer
)
LANGUAGE plpgsql
-- plan: hashed, unsorted
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
      CROSS JOIN (
        -- Each line once, so that no place is found twice.
        SELECT u.line, min(u.since) AS since, min(u.turn) AS turn
        FROM unnest(p_lines, p_since) WITH ORDINALITY AS u(line, since, turn)
        GROUP BY u.line
      ) AS l
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
  -- Everything about a bundle is gathered in one pass over what was taken: all its columns are in the same order. The rows are
  -- deleted in the order of their places and put into that of the slots after: a scan for each place would cost a tenth more.
  RETURN QUERY
  WITH taken AS (
    DELETE FROM mainspring.runs AS r
    WHERE r.ctid = ANY (places)
    RETURNING r.ctid AS place, r AS run, r.id, r.line, r.job, r.attempt, r.input, r.deadline_at, r.due_at,
      CASE WHEN r.extra NOT LIKE '{"by":%' THEN r.extra END AS extra
  ), packed AS MATERIALIZED (
    SELECT t.session, min(t.position)::integer AS part, count(*)::integer AS size, array_agg(t.id) AS ids,
      array_agg(t.run) AS held, string_agg(uuid_send(t.id), '') AS runs, string_agg(int4send(t.line), '') AS lines,
      string_agg(int4send(t.job), '') AS jobs, string_agg(int4send(t.attempt + 1), '') AS attempts, array_agg(t.input) AS inputs,
      CASE WHEN count(t.extra) > 0 THEN array_agg(t.extra) END AS extras,
      CASE WHEN count(t.deadline_at) > 0 THEN array_agg(t.deadline_at) END AS deadlines,
      max(t.due_at) FILTER (WHERE t.position = cardinality(slots)) AS reached
    FROM (
      SELECT p.position, slots[p.position] AS session, k.*
      FROM taken AS k
      JOIN unnest(places) WITH ORDINALITY AS p(place, position) ON p.place = k.place
      ORDER BY p.position
    ) AS t
    GROUP BY t.session, (t.position - 1) / stretch
  ), bundled AS (
    INSERT INTO mainspring.bundles (token, part, session, size, claimed_at, ids, held)
    SELECT p_token, p.part, p.session, p.size, p_now, p.ids, p.held
    FROM packed AS p
  )
  SELECT p.session, p.runs, p.lines, p.jobs, p.attempts, p.inputs,
    p.extras, p.deadlines, p.reached, p.part, p.size
  FROM packed AS p
  ORDER BY p.session, p.part;
END $$;

-- Claim through gates: as many slots as every gate of these lines has room and tokens for. The last row has no session; its size
-- is the number of slots that were left, and its instant that of the next token if a rate leaves none. With a size of 0 nothing is
-- bundled. Claims that share a gate wait for each other's commit; attempts that end do not, they only leave a row in `exits`.
CREATE OR REPLACE FUNCTION mainspring.claim_gated_1(
  p_gates bigint[], p_lines integer[], p_since timestamptz[], p_slots uuid[], p_sessions uuid[], p_token uuid, p_now timestamptz,
  p_size integer
) RETURNS TABLE (
  o_session uuid, o_runs bytea, o_lines bytea, o_jobs bytea, o_attempts bytea, o_inputs bytea[], o_extras bytea[],
  o_deadlines timestamptz[], o_reached timestamptz, o_part integer, o_size integer
)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  room CONSTANT integer := mainspring.gate_room_1(p_gates, cardinality(p_slots), p_now);
  taken integer := 0;
BEGIN
  IF room > 0 AND p_size > 0 THEN
    FOR o_session, o_runs, o_lines, o_jobs, o_attempts, o_inputs, o_extras, o_deadlines, o_reached, o_part, o_size IN
      SELECT * FROM mainspring.claim_bundled_1(p_lines, p_since, p_slots[1:room], p_sessions, p_token, p_now, p_size)
    LOOP
      taken := taken + o_size;
      RETURN NEXT;
    END LOOP;
  ELSIF room > 0 THEN
    FOR o_session, o_runs, o_lines, o_jobs, o_attempts, o_inputs, o_extras, o_deadlines, o_reached IN
      SELECT * FROM mainspring.claim_4(p_lines, p_since, p_slots[1:room], p_sessions, p_token, p_now)
    LOOP
      o_size := octet_length(o_runs) / 16;
      taken := taken + o_size;
      RETURN NEXT;
    END LOOP;
  END IF;
  o_session := NULL;
  o_runs := NULL;
  o_size := room;
  o_reached := mainspring.pass_gates_1(p_gates, taken, p_now);
  RETURN NEXT;
END $$;
