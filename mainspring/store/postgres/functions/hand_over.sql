-- Start the runs at these places for these slots, and keep them in bundles of about the given size that begin with the given part. One
-- row for each bundle. The rows are deleted in the order of their places and put into that of the slots after, as in claim_bundled_1.
CREATE OR REPLACE FUNCTION mainspring.bundle_laned_1(
  p_places tid[], p_slots uuid[], p_sessions integer, p_token uuid, p_now timestamptz, p_size integer, p_part integer,
  p_counted boolean
) RETURNS TABLE (
  o_session uuid, o_runs bytea, o_lines bytea, o_jobs bytea, o_attempts bytea, o_inputs bytea[], o_extras bytea[],
  o_deadlines timestamptz[], o_reached timestamptz, o_part integer, o_size integer
)
LANGUAGE plpgsql
-- plan: hashed, unsorted
AS $$
BEGIN
  RETURN QUERY
  WITH taken AS (
    DELETE FROM mainspring.runs AS r
    WHERE r.ctid = ANY (p_places)
    RETURNING r.ctid AS place, r AS run, r.id, r.line, r.job, r.attempt, r.input, r.deadline_at, r.lane,
      CASE WHEN r.extra NOT LIKE '{"by":%' THEN r.extra END AS extra
  ), packed AS MATERIALIZED (
    SELECT t.session, min(t.position)::integer + p_part AS part, count(*)::integer AS size, array_agg(t.id) AS ids,
      array_agg(t.run) AS held, CASE WHEN p_counted THEN array_agg(t.lane) END AS lanes, string_agg(uuid_send(t.id), '') AS runs,
      string_agg(int4send(t.line), '') AS lines, string_agg(int4send(t.job), '') AS jobs,
      string_agg(int4send(t.attempt + 1), '') AS attempts, array_agg(t.input) AS inputs,
      CASE WHEN count(t.extra) > 0 THEN array_agg(t.extra) END AS extras,
      CASE WHEN count(t.deadline_at) > 0 THEN array_agg(t.deadline_at) END AS deadlines
    FROM (
      SELECT p.position, p_slots[p.position] AS session, k.*
      FROM taken AS k
      JOIN unnest(p_places) WITH ORDINALITY AS p(place, position) ON p.place = k.place
      ORDER BY p.position
    ) AS t
    GROUP BY t.session, (t.position - 1) / (p_size * p_sessions)
  ), bundled AS (
    INSERT INTO mainspring.bundles (token, part, session, size, claimed_at, ids, held, lanes)
    SELECT p_token, p.part, p.session, p.size, p_now, p.ids, p.held, p.lanes FROM packed AS p
  )
  SELECT p.session, p.runs, p.lines, p.jobs, p.attempts, p.inputs,
    p.extras, p.deadlines, NULL::timestamptz, p.part, p.size
  FROM packed AS p
  ORDER BY p.session, p.part;
END $$;

-- Start the runs at these places for these slots, as running rows. One row for each session.
CREATE OR REPLACE FUNCTION mainspring.start_laned_2(p_places tid[], p_slots uuid[], p_token uuid, p_now timestamptz) RETURNS TABLE (
  o_session uuid, o_runs bytea, o_lines bytea, o_jobs bytea, o_attempts bytea, o_inputs bytea[], o_extras bytea[],
  o_deadlines timestamptz[], o_reached timestamptz, o_part integer, o_size integer
)
LANGUAGE plpgsql
-- plan: nested, unsorted
AS $$
BEGIN
  RETURN QUERY
  WITH claimed AS (
    UPDATE mainspring.runs AS r
    SET state = 2, reason = nullif(r.reason, 'limit'), attempt = r.attempt + 1, session = p_slots[p.position], token = p_token, claimed_at = p_now
    FROM unnest(p_places) WITH ORDINALITY AS p(place, position)
    WHERE r.ctid = p.place
    RETURNING r.session, p.position, r.id, r.line, r.job, r.attempt, r.input, r.deadline_at,
      CASE WHEN r.extra NOT LIKE '{"by":%' THEN r.extra END AS extra
  )
  SELECT c.session, string_agg(uuid_send(c.id), ''), string_agg(int4send(c.line), ''), string_agg(int4send(c.job), ''),
    string_agg(int4send(c.attempt), ''),
    array_agg(c.input),
    CASE WHEN bool_or(c.extra IS NOT NULL) THEN array_agg(c.extra) END,
    CASE WHEN bool_or(c.deadline_at IS NOT NULL) THEN array_agg(c.deadline_at) END,
    NULL::timestamptz, NULL::integer, count(*)::integer
  FROM (SELECT * FROM claimed ORDER BY claimed.session, claimed.position) AS c
  GROUP BY c.session;
END $$;

