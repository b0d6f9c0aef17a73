-- unsorted_runs
-- Lock due runs of these lines that stand in no lane yet, most urgent first.
SELECT r.id, r.job, r.line, r.priority, r.attempt, mainspring.input_1(r.id, r.input) AS input
FROM (
  SELECT p.priority, l.line
  FROM generate_series(9, 0, -1) AS p(priority)
  CROSS JOIN unnest(:lines::integer[]) WITH ORDINALITY AS l(line, turn)
  ORDER BY p.priority DESC, l.turn
) AS head
CROSS JOIN LATERAL (
  SELECT c.id, c.job, c.line, c.priority, c.attempt, c.input
  FROM mainspring.runs AS c
  WHERE c.state = 1 AND c.line = head.line AND c.priority = head.priority AND c.due_at <= :now
  ORDER BY c.due_at, c.id
  LIMIT :limit
  FOR UPDATE SKIP LOCKED
) AS r
LIMIT :limit

-- lane_arrivals
-- Buckets of lanes, and their runs that wait for quiet.
SELECT l.id, l.full_at AS full, l.pending, l.first_at FROM mainspring.lanes AS l WHERE l.id = ANY (:lanes::bigint[])

-- pending_elsewhere
-- Lock these queued runs, but for those that another transaction has locked, which are returned.
SELECT r.id
FROM mainspring.runs AS r
WHERE r.id = ANY (:ids::uuid[]) AND r.state = 1
  AND r.id NOT IN (SELECT c.id FROM mainspring.runs AS c WHERE c.id = ANY (:ids::uuid[]) FOR UPDATE SKIP LOCKED)

-- add_lanes
-- Make the lanes that are not there.
INSERT INTO mainspring.lanes (id, gate, key, used_at)
SELECT t.lane, :gate, t.key, :now FROM unnest(:lane::bigint[], :key::text[]) AS t(lane, key)
ORDER BY t.lane
ON CONFLICT (id) DO NOTHING

-- share_lanes
-- Keep lanes from being pruned.
SELECT l.id FROM mainspring.lanes AS l WHERE l.id = ANY (:lanes::bigint[]) ORDER BY l.id FOR KEY SHARE

-- hold_lanes
-- Keep lanes from being pruned and from being claimed.
SELECT l.id FROM mainspring.lanes AS l WHERE l.id = ANY (:lanes::bigint[]) ORDER BY l.id FOR NO KEY UPDATE

-- lane_runs
-- The runs of these lanes that run or wait, in the order in which they start.
SELECT r.lane, r.id, r.state FROM mainspring.runs AS r
WHERE r.lane = ANY (:lanes::bigint[]) AND (r.state = 2 OR r.state = 0 AND r.reason = 'limit')
ORDER BY r.lane, r.state DESC, r.priority DESC, r.due_at, r.id

-- enter_lanes
-- Put queued runs into their lanes.
UPDATE mainspring.runs AS r
SET state = 0, reason = 'limit', lane = t.lane
FROM unnest(:run::uuid[], :lane::bigint[]) AS t(run, lane)
WHERE r.id = t.run AND r.state = 1

-- add_turns
-- Have lanes looked at.
SELECT mainspring.add_turns_1(:line::integer[], :priority::smallint[], :turn::bigint[], :lane::bigint[])

-- first_turn
-- The earliest virtual time at which a lane of a rule waits.
SELECT min(t.turn) AS turn
FROM mainspring.lanes AS l
JOIN mainspring.turns AS t ON t.lane = l.id
WHERE l.gate = :gate AND t.priority >= 0

-- lane_passes
-- The virtual times that lanes have come to.
SELECT l.id, l.pass FROM mainspring.lanes AS l WHERE l.id = ANY (:lanes::bigint[]) AND :now::timestamptz IS NOT NULL

-- lanes_after
-- Some lanes of a rule, by number.
SELECT l.id FROM mainspring.lanes AS l WHERE l.gate = :gate AND l.id > :after ORDER BY l.id LIMIT :limit

