-- violated_live_state
-- Live runs in a state that no live run has.
SELECT r.id AS example
FROM (SELECT id, state FROM runs ORDER BY id LIMIT :look) AS r
WHERE r.state NOT IN (0, 1, 2)
LIMIT :examples

-- violated_past_state
-- Runs in one day's history that have not ended.
SELECT h.id AS example
FROM (SELECT id, state FROM history_{day} ORDER BY id DESC LIMIT :look) AS h
WHERE h.state NOT IN (3, 4, 5, 6)
LIMIT :examples

-- violated_one_place
-- Live runs that are in one day's history as well.
SELECT r.id AS example
FROM (SELECT id FROM runs ORDER BY id LIMIT :look) AS r
WHERE EXISTS (SELECT 1 FROM history_{day} AS h WHERE h.id = r.id)
LIMIT :examples

-- violated_owner
-- Runs with an owner that are not running, or the other way round.
SELECT r.id AS example
FROM (SELECT id, state, session, token FROM runs ORDER BY id LIMIT :look) AS r
WHERE (r.state = 2) <> (r.session IS NOT NULL) OR (r.state = 2) <> (r.token IS NOT NULL)
LIMIT :examples

-- violated_owner_known
-- Running runs whose session is not known.
SELECT r.id AS example
FROM (SELECT id, session FROM runs INDEXED BY runs_held WHERE state = 2 ORDER BY session LIMIT :look) AS r
WHERE NOT EXISTS (SELECT 1 FROM sessions AS s WHERE s.id = r.session)
LIMIT :examples

-- violated_owner_open
-- Running runs of sessions that are at rest.
SELECT r.id AS example
FROM (SELECT id, session FROM runs INDEXED BY runs_held WHERE state = 2 ORDER BY session LIMIT :look) AS r
WHERE EXISTS (SELECT 1 FROM sessions AS s WHERE s.id = r.session AND s.reclaimed)
LIMIT :examples

-- violated_reclaimed
-- Sessions that have been dead for a while and still have attempts.
SELECT s.executor AS example
FROM sessions AS s
WHERE NOT s.reclaimed AND s.state = 2 AND s.closed_at < :before
  AND EXISTS (SELECT 1 FROM runs AS r INDEXED BY runs_held WHERE r.state = 2 AND r.session = s.id)
LIMIT :examples

-- violated_leases
-- Sessions that are taken for alive though their lease has passed long ago.
SELECT s.executor AS example
FROM sessions AS s
WHERE NOT s.reclaimed AND s.state <> 2 AND s.lease_until < :before
LIMIT :examples

-- violated_deadlines
-- Runs that no session has though their deadline has come long ago.
SELECT r.id AS example
FROM runs AS r INDEXED BY runs_deadline
WHERE r.deadline_at < :before AND r.state < 2 AND r.reason IS NOT 'stopping'
ORDER BY r.deadline_at
LIMIT :examples

-- violated_hold
-- Waiting runs that do not say for what.
SELECT r.id AS example
FROM (SELECT id, reason, state FROM runs ORDER BY id LIMIT :look) AS r
WHERE r.state = 0 AND (r.reason IS NULL OR r.reason NOT IN (SELECT value FROM json_each(:holds)))
LIMIT :examples

-- violated_keys
-- Keys of runs that are nowhere.
SELECT k.namespace || ' ' || k.key AS example
FROM (
  SELECT namespace, key, run FROM keys INDEXED BY keys_age WHERE created_at < :before ORDER BY created_at DESC LIMIT :look
) AS k
WHERE NOT EXISTS (SELECT 1 FROM all_runs AS r WHERE r.id = k.run)
LIMIT :examples

-- violated_marks
-- Marks of runs that are nowhere.
SELECT m.mark AS example
FROM (SELECT mark, run FROM marks INDEXED BY marks_run WHERE run < :first ORDER BY run DESC LIMIT :look) AS m
WHERE NOT EXISTS (SELECT 1 FROM all_runs AS r WHERE r.id = m.run)
LIMIT :examples

-- violated_payloads
-- Payloads of runs that are nowhere, and live runs whose input is apart and not there.
SELECT m.run AS example
FROM (SELECT run FROM payloads WHERE run < :first ORDER BY run DESC LIMIT :look) AS m
WHERE NOT EXISTS (SELECT 1 FROM all_runs AS r WHERE r.id = m.run)
UNION ALL
SELECT r.id
FROM (SELECT id, input FROM runs ORDER BY id LIMIT :look) AS r
WHERE r.input = x'' AND NOT EXISTS (SELECT 1 FROM payloads AS p WHERE p.run = r.id)
LIMIT :examples

