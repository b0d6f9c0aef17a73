-- unsorted_runs
-- Due runs of these lines that stand in no lane yet, most urgent first.
SELECT
  r.id, r.job, r.line, r.priority, r.attempt,
  CASE WHEN r.input = x'' THEN (SELECT p.input FROM payloads AS p WHERE p.run = r.id) ELSE r.input END AS input
FROM json_each('[9,8,7,6,5,4,3,2,1,0]') AS p
CROSS JOIN json_each(:lines) AS l
CROSS JOIN runs AS r INDEXED BY runs_claimable
WHERE r.state = 1 AND r.line = l.value AND r.priority = p.value AND r.due_at <= :now
LIMIT :limit

-- lane_arrivals
-- Buckets of lanes, and their runs that wait for quiet.
SELECT id, full_at AS full, pending, first_at FROM lanes WHERE id IN (SELECT e.value FROM json_each(:lanes) AS e)

-- pending_elsewhere
-- Queued runs that another transaction has locked: there is one writer, so there are none.
SELECT substr(:ids, 16 * e.key + 1, 16) AS id FROM json_each(:rows) AS e WHERE false

-- add_lanes
-- Make the lanes that are not there.
INSERT INTO lanes (id, gate, key, used_at)
SELECT e.value ->> 'lane', :gate, e.value ->> 'key', :now
FROM json_each(:rows) AS e
WHERE true
ON CONFLICT (id) DO NOTHING

-- share_lanes
-- Nothing is locked where there is one writer.
SELECT id FROM lanes WHERE id IN (SELECT e.value FROM json_each(:lanes) AS e)

-- hold_lanes
-- Nothing is locked where there is one writer.
SELECT id FROM lanes WHERE id IN (SELECT e.value FROM json_each(:lanes) AS e)

-- lane_runs
-- The runs of these lanes that run or wait, in the order in which they start.
SELECT r.lane, r.id, r.state
FROM (
  SELECT h.lane, h.id, h.state, h.priority, h.due_at
  FROM json_each(:lanes) AS e
  CROSS JOIN runs AS h INDEXED BY runs_lane_held ON h.lane = e.value
  WHERE h.state = 2
  UNION ALL
  SELECT w.lane, w.id, w.state, w.priority, w.due_at
  FROM json_each(:lanes) AS e
  CROSS JOIN runs AS w INDEXED BY runs_laned ON w.lane = e.value
  WHERE w.state = 0 AND w.reason = 'limit'
) AS r
ORDER BY r.lane, r.state DESC, r.priority DESC, r.due_at, r.id

-- enter_lanes
-- Put queued runs into their lanes.
UPDATE runs
SET state = 0, reason = 'limit', lane = e.value ->> 'lane'
FROM json_each(:rows) AS e
WHERE runs.id = substr(:run, 16 * e.key + 1, 16) AND runs.state = 1

-- add_turns
-- Have lanes looked at.
INSERT INTO turns (line, priority, turn, lane)
SELECT e.value ->> 'line', e.value ->> 'priority', e.value ->> 'turn', e.value ->> 'lane'
FROM json_each(:rows) AS e

-- first_turn
-- The earliest virtual time at which a lane of a rule waits.
SELECT min(t.turn) AS turn
FROM lanes AS l
CROSS JOIN turns AS t ON t.lane = l.id
WHERE l.gate = :gate AND t.priority >= 0

-- lane_passes
-- The virtual times that lanes have come to.
SELECT id, pass FROM lanes WHERE id IN (SELECT e.value FROM json_each(:lanes) AS e) AND :now IS NOT NULL

-- lanes_after
-- Some lanes of a rule, by number.
SELECT id FROM lanes WHERE gate = :gate AND id > :after ORDER BY id LIMIT :limit

-- age_lanes
-- Give the oldest run of each of these lanes the highest priority if it fell due before an instant: ten probes a lane.
UPDATE runs SET priority = 9
WHERE id IN (
  SELECT o.id
  FROM json_each(:lanes) AS l
  CROSS JOIN runs AS o ON o.id = (
    SELECT r.id
    FROM json_each('[0,1,2,3,4,5,6,7,8,9]') AS p
    CROSS JOIN runs AS r ON r.id = (
      SELECT c.id FROM runs AS c INDEXED BY runs_laned
      WHERE c.state = 0 AND c.reason = 'limit' AND c.lane = l.value AND c.priority = p.value
        AND c.line IN (SELECT e.value FROM json_each(:lines) AS e)
      ORDER BY c.due_at, c.id
      LIMIT 1
    )
    ORDER BY r.due_at, r.id
    LIMIT 1
  )
  WHERE o.due_at < :before AND o.priority < 9
)
RETURNING lane, line

-- end_of_lanes
-- The last of so many lanes after one; none: null.
SELECT max(n.id) AS last
FROM (SELECT l.id FROM lanes AS l WHERE l.id > :after ORDER BY l.id LIMIT :limit) AS n

