-- How often each of these numbers occurs among others. Hashed: a list compared with a list would take the square of their length.
CREATE OR REPLACE FUNCTION mainspring.occurrences_1(p_numbers bigint[], p_among bigint[]) RETURNS integer[]
LANGUAGE plpgsql
SET enable_nestloop = off
SET enable_mergejoin = off
SET enable_hashjoin = on  -- which the callers have off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN ARRAY(
    SELECT coalesce(f.found, 0)
    FROM unnest(p_numbers) WITH ORDINALITY AS n(number, position)
    LEFT JOIN (SELECT a.number, count(*)::integer AS found FROM unnest(p_among) AS a(number) GROUP BY a.number) AS f
      ON f.number = n.number
    ORDER BY n.position
  );
END $$;

-- How many attempts of each of these lanes are kept in bundles. Bundles last a second at most, so there are few.
CREATE OR REPLACE FUNCTION mainspring.bundled_in_lanes_1(p_lanes bigint[]) RETURNS integer[]
LANGUAGE plpgsql
SET enable_seqscan = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  bundled CONSTANT bigint[] := ARRAY(
    SELECT i.lane FROM mainspring.bundles AS b CROSS JOIN LATERAL unnest(b.lanes) AS i(lane) WHERE b.lanes IS NOT NULL
  );
BEGIN
  RETURN CASE
    WHEN cardinality(bundled) = 0 THEN array_fill(0, ARRAY[cardinality(p_lanes)])
    ELSE mainspring.occurrences_1(p_lanes, bundled)
  END;
END $$;

-- Have lanes looked at: those that have no turn yet which no claim can take before this transaction ends. However many runs wait in a
-- lane, it has few turns; claims would have to read all of them.
CREATE OR REPLACE FUNCTION mainspring.add_turns_1(p_lines integer[], p_priorities smallint[], p_turns bigint[], p_lanes bigint[])
RETURNS void
LANGUAGE plpgsql
-- plan: nested
AS $$
BEGIN
  INSERT INTO mainspring.turns (line, priority, turn, lane)
  SELECT t.line, t.priority, t.turn, t.lane
  FROM unnest(p_lines, p_priorities, p_turns, p_lanes) AS t(line, priority, turn, lane)
  LEFT JOIN LATERAL (
    SELECT c.lane
    FROM mainspring.turns AS c
    -- By the lane alone: the other index would be read from the first turn of the line on.
    WHERE c.lane = t.lane AND c.line + 0 = t.line AND c.priority + 0 >= t.priority
    LIMIT 1
    FOR KEY SHARE SKIP LOCKED
  ) AS known ON true
  WHERE known.lane IS NULL
  ORDER BY t.lane;
END $$;

-- Delete the turns that come first, up to a number of them, and return their lanes in order; several turns of a lane are one.
CREATE OR REPLACE FUNCTION mainspring.take_turns_1(
  p_lines integer[], p_most integer, OUT o_lanes bigint[], OUT o_lines integer[], OUT o_turns bigint[], OUT o_priorities smallint[]
)
LANGUAGE plpgsql
-- plan: nested
AS $$
BEGIN
  WITH gone AS (
    DELETE FROM mainspring.turns AS t
    WHERE t.ctid = ANY (ARRAY(
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
        LIMIT p_most
        FOR UPDATE SKIP LOCKED
      ) AS r
      LIMIT p_most
    ))
    RETURNING t.line, t.lane, t.turn, t.priority
  )
  SELECT array_agg(g.lane), array_agg(g.line), array_agg(g.turn), array_agg(g.priority)
  INTO o_lanes, o_lines, o_turns, o_priorities
  FROM (
    SELECT o.lane, min(o.line) AS line, min(o.turn) AS turn, max(o.priority) AS priority
    FROM gone AS o GROUP BY o.lane ORDER BY max(o.priority) DESC, min(o.turn)
  ) AS g;