-- Have the lanes looked at whose attempts are kept in these bundles: they end now.
CREATE OR REPLACE FUNCTION mainspring.turn_bundles_1(p_tokens uuid[], p_parts integer[], p_now timestamptz) RETURNS void
LANGUAGE plpgsql
-- plan: nested
AS $$
BEGIN
  INSERT INTO mainspring.turns (line, priority, turn, lane)
  SELECT m.line, max(m.priority), coalesce(
      nullif((SELECT l.pass FROM mainspring.lanes AS l WHERE l.id = m.lane), 0),
      floor(extract(epoch FROM p_now) * 1000000)::bigint
    ), m.lane
  FROM unnest(p_tokens, p_parts) AS t(token, part)
  JOIN mainspring.bundles AS b ON b.token = t.token AND b.part = t.part
  CROSS JOIN LATERAL unnest(b.held) AS m
  WHERE b.lanes IS NOT NULL
  GROUP BY m.line, m.lane
  ORDER BY m.lane;
END $$;

-- Let lanes rest that have room and in which nothing waits; the others get a turn. Runs enter a lane while they hold it, so once it is
-- locked here none that waits is overlooked: those of transactions before are seen, those after bring a turn of their own. A lane
-- that another transaction holds is looked at by the next claim.
CREATE OR REPLACE FUNCTION mainspring.rest_lanes_1(p_lanes bigint[], p_line integer, p_now timestamptz) RETURNS void
LANGUAGE plpgsql
-- plan: nested
AS $$
DECLARE
  instant CONSTANT bigint := floor(extract(epoch FROM p_now) * 1000000);
  locked CONSTANT bigint[] := ARRAY(
    SELECT l.id FROM mainspring.lanes AS l WHERE l.id = ANY (p_lanes) ORDER BY l.id FOR UPDATE SKIP LOCKED
  );
BEGIN
  INSERT INTO mainspring.turns (line, priority, turn, lane)
  SELECT n.line, n.priority, instant, w.lane
  FROM unnest(locked) AS w(lane)
  CROSS JOIN LATERAL (
    SELECT r.line, r.priority FROM mainspring.runs AS r
    WHERE r.state = 0 AND r.reason = 'limit' AND r.lane = w.lane
    ORDER BY r.priority DESC, r.due_at, r.id
    LIMIT 1
  ) AS n;
  IF cardinality(locked) < cardinality(p_lanes) THEN
    INSERT INTO mainspring.turns (line, priority, turn, lane)
    SELECT p_line, 5, instant, w.lane
    FROM unnest(p_lanes, mainspring.occurrences_1(p_lanes, locked)) AS w(lane, mine)
    WHERE w.mine = 0;
  END IF;
END $$;

-- Move the runs of whole bundles into history, and start as many runs that wait in the same lanes, for the same sessions and in the
-- same commit: a lane has as many attempts under way as before, so nothing is counted and no lane is locked but those with too few
-- runs. Rows of bundles come first; the last has no session, and the number of runs that were moved, which is null, and nothing is
-- done, if they are not as many as the caller thinks.
CREATE OR REPLACE FUNCTION mainspring.hand_over_1(
  p_runs uuid[], p_results bytea[], p_waits integer[], p_durations bigint[], p_now timestamptz, p_tokens uuid[], p_parts integer[],
  p_count bigint, p_lines integer[], p_sessions uuid[], p_token uuid, p_size integer
) RETURNS TABLE (
  o_session uuid, o_runs bytea, o_lines bytea, o_jobs bytea, o_attempts bytea, o_inputs bytea[], o_extras bytea[],
  o_deadlines timestamptz[], o_reached timestamptz, o_part integer, o_size integer
)
LANGUAGE plpgsql
-- plan: nested
AS $$
DECLARE
  live integer;
  lanes bigint[];
  counts integer[];
  seats uuid[];
  places tid[];
  owners bigint[] := '{}';
