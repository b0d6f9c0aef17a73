-- Where the oldest due runs of these lines stand, whatever their priority, locked: ten probes a line. A row that another claim takes
-- meanwhile is left to it.
CREATE OR REPLACE FUNCTION mainspring.aged_places_1(
  p_lines integer[], p_most integer, p_until timestamptz, p_now timestamptz
) RETURNS tid[]
LANGUAGE plpgsql
-- plan: nested
AS $$
BEGIN
  RETURN ARRAY(
    SELECT c.ctid
    FROM (
      SELECT o.place
      FROM generate_series(9, 0, -1) AS p(priority)
      CROSS JOIN unnest(p_lines) AS l(line)
      CROSS JOIN LATERAL (
        SELECT a.ctid AS place, a.due_at, a.id
        FROM mainspring.runs AS a
        WHERE a.state = 1 AND a.line = l.line AND a.priority = p.priority AND a.due_at <= p_until
          AND (a.deadline_at IS NULL OR a.deadline_at > p_now)
        ORDER BY a.due_at, a.id
        LIMIT p_most
      ) AS o
      ORDER BY o.due_at, o.id
      LIMIT p_most
    ) AS old
    JOIN mainspring.runs AS c ON c.ctid = old.place
    WHERE c.state + 0 = 1  -- looked at again once the row is locked; written so that no index is chosen for it
    FOR UPDATE OF c SKIP LOCKED
  );
END $$;

-- Where the most urgent due runs of these lines stand, locked: by priority, in each those first whose deadline comes up to `p_urgent`,
-- the earliest before the others, then the rest by due time.
CREATE OR REPLACE FUNCTION mainspring.ordered_places_1(
  p_lines integer[], p_since timestamptz[], p_most integer, p_urgent timestamptz, p_now timestamptz
) RETURNS tid[]
LANGUAGE plpgsql
-- plan: nested
AS $$
DECLARE
  urgent CONSTANT timestamptz := greatest(p_urgent, p_now);
BEGIN
  RETURN ARRAY(
    SELECT r.place
    FROM generate_series(9, 0, -1) AS p(priority)
    CROSS JOIN LATERAL (
      SELECT u.place
      FROM (
        SELECT d.place
        FROM unnest(p_lines) AS l(line)
        CROSS JOIN LATERAL (
          SELECT c.ctid AS place, c.deadline_at, c.id
          FROM mainspring.runs AS c
          WHERE c.state = 1 AND c.line = l.line AND c.priority = p.priority AND c.deadline_at > p_now AND c.deadline_at <= urgent
            AND c.due_at <= p_now
          ORDER BY c.deadline_at, c.id
          LIMIT p_most
          FOR UPDATE SKIP LOCKED
        ) AS d
        ORDER BY d.deadline_at, d.id
        LIMIT p_most
      ) AS u
      UNION ALL
      SELECT n.place
      FROM (
        SELECT h.place
        FROM unnest(p_lines, p_since) WITH ORDINALITY AS l(line, since, turn)
        CROSS JOIN LATERAL (
          SELECT c.ctid AS place
          FROM mainspring.runs AS c
          WHERE c.state = 1 AND c.line = l.line AND c.priority = p.priority
            AND c.due_at >= coalesce(l.since, '-infinity') AND c.due_at <= p_now
            AND (c.deadline_at IS NULL OR c.deadline_at > urgent)
          ORDER BY c.due_at, c.id
          LIMIT p_most
          FOR UPDATE SKIP LOCKED
        ) AS h
        LIMIT p_most
      ) AS n
    ) AS r
    LIMIT p_most
  );
END $$;

-- Give each slot a due run in the order that its queue wants: some slots to old runs first, whatever their priority, the others by
-- priority with urgent runs first; through gates, if there are any. Rows of sessions, or of bundles, come first; the last has none:
-- its size is the number of slots that the gates left, and its instant that of the next token if a rate leaves none.
CREATE OR REPLACE FUNCTION mainspring.claim_ordered_1(
  p_gates bigint[], p_lines integer[], p_since timestamptz[], p_slots uuid[], p_sessions uuid[], p_token uuid, p_now timestamptz,
  p_size integer, p_aged integer, p_aged_until timestamptz, p_urgent timestamptz
) RETURNS TABLE (
  o_session uuid, o_runs bytea, o_lines bytea, o_jobs bytea, o_attempts bytea, o_inputs bytea[], o_extras bytea[],
  o_deadlines timestamptz[], o_reached timestamptz, o_part integer, o_size integer
)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  live uuid[];
  slots uuid[] := p_slots;
  places tid[];
  taken integer := 0;
BEGIN
  -- Expiring a session waits for this lock, so no claim can slip in after its reclaim.
  live := ARRAY(SELECT s.id FROM mainspring.sessions AS s WHERE s.id = ANY (p_sessions) AND s.state = 0 FOR KEY SHARE);
  IF cardinality(live) < cardinality(p_sessions) THEN
    slots := ARRAY(SELECT t.slot FROM unnest(p_slots) WITH ORDINALITY AS t(slot, turn) WHERE t.slot = ANY (live) ORDER BY t.turn);
  END IF;
  IF cardinality(p_gates) > 0 THEN
    slots := slots[1:mainspring.gate_room_1(p_gates, cardinality(slots), p_now)];
  END IF;
  -- The second look does not see what the first one took: each statement has its own snapshot.
  FOR look IN 1..2 LOOP
    places := CASE
      WHEN taken >= cardinality(slots) OR (look = 1 AND least(p_aged, cardinality(slots)) < 1) THEN '{}'
      WHEN look = 1 THEN mainspring.aged_places_1(p_lines, least(p_aged, cardinality(slots)), p_aged_until, p_now)
      ELSE mainspring.ordered_places_1(p_lines, p_since, cardinality(slots) - taken, p_urgent, p_now)
    END;
    CONTINUE WHEN cardinality(places) = 0;
    IF p_size > 0 THEN
      RETURN QUERY
      SELECT s.*
      FROM mainspring.bundle_laned_1(
        places, slots[taken + 1 : cardinality(slots)], cardinality(live), p_token, p_now, p_size, taken, false
      ) AS s;
    ELSE
      RETURN QUERY SELECT s.* FROM mainspring.start_laned_2(places, slots[taken + 1 : cardinality(slots)], p_token, p_now) AS s;
    END IF;
    taken := taken + cardinality(places);
  END LOOP;
  o_session := NULL;
  o_runs := NULL;
  o_part := NULL;
  o_size := cardinality(slots);
  o_reached := CASE WHEN cardinality(p_gates) > 0 THEN mainspring.pass_gates_1(p_gates, taken, p_now) END;
  RETURN NEXT;
END $$;
