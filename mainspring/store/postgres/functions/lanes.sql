-- Lock gates in the order of their ids, take off what has ended since, and say how many more runs all of them let start.
CREATE OR REPLACE FUNCTION mainspring.gate_room_1(p_gates bigint[], p_wanted integer, p_now timestamptz) RETURNS integer
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  instant CONSTANT bigint := floor(extract(epoch FROM p_now) * 1000000);
  room bigint;
  found_count bigint;
BEGIN
  PERFORM FROM mainspring.gates AS g WHERE g.id = ANY (p_gates) ORDER BY g.id FOR NO KEY UPDATE;
  -- Seen only now, by a snapshot taken after the locks.
  WITH gone AS (
    DELETE FROM mainspring.exits AS e WHERE e.gate = ANY (p_gates) RETURNING e.gate, e.ended
  )
  UPDATE mainspring.gates AS g SET held = g.held - x.ended
  FROM (SELECT o.gate, sum(o.ended) AS ended FROM gone AS o GROUP BY o.gate) AS x
  WHERE g.id = x.gate;
  SELECT
    count(*), min(least(g.at_once - g.held, g.burst - greatest(0, ceil((g.full_at - instant)::numeric / g.gap)), 1000000))
  INTO found_count, room
  FROM mainspring.gates AS g
  WHERE g.id = ANY (p_gates);
  -- A gate that is not there yet lets nothing pass.
  RETURN CASE WHEN found_count < cardinality(p_gates) THEN 0 ELSE greatest(least(room, p_wanted), 0) END;
END $$;

-- Count runs that were started through locked gates, and say when their rates let the next one start.
CREATE OR REPLACE FUNCTION mainspring.pass_gates_1(p_gates bigint[], p_taken integer, p_now timestamptz) RETURNS timestamptz
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  instant CONSTANT bigint := floor(extract(epoch FROM p_now) * 1000000);
  opens bigint;
BEGIN
  UPDATE mainspring.gates AS g
  SET held = g.held + p_taken, full_at = greatest(g.full_at, instant) + p_taken * coalesce(g.gap, 0)
  WHERE g.id = ANY (p_gates) AND p_taken > 0;
  SELECT max(g.full_at - (g.burst - 1) * g.gap) INTO opens FROM mainspring.gates AS g WHERE g.id = ANY (p_gates);
  RETURN CASE WHEN opens > instant THEN to_timestamp(opens / 1000000.0) END;
END $$;

-- Claim from lanes, in the order of their turns: from each as many runs as its limit and its rate leave, or as its share is. A lane is
-- locked while its attempts are counted; one that another claim has locked is left to it, and `o_again` says so. Rows of sessions come
-- first; the last row has none: how many slots the gates left, and when a gate or a lane lets the next run start.
CREATE OR REPLACE FUNCTION mainspring.claim_lanes_1(
  p_gates bigint[], p_rule bigint, p_fair boolean, p_lines integer[], p_slots uuid[], p_sessions uuid[], p_token uuid,
  p_now timestamptz
) RETURNS TABLE (
  o_session uuid, o_runs bytea, o_lines bytea, o_jobs bytea, o_attempts bytea, o_inputs bytea[], o_extras bytea[],
  o_deadlines timestamptz[], o_reached timestamptz, o_room integer, o_again boolean
)
LANGUAGE plpgsql
-- plan: nested
AS $$
DECLARE
  instant CONSTANT bigint := floor(extract(epoch FROM p_now) * 1000000);
  live uuid[];
  slots uuid[] := p_slots;
  rule mainspring.gates;
  taken integer := 0;
  wanted integer;
  looks integer;
  lanes bigint[];
  lines integer[];
  begins bigint[];
  levels smallint[];
  locked bigint[];
  free integer[];
  rooms integer[];
  limited boolean[];
  places tid[];
  owners bigint[];
  opens timestamptz;
  later bigint;