BEGIN
  -- Expiring a session waits for this lock, so no claim can slip in after its reclaim.
  SELECT count(*) INTO live FROM (
    SELECT FROM mainspring.sessions AS s WHERE s.id = ANY (p_sessions) AND s.state = 0 FOR KEY SHARE
  ) AS s;
  PERFORM FROM mainspring.bundles AS b
  JOIN unnest(p_tokens, p_parts) AS t(token, part) ON t.token = b.token AND t.part = b.part
  ORDER BY b.token, b.part
  FOR UPDATE OF b;
  SELECT array_agg(e.lane), array_agg(e.n) INTO lanes, counts
  FROM (
    SELECT i.lane, count(*)::integer AS n
    FROM unnest(p_tokens, p_parts) AS t(token, part)
    JOIN mainspring.bundles AS b ON b.token = t.token AND b.part = t.part
    CROSS JOIN LATERAL unnest(b.lanes) AS i(lane)
    GROUP BY i.lane
    ORDER BY i.lane
  ) AS e;
  -- One for each attempt that ends; they alternate between the sessions, so that bundles have the size that is asked for.
  seats := CASE WHEN cardinality(p_sessions) = 1 THEN array_fill(p_sessions[1], ARRAY[p_count::integer]) ELSE ARRAY(
    SELECT h.session
    FROM (
      SELECT b.session, row_number() OVER (PARTITION BY b.session) AS number
      FROM unnest(p_tokens, p_parts) AS t(token, part)
      JOIN mainspring.bundles AS b ON b.token = t.token AND b.part = t.part
      CROSS JOIN LATERAL generate_series(1, b.size) AS g
      WHERE b.lanes IS NOT NULL
    ) AS h
    ORDER BY h.number
  ) END;
  o_size := mainspring.succeed_bundles_2(
    p_runs, array_fill(NULL::uuid, ARRAY[cardinality(p_runs)]), p_results, p_waits, p_durations, p_now, p_tokens, p_parts, '{}', '{}',
    p_count, 0
  );
  IF o_size IS NOT NULL AND lanes IS NOT NULL THEN
    IF live = cardinality(p_sessions) THEN
      -- In the order in which they fell due, which mostly is that of their ids: history is cheaper to write in that order.
      SELECT coalesce(array_agg(q.place), '{}'), coalesce(array_agg(q.lane), '{}') INTO places, owners
      FROM (
        SELECT r.place, w.lane
        FROM unnest(lanes, counts) AS w(lane, n)
        CROSS JOIN LATERAL (
          SELECT c.ctid AS place, c.priority, c.due_at, c.id
          FROM mainspring.runs AS c
          WHERE c.state = 0 AND c.reason = 'limit' AND c.lane = w.lane AND c.line = ANY (p_lines)
            AND (c.deadline_at IS NULL OR c.deadline_at > p_now)
          ORDER BY c.priority DESC, c.due_at, c.id
          LIMIT w.n
          FOR UPDATE SKIP LOCKED
        ) AS r
        ORDER BY r.priority DESC, r.due_at, r.id
      ) AS q;
      IF cardinality(places) > 0 THEN
        RETURN QUERY SELECT s.* FROM mainspring.bundle_laned_1(places, seats, live, p_token, p_now, p_size, 0, true) AS s;
      END IF;
    END IF;
    IF cardinality(owners) < cardinality(seats) THEN
      PERFORM mainspring.rest_lanes_1(
        ARRAY(
          SELECT w.lane FROM unnest(lanes, counts, mainspring.occurrences_1(lanes, owners)) AS w(lane, n, took)
          WHERE w.took < w.n
        ), p_lines[1], p_now
      );
    END IF;
  END IF;
  o_session := NULL;
  o_runs := NULL;
  o_part := NULL;
  RETURN NEXT;
END $$;

-- Move succeeded runs to history, and claim from lanes in the same commit, by turns: the lanes whose attempts ended are among those
-- that are looked at. The last row has no session, and as its size the number of runs that were moved.
CREATE OR REPLACE FUNCTION mainspring.succeed_and_claim_1(
  p_runs uuid[], p_tokens uuid[], p_results bytea[], p_waits integer[], p_durations bigint[], p_gates bigint[], p_rule bigint,
  p_fair boolean, p_lines integer[], p_slots uuid[], p_sessions uuid[], p_token uuid, p_now timestamptz, p_size integer
) RETURNS TABLE (
  o_session uuid, o_runs bytea, o_lines bytea, o_jobs bytea, o_attempts bytea, o_inputs bytea[], o_extras bytea[],
  o_deadlines timestamptz[], o_reached timestamptz, o_part integer, o_size integer, o_room integer, o_again boolean
)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  moved integer;
BEGIN
  -- Sessions are locked before runs, as everywhere.
  PERFORM FROM mainspring.sessions AS s WHERE s.id = ANY (p_sessions) AND s.state = 0 FOR KEY SHARE;
  moved := mainspring.succeed_2(p_runs, p_tokens, p_results, p_waits, p_durations, p_now);
  FOR o_session, o_runs, o_lines, o_jobs, o_attempts, o_inputs, o_extras, o_deadlines, o_reached, o_part, o_size, o_room, o_again IN
    -- An outcome that came before has freed no slot now.
    SELECT * FROM mainspring.claim_lanes_2(
      p_gates, p_rule, p_fair, p_lines, CASE WHEN moved = cardinality(p_runs) THEN p_slots ELSE '{}' END, p_sessions, p_token, p_now,
      p_size
    )
  LOOP
    IF o_session IS NULL THEN
      o_size := moved;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;