-- idle_lanes
-- Lanes of a range in which runs wait though none is under way and no turn is there.
SELECT r.lane, r.line, max(r.priority) AS priority
FROM runs AS r INDEXED BY runs_laned
WHERE r.state = 0 AND r.reason = 'limit' AND r.lane > :after AND r.lane <= :last
  AND NOT EXISTS (SELECT 1 FROM turns AS t WHERE t.lane = r.lane)
  AND NOT EXISTS (SELECT 1 FROM runs AS h INDEXED BY runs_lane_held WHERE h.state = 2 AND h.lane = r.lane)
GROUP BY r.lane

-- prune_lanes
-- Delete lanes of a range that are as old as that, that no operator has given numbers, and that hold no run.
DELETE FROM lanes
WHERE id IN (
  SELECT c.id FROM lanes AS c
  WHERE c.id > :after AND c.id <= :last AND c.used_at < :before AND c.full_at < :until AND c.at_once IS NULL AND c.weight = 1 AND c.pending IS NULL
    AND NOT EXISTS (SELECT 1 FROM runs AS r INDEXED BY runs_lane_held WHERE r.state = 2 AND r.lane = c.id)
    AND NOT EXISTS (SELECT 1 FROM runs AS r INDEXED BY runs_laned WHERE r.state = 0 AND r.reason = 'limit' AND r.lane = c.id)
    AND NOT EXISTS (SELECT 1 FROM turns AS t WHERE t.lane = c.id)
)

-- release_lanes
-- Put runs back from lanes into their line.
UPDATE runs
SET state = 1, reason = NULL, lane = NULL
WHERE id IN (
  SELECT c.id FROM runs AS c WHERE c.job = :job AND c.line = :line AND c.state = 0 AND c.reason = 'limit' LIMIT :limit
)

-- drop_empty_turns
-- Take back the turns of a line whose lanes have no run of it.
DELETE FROM turns
WHERE line = :line
  AND NOT EXISTS (
    SELECT 1 FROM runs AS r INDEXED BY runs_laned
    WHERE r.state = 0 AND r.reason = 'limit' AND r.lane = turns.lane AND r.line = turns.line
  )

-- set_lane
-- Give a lane a number and a weight of its own.
UPDATE lanes SET at_once = :at_once, weight = :weight WHERE id = :lane

-- wake_lane
-- Have a lane looked at, in each line in which it has runs.
INSERT INTO turns (line, priority, turn, lane)
SELECT r.line, max(r.priority), :turn, r.lane
FROM runs AS r INDEXED BY runs_laned
WHERE r.state = 0 AND r.reason = 'limit' AND r.lane = :lane
GROUP BY r.line, r.lane

-- unlooked_lanes
-- Those of some lanes in which runs wait though no turn is there.
SELECT r.lane, r.line, max(r.priority) AS priority
FROM json_each(:lanes) AS e
CROSS JOIN runs AS r INDEXED BY runs_laned ON r.lane = e.value
WHERE r.state = 0 AND r.reason = 'limit' AND NOT EXISTS (SELECT 1 FROM turns AS t WHERE t.lane = r.lane)
GROUP BY r.lane

-- lane_states
-- Lanes of a rule, those with a number or a weight of their own first.
SELECT l.id AS lane, l.key, l.at_once, l.weight,
  (SELECT count(*) FROM runs AS r INDEXED BY runs_lane_held WHERE r.state = 2 AND r.lane = l.id) AS held,
  (
    SELECT count(*) FROM runs AS r INDEXED BY runs_laned WHERE r.state = 0 AND r.reason = 'limit' AND r.lane = l.id
  ) AS queued
FROM lanes AS l
WHERE l.gate = :gate AND (:lane IS NULL OR l.id = :lane)
ORDER BY l.at_once IS NULL AND l.weight = 1, l.key
LIMIT :limit

-- place_in_lane
-- The lane and the line of a waiting run, and how many of the lane start before.
SELECT r.lane, r.line, (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM json_each('[0,1,2,3,4,5,6,7,8,9]') AS p
    CROSS JOIN runs AS c INDEXED BY runs_laned
    -- Bounded as in `place_of_run`; a lane counts those that are not due, too.
    WHERE p.value >= r.priority AND c.state = 0 AND c.reason = 'limit' AND c.lane = r.lane AND c.priority = p.value
      AND (c.due_at, c.id) < (CASE p.value WHEN r.priority THEN r.due_at ELSE 9223372036854775807 END, r.id)
    LIMIT :limit
  )
) AS ahead
FROM runs AS r
WHERE r.id = :run AND r.state = 0 AND r.reason = 'limit' AND r.lane IS NOT NULL

-- lane_holders
-- Some running runs of a lane.
SELECT id FROM runs INDEXED BY runs_lane_held WHERE state = 2 AND lane = :lane ORDER BY claimed_at LIMIT :limit

-- open_turns
-- Let lanes be looked at whose rate has a token again.
UPDATE turns SET priority = 5 WHERE priority = -1 AND turn <= :now AND line IN (SELECT e.value FROM json_each(:lines) AS e)

-- next_turns
-- Lanes to be looked at, most urgent first; several turns of one are one.
SELECT t.lane, min(t.line), min(t.turn), max(t.priority)
FROM turns AS t
WHERE t.priority >= 0 AND t.line IN (SELECT e.value FROM json_each(:lines) AS e)
GROUP BY t.lane
ORDER BY max(t.priority) DESC, min(t.turn)
LIMIT :limit