BEGIN
  -- Expiring a session waits for this lock, so no claim can slip in after its reclaim.
  live := ARRAY(SELECT s.id FROM mainspring.sessions AS s WHERE s.id = ANY (p_sessions) AND s.state = 0 FOR KEY SHARE);
  IF cardinality(live) < cardinality(p_sessions) THEN
    slots := ARRAY(SELECT t.slot FROM unnest(p_slots) WITH ORDINALITY AS t(slot, turn) WHERE t.slot = ANY (live) ORDER BY t.turn);
  END IF;
  o_room := cardinality(slots);
  IF cardinality(p_gates) > 0 THEN
    o_room := mainspring.gate_room_1(p_gates, cardinality(slots), p_now);
    slots := slots[1:o_room];
  END IF;
  o_again := false;
  SELECT g.* INTO rule FROM mainspring.gates AS g WHERE g.id = p_rule;
  IF NOT FOUND THEN
    slots := '{}';
  END IF;
  UPDATE mainspring.turns AS t SET priority = 5 WHERE t.line = ANY (p_lines) AND t.priority = -1 AND t.turn <= instant;
  FOR look IN 1..4 LOOP
    wanted := cardinality(slots) - taken;
    EXIT WHEN wanted <= 0;
    -- Where keys take turns by weight, each is worth a few runs.
    looks := CASE WHEN p_fair THEN (wanted + 3) / 4 ELSE wanted END;
    WITH picked AS MATERIALIZED (
      SELECT r.place
      FROM (
        SELECT p.priority, l.line
        FROM generate_series(9, 0, -1) AS p(priority)
        CROSS JOIN unnest(p_lines) WITH ORDINALITY AS l(line, turn)
        ORDER BY p.priority DESC, l.turn
      ) AS head
      CROSS JOIN LATERAL (
        SELECT c.ctid AS place
        FROM mainspring.turns AS c
        WHERE c.line = head.line AND c.priority = head.priority
        ORDER BY c.turn, c.lane
        LIMIT looks
        FOR UPDATE SKIP LOCKED
      ) AS r
      LIMIT looks
    ), gone AS (
      DELETE FROM mainspring.turns AS t USING picked AS p WHERE t.ctid = p.place RETURNING t.line, t.lane, t.turn, t.priority
    )
    SELECT array_agg(g.lane), array_agg(g.line), array_agg(g.turn), array_agg(g.priority) INTO lanes, lines, begins, levels
    FROM (
      SELECT o.lane, min(o.line) AS line, min(o.turn) AS turn, max(o.priority) AS priority
      FROM gone AS o GROUP BY o.lane ORDER BY max(o.priority) DESC, min(o.turn)
    ) AS g;
    EXIT WHEN lanes IS NULL;
    locked := ARRAY(
      SELECT l.id FROM mainspring.lanes AS l WHERE l.id = ANY (lanes) ORDER BY l.id FOR NO KEY UPDATE SKIP LOCKED
    );
    IF cardinality(locked) < cardinality(lanes) THEN
      o_again := true;
      INSERT INTO mainspring.turns (line, priority, turn, lane)
      SELECT w.line, w.priority, w.turn, w.lane
      FROM unnest(lanes, lines, begins, levels) AS w(lane, line, turn, priority)
      WHERE w.lane <> ALL (locked);
    END IF;
    IF p_fair THEN
      -- A lane has one turn, however often runs were put into it. The runs of those that go are seen below.
      DELETE FROM mainspring.turns AS t
      WHERE t.ctid = ANY (ARRAY(
        SELECT c.ctid FROM mainspring.turns AS c WHERE c.lane = ANY (locked) AND c.line = ANY (p_lines) FOR UPDATE SKIP LOCKED
      ));
    END IF;
    -- By a snapshot taken after the locks: what is under way, and so what each lane has room for.
    SELECT array_agg(f.lane), array_agg(f.line), array_agg(f.turn), array_agg(f.priority), array_agg(f.open),
      array_agg(greatest(least(f.open, f.tokens, f.share), 0)), array_agg(coalesce(f.tokens < coalesce(f.open, f.tokens + 1), false))
    INTO lanes, lines, begins, levels, free, rooms, limited
    FROM (
      SELECT w.lane, w.line, w.turn, w.priority,
        coalesce(l.at_once, rule.at_once) - (
          SELECT count(*) FROM mainspring.runs AS h WHERE h.state = 2 AND h.lane = w.lane
        )::integer AS open,
        rule.burst - greatest(0, ceil((l.full_at - instant)::numeric / rule.gap))::integer AS tokens,
        CASE WHEN p_fair THEN greatest(1, ceil(wanted * l.weight / sum(l.weight) OVER ()))::integer ELSE wanted END AS share
      FROM unnest(lanes, lines, begins, levels) WITH ORDINALITY AS w(lane, line, turn, priority, position)
      JOIN mainspring.lanes AS l ON l.id = w.lane
      WHERE w.lane = ANY (locked)
      ORDER BY w.position
    ) AS f;
    CONTINUE WHEN lanes IS NULL;
    SELECT coalesce(array_agg(q.place), '{}'), coalesce(array_agg(q.lane), '{}') INTO places, owners
    FROM (
      SELECT r.place, w.lane
      FROM unnest(lanes, rooms) AS w(lane, room)
      CROSS JOIN LATERAL (
        SELECT c.ctid AS place
        FROM mainspring.runs AS c
        WHERE c.state = 0 AND c.reason = 'limit' AND c.lane = w.lane AND c.line = ANY (p_lines)
          AND (c.deadline_at IS NULL OR c.deadline_at > p_now)
        ORDER BY c.priority DESC, c.due_at, c.id
        LIMIT w.room
        FOR UPDATE SKIP LOCKED
      ) AS r
      LIMIT wanted
    ) AS q;
    RETURN QUERY
    WITH claimed AS (
      UPDATE mainspring.runs AS r
      SET state = 2, reason = NULL, attempt = r.attempt + 1, session = slots[taken + p.position], token = p_token,
          claimed_at = p_now
      FROM unnest(places) WITH ORDINALITY AS p(place, position)
      WHERE r.ctid = p.place
      RETURNING r.session, p.position, r.id, r.line, r.job, r.attempt, r.input, r.deadline_at,
        CASE WHEN r.extra NOT LIKE '{"by":%' THEN r.extra END AS extra
    )
    SELECT c.session, string_agg(uuid_send(c.id), ''), string_agg(int4send(c.line), ''), string_agg(int4send(c.job), ''),
      string_agg(int4send(c.attempt), ''),
      CASE WHEN '' = ANY (array_agg(c.input))
        THEN mainspring.inputs_1(string_agg(uuid_send(c.id), ''), array_agg(c.input)) ELSE array_agg(c.input) END,
      CASE WHEN bool_or(c.extra IS NOT NULL) THEN array_agg(c.extra) END,
      CASE WHEN bool_or(c.deadline_at IS NOT NULL) THEN array_agg(c.deadline_at) END,
      NULL::timestamptz, NULL::integer, NULL::boolean
    FROM (SELECT * FROM claimed ORDER BY claimed.session, claimed.position) AS c
    GROUP BY c.session;
    taken := taken + cardinality(places);
    -- A lane with room for which more may wait keeps its turn; one without a token comes back when it has one; a full one comes back
    -- with the end of an attempt, an empty one with its next run.
    WITH counted AS MATERIALIZED (
      SELECT w.lane, w.line, w.turn, w.priority, w.limited AND c.took = w.room AS spent, c.took,
        (w.free IS NULL OR c.took < w.free) AND (c.took = w.room OR taken >= cardinality(slots)) AS more,
        (w.free IS NULL OR c.took < w.free) AND c.took < w.room AS empty
      FROM unnest(lanes, lines, begins, levels, free, rooms, limited) AS w(lane, line, turn, priority, free, room, limited)
      CROSS JOIN LATERAL (SELECT count(*)::integer AS took FROM unnest(owners) AS o(lane) WHERE o.lane = w.lane) AS c
    ), moved AS (
      UPDATE mainspring.lanes AS l
      SET used_at = p_now,
          full_at = CASE WHEN rule.gap IS NULL THEN l.full_at ELSE greatest(l.full_at, instant) + c.took * rule.gap END,
          pass = CASE WHEN p_fair THEN c.turn + (c.took * 1000 / l.weight)::bigint ELSE l.pass END
      FROM counted AS c
      WHERE l.id = c.lane AND c.took > 0
      RETURNING l.id, l.pass, l.full_at
    )
    INSERT INTO mainspring.turns (line, priority, turn, lane)
    SELECT c.line, CASE WHEN c.spent THEN -1 ELSE c.priority END,
      CASE
        WHEN c.spent
          THEN coalesce(m.full_at, (SELECT l.full_at FROM mainspring.lanes AS l WHERE l.id = c.lane)) - (rule.burst - 1) * rule.gap
        WHEN p_fair THEN coalesce(m.pass, c.turn)
        ELSE c.turn
      END,
      c.lane
    FROM counted AS c
    LEFT JOIN moved AS m ON m.id = c.lane
    WHERE c.spent OR c.more
    UNION ALL
    -- A lane that jobs share may have runs in lines that other executors serve.
    SELECT n.line, 5, instant, c.lane
    FROM counted AS c
    CROSS JOIN LATERAL (
      SELECT r.line FROM mainspring.runs AS r
      WHERE r.state = 0 AND r.reason = 'limit' AND r.lane = c.lane AND r.line <> ALL (p_lines)
      ORDER BY r.priority DESC, r.due_at, r.id
      LIMIT 1
    ) AS n
    WHERE rule.scope = 'limit' AND c.empty AND NOT c.more;
  END LOOP;
  IF cardinality(p_gates) > 0 THEN
    opens := mainspring.pass_gates_1(p_gates, taken, p_now);
  END IF;
  SELECT min(h.turn) INTO later
  FROM unnest(p_lines) AS l(line)
  CROSS JOIN LATERAL (
    SELECT t.turn FROM mainspring.turns AS t WHERE t.line = l.line AND t.priority = -1 ORDER BY t.turn LIMIT 1
  ) AS h;
  o_session := NULL;
  o_runs := NULL;
  o_reached := coalesce(opens, CASE WHEN later > instant THEN to_timestamp(later / 1000000.0) END);
  RETURN NEXT;
END $$;