-- age_lanes
-- Give the oldest run of each of these lanes the highest priority if it fell due before an instant: ten probes a lane.
WITH oldest AS MATERIALIZED (
  SELECT o.id
  FROM unnest(:lanes::bigint[]) AS l(lane)
  CROSS JOIN LATERAL (
    SELECT h.id, h.priority, h.due_at
    FROM generate_series(9, 0, -1) AS p(priority)
    CROSS JOIN LATERAL (
      SELECT r.id, r.priority, r.due_at
      FROM mainspring.runs AS r
      WHERE r.state = 0 AND r.reason = 'limit' AND r.lane = l.lane AND r.priority = p.priority AND r.line = ANY (:lines::integer[])
      ORDER BY r.due_at, r.id
      LIMIT 1
    ) AS h
    ORDER BY h.due_at, h.id
    LIMIT 1
  ) AS o
  WHERE o.due_at < :before AND o.priority < 9
)
UPDATE mainspring.runs AS r SET priority = 9
FROM oldest AS o
WHERE r.id = o.id AND r.state = 0 AND r.reason = 'limit' AND r.lane IS NOT NULL
RETURNING r.lane, r.line

-- end_of_lanes
-- The last of so many lanes after one; none: null.
SELECT max(n.id) AS last
FROM (SELECT l.id FROM mainspring.lanes AS l WHERE l.id > :after ORDER BY l.id LIMIT :limit) AS n

-- idle_lanes
-- Lanes of a range in which runs wait though none is under way and no turn is there.
SELECT l.id AS lane, n.line, n.priority
FROM mainspring.lanes AS l
CROSS JOIN LATERAL (
  SELECT r.line, r.priority FROM mainspring.runs AS r
  WHERE r.state = 0 AND r.reason = 'limit' AND r.lane = l.id
  ORDER BY r.priority DESC, r.due_at, r.id
  LIMIT 1
) AS n
WHERE l.id > :after AND l.id <= :last
  AND NOT EXISTS (SELECT FROM mainspring.turns AS t WHERE t.lane = l.id)
  AND NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.state = 2 AND r.lane = l.id)

-- prune_lanes
-- Delete lanes of a range that are as old as that, that no operator has given numbers, and that hold no run.
DELETE FROM mainspring.lanes AS l
WHERE l.id = ANY (ARRAY(
  SELECT c.id FROM mainspring.lanes AS c
  WHERE c.id > :after AND c.id <= :last AND c.used_at < :before AND c.full_at < :until AND c.at_once IS NULL AND c.weight = 1 AND c.pending IS NULL
    AND NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.state = 2 AND r.lane = c.id)
    AND NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.state = 0 AND r.reason = 'limit' AND r.lane = c.id)
    AND NOT EXISTS (SELECT FROM mainspring.turns AS t WHERE t.lane = c.id)
  FOR UPDATE SKIP LOCKED
))

-- release_lanes
-- Put runs back from lanes into their line.
UPDATE mainspring.runs AS r SET state = 1, reason = NULL, lane = NULL
WHERE r.id = ANY (ARRAY(
  SELECT c.id FROM mainspring.runs AS c
  WHERE c.job = :job AND c.line = :line AND c.state = 0 AND c.reason = 'limit'
  LIMIT :limit
  FOR UPDATE SKIP LOCKED
))

-- drop_empty_turns
-- Take back the turns of a line whose lanes have no run of it.
DELETE FROM mainspring.turns AS t
WHERE t.line = :line
  AND NOT EXISTS (
    SELECT FROM mainspring.runs AS r WHERE r.state = 0 AND r.reason = 'limit' AND r.lane = t.lane AND r.line = t.line
  )

-- set_lane
-- Give a lane a number and a weight of its own.
UPDATE mainspring.lanes AS l SET at_once = :at_once, weight = :weight WHERE l.id = :lane