END $$;

-- Put back the turns of lanes that a claim has looked into. A lane with room for which more may wait keeps its turn; one without a
-- token comes back when it has one; a full one comes back with the end of an attempt, an empty one with its next run.
CREATE OR REPLACE FUNCTION mainspring.leave_lanes_1(
  p_rule mainspring.gates, p_fair boolean, p_lines integer[], p_lanes bigint[], p_of integer[], p_turns bigint[],
  p_priorities smallint[], p_free integer[], p_rooms integer[], p_limited boolean[], p_took integer[], p_full boolean,
  p_now timestamptz
) RETURNS void
LANGUAGE plpgsql
-- plan: nested
AS $$
DECLARE
  instant CONSTANT bigint := floor(extract(epoch FROM p_now) * 1000000);
BEGIN
  IF p_fair OR p_rule.gap IS NOT NULL THEN
    WITH moved AS (
      UPDATE mainspring.lanes AS l
      SET used_at = p_now,
          full_at = CASE WHEN p_rule.gap IS NULL THEN l.full_at ELSE greatest(l.full_at, instant) + w.took * p_rule.gap END,
          pass = CASE WHEN p_fair THEN w.turn + (w.took * 1000 / l.weight)::bigint ELSE l.pass END
      FROM unnest(p_lanes, p_of, p_turns, p_priorities, p_free, p_rooms, p_limited, p_took)
        AS w(lane, line, turn, priority, free, room, limited, took)
      WHERE l.id = w.lane
      RETURNING w.*, l.pass, l.full_at
    )
    INSERT INTO mainspring.turns (line, priority, turn, lane)
    SELECT m.line, CASE WHEN m.limited AND m.took = m.room THEN -1 ELSE m.priority END,
      CASE
        WHEN m.limited AND m.took = m.room THEN m.full_at - (p_rule.burst - 1) * p_rule.gap
        WHEN p_fair THEN m.pass
        ELSE m.turn
      END,
      m.lane
    FROM moved AS m
    WHERE (m.limited AND m.took = m.room) OR ((m.free IS NULL OR m.took < m.free) AND (m.took = m.room OR p_full));
  ELSE
    INSERT INTO mainspring.turns (line, priority, turn, lane)
    SELECT w.line, w.priority, w.turn, w.lane
    FROM unnest(p_lanes, p_of, p_turns, p_priorities, p_free, p_rooms, p_took) AS w(lane, line, turn, priority, free, room, took)
    WHERE (w.free IS NULL OR w.took < w.free) AND (w.took = w.room OR p_full);
  END IF;
  -- A lane that has nothing left in these lines may have runs in lines that other executors serve.
  INSERT INTO mainspring.turns (line, priority, turn, lane)
  SELECT n.line, 5, instant, w.lane
  FROM unnest(p_lanes, p_free, p_rooms, p_took) AS w(lane, free, room, took)
  CROSS JOIN LATERAL (
    SELECT r.line FROM mainspring.runs AS r
    WHERE r.state = 0 AND r.reason = 'limit' AND r.lane = w.lane AND r.line <> ALL (p_lines)
    ORDER BY r.priority DESC, r.due_at, r.id
    LIMIT 1
  ) AS n
  WHERE (w.free IS NULL OR w.took < w.free) AND w.took < w.room AND NOT p_full;
END $$;