-- violated_dead_letters
-- Dead letters whose run has not failed.
SELECT d.run AS example
FROM (SELECT run FROM dead INDEXED BY dead_age ORDER BY failed_at DESC LIMIT :look) AS d
WHERE NOT EXISTS (SELECT 1 FROM all_runs AS r WHERE r.id = d.run AND r.state = 4)
LIMIT :examples

-- violated_fires
-- The latest fires of triggers, of the last day, whose runs are nowhere.
SELECT t.namespace || ' ' || t.name AS example
FROM (SELECT * FROM triggers INDEXED BY triggers_act WHERE act_at IS NOT NULL ORDER BY act_at LIMIT :look) AS t
CROSS JOIN fires AS f ON f.trigger = t.id AND f.fire_at = t.last_fire_at
WHERE f.fire_at < :before AND f.fire_at >= :before - 86400000000
  AND NOT EXISTS (SELECT 1 FROM all_runs AS r WHERE r.id = f.run)
LIMIT :examples

-- violated_acts
-- Active triggers that are not to be moved when their next instant comes; only such are in the index.
SELECT namespace || ' ' || name AS example
FROM triggers INDEXED BY triggers_stuck
WHERE next_due IS NOT NULL AND paused_at IS NULL AND (act_at IS NULL OR act_at > next_due)
LIMIT :examples

-- violated_moves
-- Triggers whose time to move has come long ago.
SELECT namespace || ' ' || name AS example
FROM triggers INDEXED BY triggers_act
WHERE act_at < :before
ORDER BY act_at
LIMIT :examples

-- violated_roll_up
-- Whether what has finished is counted too late.
SELECT 'not counted for a while' AS example FROM rolled WHERE until < :before LIMIT :examples

-- violated_flows
-- Workflow runs that wait for steps and have no flow, and flows without such a run.
SELECT f.run AS example
FROM (SELECT c.run FROM flows AS c ORDER BY c.run LIMIT :look) AS f
WHERE NOT EXISTS (SELECT 1 FROM runs AS r WHERE r.id = f.run AND r.state = 0 AND r.reason IN ('steps', 'stopping'))
UNION ALL
SELECT r.id AS example
FROM (SELECT c.id, c.state, c.reason FROM runs AS c ORDER BY c.id LIMIT :look) AS r
WHERE r.state = 0 AND r.reason IN ('steps', 'stopping') AND NOT EXISTS (SELECT 1 FROM flows AS f WHERE f.run = r.id)
LIMIT :examples

-- violated_steps
-- Live runs of steps whose workflow runs have no flow.
SELECT r.id AS example
FROM (SELECT c.id FROM runs AS c ORDER BY c.id LIMIT :look) AS r
CROSS JOIN steps AS s ON s.run = r.id
WHERE NOT EXISTS (SELECT 1 FROM flows AS f WHERE f.run = s.workflow)
LIMIT :examples

-- violated_moving
-- Workflow runs that have not moved for a while and of which nothing is under way, noted or put off: nothing will move them.
SELECT f.run AS example
FROM (SELECT c.run, c.requests, c.touched_at FROM flows AS c ORDER BY c.run LIMIT :look) AS f
WHERE f.touched_at < :before AND (f.requests & 4) = 0
  AND NOT EXISTS (SELECT 1 FROM batches AS b WHERE b.run = f.run)
  AND NOT EXISTS (SELECT 1 FROM notes AS n WHERE n.workflow = f.run)
  AND NOT EXISTS (SELECT 1 FROM steps AS s CROSS JOIN runs AS r ON r.id = s.run WHERE s.workflow = f.run)
LIMIT :examples

-- violated_waits
-- Runs of steps that wait, and whose wait nothing could end.
SELECT r.id AS example
FROM (SELECT c.id, c.state, c.reason FROM runs AS c ORDER BY c.id LIMIT :look) AS r
WHERE r.state = 0 AND r.reason IN ('sleep', 'event', 'approval') AND NOT EXISTS (SELECT 1 FROM waits AS w WHERE w.run = r.id)
LIMIT :examples

-- violated_parked
-- Runs that wait for a breaker, and that no release would find.
SELECT r.id AS example
FROM (SELECT c.id, c.state, c.reason FROM runs AS c ORDER BY c.id LIMIT :look) AS r
WHERE r.state = 0 AND r.reason = 'breaker' AND NOT EXISTS (SELECT 1 FROM parked_runs AS p WHERE p.run = r.id)
LIMIT :examples