-- drop_turns
-- Take back the turns of lanes that are looked at now.
DELETE FROM turns
WHERE priority >= 0
  AND lane IN (SELECT e.value FROM json_each(:lanes) AS e)
  AND line IN (SELECT e.value FROM json_each(:lines) AS e)

-- lane_weights
-- The weights of lanes.
SELECT id, weight FROM lanes WHERE id IN (SELECT e.value FROM json_each(:lanes) AS e)

-- lane_room
-- The numbers of a lane, and how many attempts of it are under way.
SELECT l.at_once, l.weight, l.full_at, l.pass, (
  SELECT count(*) FROM runs AS r INDEXED BY runs_lane_held WHERE r.state = 2 AND r.lane = l.id
)
FROM lanes AS l
WHERE l.id = :lane

-- lane_due
-- The runs of a lane that wait, most urgent first.
SELECT id
FROM runs INDEXED BY runs_laned
WHERE state = 0 AND reason = 'limit' AND lane = :lane
  AND line IN (SELECT e.value FROM json_each(:lines) AS e)
  AND (deadline_at IS NULL OR deadline_at > :now)
ORDER BY priority DESC, due_at, id
LIMIT :limit

-- lane_elsewhere
-- The line of a run that waits in a lane, outside of these lines.
SELECT line
FROM runs INDEXED BY runs_laned
WHERE state = 0 AND reason = 'limit' AND lane = :lane AND line NOT IN (SELECT e.value FROM json_each(:lines) AS e)
ORDER BY priority DESC, due_at, id
LIMIT 1

-- use_lane
-- Note what was taken of a lane.
UPDATE lanes SET used_at = :now, full_at = :full_at, pass = :pass WHERE id = :lane

-- put_turn
-- Have a lane looked at.
INSERT INTO turns (line, priority, turn, lane) VALUES (:line, :priority, :turn, :lane)

-- next_turn_at
-- When the rate of a lane has a token again.
SELECT min(turn) FROM turns WHERE priority = -1 AND line IN (SELECT e.value FROM json_each(:lines) AS e)

-- lane_gate
-- The numbers of a rule.
SELECT at_once, gap, burst, scope FROM gates WHERE id = :gate

-- taken
-- What executors need of these runs, in their order.
SELECT
  json_group_array(r.line),
  json_group_array(r.job),
  json_group_array(r.attempt),
  max(r.deadline_at IS NOT NULL OR substr(r.extra, 1, 6) <> :maker_only),
  group_concat(CASE WHEN length(r.input) BETWEEN 1 AND :input_inline THEN hex(r.input) ELSE '-' END, ',')
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:ids, 16 * e.key + 1, 16)

-- claim_laned
-- Give each of these runs, which wait in lanes, to the session of its position.
UPDATE runs
SET
  state = 2,
  reason = NULL,
  attempt = attempt + 1,
  token = :token,
  session = substr(:sessions, 16 * e.key + 1, 16),
  claimed_at = :now
FROM json_each(:rows) AS e
WHERE runs.id = substr(:ids, 16 * e.key + 1, 16)

-- any_lane
-- Whether there are lanes at all.
SELECT EXISTS (SELECT 1 FROM lanes)

-- turn_ended
-- Have lanes looked at whose attempts end now.
INSERT INTO turns (line, priority, turn, lane)
SELECT r.line, max(r.priority), coalesce(nullif(l.pass, 0), :now), r.lane
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:ids, 16 * e.key + 1, 16)
CROSS JOIN lanes AS l ON l.id = r.lane
WHERE r.state = 2 AND r.token = substr(:tokens, 16 * e.key + 1, 16)
GROUP BY r.line, r.lane

-- turn_unclaimed
-- Have lanes looked at whose attempts are put back.
INSERT INTO turns (line, priority, turn, lane)
SELECT r.line, max(r.priority), coalesce(nullif(l.pass, 0), 1), r.lane
FROM runs AS r INDEXED BY runs_held
CROSS JOIN lanes AS l ON l.id = r.lane
WHERE r.state = 2
  AND r.session IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)
  AND r.token = :token
GROUP BY r.line, r.lane

-- move_runs
-- Move queued runs into other lines.
UPDATE runs
SET line = e.value ->> 'to'
FROM json_each(:rows) AS e
WHERE runs.id = substr(:run, 16 * e.key + 1, 16) AND runs.state = 1

-- unaddress_runs
-- Move queued runs, and those that wait in lanes, out of a line.
UPDATE runs
SET line = :to, state = 1, reason = CASE WHEN state = 1 THEN reason END
WHERE id IN (
  SELECT c.id FROM runs AS c WHERE c.line = :line AND (c.state = 1 OR c.state = 0 AND c.reason = 'limit') LIMIT :limit
)

-- idle_runs_of_line
-- Queued runs of a line, and those that wait in lanes.
SELECT id FROM runs WHERE line = :line AND (state = 1 OR state = 0 AND reason = 'limit') ORDER BY id LIMIT :limit