-- Claim from lanes, in the order of their turns: from each as many runs as its limit and its rate leave, or as its share is. A lane is
-- locked while its attempts are counted; one that another claim has locked is left to it, and `o_again` says so. Rows of sessions, or
-- of bundles, come first; the last row has none: how many slots the gates left, and when a gate or a lane lets the next run start.
CREATE OR REPLACE FUNCTION mainspring.claim_lanes_2(
  p_gates bigint[], p_rule bigint, p_fair boolean, p_lines integer[], p_slots uuid[], p_sessions uuid[], p_token uuid,
  p_now timestamptz, p_size integer
) RETURNS TABLE (
  o_session uuid, o_runs bytea, o_lines bytea, o_jobs bytea, o_attempts bytea, o_inputs bytea[], o_extras bytea[],
  o_deadlines timestamptz[], o_reached timestamptz, o_part integer, o_size integer, o_room integer, o_again boolean
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
  quantum integer;
  lanes bigint[];
  lines integer[];
  begins bigint[];
  levels smallint[];
  locked bigint[];
  mine integer[];
  held integer[];
  took integer[];
  free integer[];
  rooms integer[];
  limited boolean[];
  places tid[];
  owners bigint[];
  opens timestamptz;
  later bigint;
  counted boolean;
  own boolean;
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
  own := EXISTS (SELECT FROM mainspring.lanes AS l WHERE l.gate = p_rule AND l.at_once IS NOT NULL);
  counted := rule.at_once IS NOT NULL OR own;
  UPDATE mainspring.turns AS t SET priority = 5 WHERE t.line = ANY (p_lines) AND t.priority = -1 AND t.turn <= instant;
  FOR look IN 1..4 LOOP
    wanted := cardinality(slots) - taken;
    EXIT WHEN wanted <= 0;
    quantum := greatest(4, wanted / 250);
    -- Where keys take turns by weight, each is worth a few runs; where each may have several under way, the first look is for
    -- as few lanes as may do. Lanes with fewer runs than that are made up for by the looks after it.
    SELECT t.o_lanes, t.o_lines, t.o_turns, t.o_priorities INTO lanes, lines, begins, levels
    FROM mainspring.take_turns_1(p_lines, CASE
      WHEN p_fair THEN (wanted - 1) / quantum + 1
      WHEN look = 1 AND rule.gap IS NULL AND rule.at_once > 1 THEN (wanted + rule.at_once - 1) / rule.at_once
      ELSE wanted
    END) AS t;
    EXIT WHEN lanes IS NULL;
    locked := ARRAY(
      SELECT l.id FROM mainspring.lanes AS l WHERE l.id = ANY (lanes) ORDER BY l.id FOR NO KEY UPDATE SKIP LOCKED
    );
    IF cardinality(locked) < cardinality(lanes) THEN
      mine := mainspring.occurrences_1(lanes, locked);
      -- A lane that has been pruned meanwhile has no run that could wait for its turn.
      INSERT INTO mainspring.turns (line, priority, turn, lane)
      SELECT w.line, w.priority, w.turn, w.lane
      FROM unnest(lanes, lines, begins, levels, mine) AS w(lane, line, turn, priority, mine)
      WHERE w.mine = 0 AND EXISTS (SELECT FROM mainspring.lanes AS l WHERE l.id = w.lane);
      o_again := o_again OR FOUND;
      SELECT array_agg(w.lane), array_agg(w.line), array_agg(w.turn), array_agg(w.priority) INTO lanes, lines, begins, levels
      FROM unnest(lanes, lines, begins, levels, mine) AS w(lane, line, turn, priority, mine)
      WHERE w.mine > 0;
      CONTINUE WHEN lanes IS NULL;
    END IF;
    -- A look is for all turns of its lane, however often runs were put into it. The runs of those that go are seen below.
    DELETE FROM mainspring.turns AS t
    WHERE t.ctid = ANY (ARRAY(
      SELECT c.ctid
      FROM mainspring.turns AS c
      WHERE c.lane = ANY (locked) AND c.line = ANY (p_lines) AND c.priority >= 0
      FOR UPDATE SKIP LOCKED
    ));
    -- By snapshots taken after the locks: what is under way, and so what each lane has room for. An attempt that another statement
    -- moves from a bundle into a row meanwhile is counted twice, never missed: bundles are read first.
    held := CASE WHEN counted THEN mainspring.bundled_in_lanes_1(lanes) ELSE array_fill(0, ARRAY[cardinality(lanes)]) END;
    IF p_fair OR own OR rule.gap IS NOT NULL THEN
      SELECT array_agg(f.open), array_agg(greatest(least(f.open, f.tokens, f.share), 0)),
        array_agg(coalesce(f.tokens < coalesce(f.open, f.tokens + 1), false))
      INTO free, rooms, limited
      FROM (
        SELECT
          CASE WHEN counted THEN coalesce(l.at_once, rule.at_once) - w.bundled - (
            SELECT count(*) FROM mainspring.runs AS h WHERE h.state = 2 AND h.lane = w.lane
          )::integer END AS open,
          rule.burst - greatest(0, ceil((l.full_at - instant)::numeric / rule.gap))::integer AS tokens,
          CASE WHEN p_fair THEN greatest(1, ceil(wanted * l.weight / sum(l.weight) OVER ()))::integer ELSE wanted END AS share
        FROM unnest(lanes, held) WITH ORDINALITY AS w(lane, bundled, position)
        JOIN mainspring.lanes AS l ON l.id = w.lane
        ORDER BY w.position
      ) AS f;
    ELSE
      -- One number for all keys: nothing that their rows say matters.
      SELECT array_agg(f.open), array_agg(greatest(least(f.open, wanted), 0)), array_agg(false)
      INTO free, rooms, limited
      FROM (
        SELECT rule.at_once - w.bundled - (
          SELECT count(*) FROM mainspring.runs AS h WHERE h.state = 2 AND h.lane = w.lane
        )::integer AS open
        FROM unnest(lanes, held) WITH ORDINALITY AS w(lane, bundled, position)
        ORDER BY w.position
      ) AS f;
    END IF;
    -- In the order in which they fell due, which mostly is that of their ids: history is cheaper to write in that order.
    SELECT coalesce(array_agg(q.place ORDER BY q.priority DESC, q.due_at, q.id), '{}'), coalesce(array_agg(q.lane), '{}')
    INTO places, owners
    FROM (
      SELECT r.*, w.lane
      FROM unnest(lanes, rooms) AS w(lane, room)
      CROSS JOIN LATERAL (
        SELECT c.ctid AS place, c.priority, c.due_at, c.id
        FROM mainspring.runs AS c
        WHERE c.state = 0 AND c.reason = 'limit' AND c.lane = w.lane AND c.line = ANY (p_lines)
          AND (c.deadline_at IS NULL OR c.deadline_at > p_now)
        ORDER BY c.priority DESC, c.due_at, c.id
        LIMIT w.room
        FOR UPDATE SKIP LOCKED
      ) AS r
      LIMIT wanted
    ) AS q;
    IF p_size > 0 THEN
      RETURN QUERY
      SELECT s.*, NULL::integer, NULL::boolean
      FROM mainspring.bundle_laned_1(
        places, slots[taken + 1 : cardinality(slots)], cardinality(live), p_token, p_now, p_size, taken, counted
      ) AS s;
    ELSE
      RETURN QUERY
      SELECT s.*, NULL::integer, NULL::boolean
      FROM mainspring.start_laned_2(places, slots[taken + 1 : cardinality(slots)], p_token, p_now) AS s;
    END IF;
    taken := taken + cardinality(places);
    took := mainspring.occurrences_1(lanes, owners);
    PERFORM mainspring.leave_lanes_1(
      rule, p_fair, p_lines, lanes, lines, begins, levels, free, rooms, limited, took, taken >= cardinality(slots), p_now
    );
    -- Lanes behind those that were looked at in vain are not left to the next poll.
    o_again := o_again OR (look = 4 AND taken < cardinality(slots));
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
  o_part := NULL;
  o_size := NULL;
  o_reached := coalesce(opens, CASE WHEN later > instant THEN to_timestamp(later / 1000000.0) END);
  RETURN NEXT;
END $$;