-- wake_lane
-- Have a lane looked at, in each line in which it has runs.
INSERT INTO mainspring.turns (line, priority, turn, lane)
SELECT r.line, max(r.priority), :turn, r.lane
FROM mainspring.runs AS r
WHERE r.state = 0 AND r.reason = 'limit' AND r.lane = :lane
GROUP BY r.line, r.lane

-- unlooked_lanes
-- Those of some lanes in which runs wait though no turn is there.
SELECT l.lane, n.line, n.priority
FROM unnest(:lanes::bigint[]) AS l(lane)
CROSS JOIN LATERAL (
  SELECT r.line, r.priority FROM mainspring.runs AS r
  WHERE r.state = 0 AND r.reason = 'limit' AND r.lane = l.lane
  ORDER BY r.priority DESC, r.due_at, r.id
  LIMIT 1
) AS n
WHERE NOT EXISTS (SELECT FROM mainspring.turns AS t WHERE t.lane = l.lane)

-- lane_states
-- Lanes of a rule, those with a number or a weight of their own first.
SELECT l.id AS lane, l.key, l.at_once, l.weight,
  (SELECT count(*) FROM mainspring.runs AS r WHERE r.state = 2 AND r.lane = l.id) AS held,
  (SELECT count(*) FROM mainspring.runs AS r WHERE r.state = 0 AND r.reason = 'limit' AND r.lane = l.id) AS queued
FROM mainspring.lanes AS l
WHERE l.gate = :gate AND (:lane::bigint IS NULL OR l.id = :lane)
ORDER BY l.at_once IS NULL AND l.weight = 1, l.key
LIMIT :limit

-- place_in_lane
-- The lane and the line of a waiting run, and how many of the lane start before. Found and bounded as in `place_of_run`; a lane counts
-- those that are not due, too.
WITH found AS MATERIALIZED (
  SELECT r.id, r.lane, r.line, r.priority, r.due_at, r.state, r.reason FROM mainspring.runs AS r WHERE r.id = :run
)
SELECT r.lane, r.line, (
  SELECT count(*)
  FROM (
    SELECT
    FROM generate_series(r.priority, 9) AS p(priority)
    CROSS JOIN LATERAL (
      SELECT
      FROM mainspring.runs AS c
      WHERE c.state = 0 AND c.reason = 'limit' AND c.lane = r.lane AND c.priority = p.priority
        AND (c.due_at, c.id) < (CASE p.priority WHEN r.priority THEN r.due_at ELSE 'infinity' END, r.id)
      ORDER BY c.due_at DESC, c.id DESC
      LIMIT :limit
    ) AS each
    LIMIT :limit
  ) AS before
) AS ahead
FROM found AS r
WHERE r.state = 0 AND r.reason = 'limit' AND r.lane IS NOT NULL

-- lane_holders
-- Some running runs of a lane.
SELECT r.id FROM mainspring.runs AS r WHERE r.state = 2 AND r.lane = :lane ORDER BY r.claimed_at LIMIT :limit

-- move_runs
-- Move queued runs into other lines.
UPDATE mainspring.runs AS r SET line = t.line
FROM unnest(:run::uuid[], :to::integer[]) AS t(run, line)
WHERE r.id = t.run AND r.state = 1

-- unaddress_runs
-- Move queued runs, and those that wait in lanes, out of a line.
UPDATE mainspring.runs AS r SET line = :to, state = 1, reason = CASE WHEN r.state = 1 THEN r.reason END
WHERE r.id = ANY (ARRAY(
  SELECT c.id FROM mainspring.runs AS c
  WHERE c.line = :line AND (c.state = 1 OR c.state = 0 AND c.reason = 'limit')
  ORDER BY c.priority DESC, c.due_at, c.id
  LIMIT :limit
  FOR UPDATE SKIP LOCKED
))

-- idle_runs_of_line
-- Lock queued runs of a line, and those that wait in lanes.
SELECT r.id FROM mainspring.runs AS r
WHERE r.line = :line AND (r.state = 1 OR r.state = 0 AND r.reason = 'limit')
ORDER BY r.id
LIMIT :limit
FOR UPDATE SKIP LOCKED
