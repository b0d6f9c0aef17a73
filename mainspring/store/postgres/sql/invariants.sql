-- violated_live_state
-- Live runs in a state that no live run has.
SELECT r.id::text AS example
FROM (SELECT c.id, c.state FROM mainspring.runs AS c ORDER BY c.id LIMIT :look) AS r
WHERE r.state NOT IN (0, 1, 2)
LIMIT :examples

-- violated_past_state
-- Runs in history that have not ended.
SELECT h.id::text AS example
FROM (SELECT c.id, c.state FROM mainspring.history AS c ORDER BY c.id DESC LIMIT :look) AS h
WHERE h.state NOT IN (3, 4, 5, 6)
LIMIT :examples

-- violated_one_place
-- Live runs that are in history as well, or in a bundle twice, or in one and by themselves.
SELECT r.id::text AS example
FROM (
  (SELECT c.id FROM mainspring.runs AS c ORDER BY c.id LIMIT :look)
  UNION ALL
  SELECT u.id FROM mainspring.bundles AS b CROSS JOIN LATERAL unnest(b.ids) AS u(id)
  UNION ALL
  SELECT c.id FROM mainspring.bundles AS b CROSS JOIN LATERAL unnest(b.ids) AS u(id) JOIN mainspring.runs AS c ON c.id = u.id
) AS r
GROUP BY r.id
HAVING count(*) > 1 OR EXISTS (SELECT FROM mainspring.history AS h WHERE h.id = r.id)
LIMIT :examples

-- violated_owner
-- Runs with an owner that are not running, or the other way round.
SELECT r.id::text AS example
FROM (SELECT c.id, c.state, c.session, c.token FROM mainspring.runs AS c ORDER BY c.id LIMIT :look) AS r
WHERE (r.state = 2) <> (r.session IS NOT NULL) OR (r.state = 2) <> (r.token IS NOT NULL)
LIMIT :examples

-- violated_owner_known
-- Running runs whose session is not known.
SELECT r.id::text AS example
FROM (
  (SELECT c.id, c.session FROM mainspring.runs AS c WHERE c.state = 2 ORDER BY c.session, c.id LIMIT :look)
  UNION ALL
  SELECT b.ids[1], b.session FROM mainspring.bundles AS b
) AS r
WHERE NOT EXISTS (SELECT FROM mainspring.sessions AS s WHERE s.id = r.session)
LIMIT :examples

-- violated_owner_open
-- Running runs of sessions that are at rest.
SELECT r.id::text AS example
FROM (
  (SELECT c.id, c.session FROM mainspring.runs AS c WHERE c.state = 2 ORDER BY c.session, c.id LIMIT :look)
  UNION ALL
  SELECT b.ids[1], b.session FROM mainspring.bundles AS b
) AS r
WHERE EXISTS (SELECT FROM mainspring.sessions AS s WHERE s.id = r.session AND s.reclaimed)
LIMIT :examples

-- violated_reclaimed
-- Sessions that have been dead for a while and still have attempts.
SELECT s.executor || ' ' || s.id::text AS example
FROM (SELECT c.* FROM mainspring.sessions AS c WHERE NOT c.reclaimed ORDER BY c.id LIMIT :look) AS s
WHERE s.state = 2 AND s.closed_at < :before
  AND (
    EXISTS (SELECT FROM mainspring.runs AS r WHERE r.state = 2 AND r.session = s.id)
    OR EXISTS (SELECT FROM mainspring.bundles AS b WHERE b.session = s.id)
  )
LIMIT :examples

-- violated_leases
-- Sessions that are taken for alive though their lease has passed long ago.
SELECT s.executor || ' ' || s.id::text AS example
FROM (SELECT c.* FROM mainspring.sessions AS c WHERE NOT c.reclaimed ORDER BY c.id LIMIT :look) AS s
WHERE s.state <> 2 AND s.lease_until < :before
LIMIT :examples

-- violated_deadlines
-- Runs that no session has though their deadline has come long ago.
SELECT r.id::text AS example
FROM mainspring.runs AS r
WHERE r.deadline_at < :before AND r.state < 2 AND r.reason IS DISTINCT FROM 'stopping'
ORDER BY r.deadline_at
LIMIT :examples

-- violated_hold
-- Waiting runs that do not say for what.
SELECT r.id::text AS example
FROM (SELECT c.id, c.reason, c.state FROM mainspring.runs AS c ORDER BY c.id LIMIT :look) AS r
WHERE r.state = 0 AND (r.reason IS NULL OR r.reason <> ALL (:holds::text[]))
LIMIT :examples

-- violated_keys
-- Keys of runs that are nowhere.
SELECT k.namespace || ' ' || k.key AS example
FROM (SELECT c.namespace, c.key, c.run FROM mainspring.keys AS c WHERE c.created_at < :before ORDER BY c.created_at DESC LIMIT :look) AS k
WHERE NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = k.run)
  AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE k.run = ANY (b.ids))
  AND NOT EXISTS (SELECT FROM mainspring.history AS h WHERE h.id = k.run)
LIMIT :examples

-- violated_marks
-- Marks of runs that are nowhere.
SELECT m.mark || ' of ' || m.run::text AS example
FROM (SELECT c.mark, c.run FROM mainspring.marks AS c WHERE c.run < :first ORDER BY c.run DESC LIMIT :look) AS m
WHERE NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = m.run)
  AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE m.run = ANY (b.ids))
  AND NOT EXISTS (SELECT FROM mainspring.history AS h WHERE h.id = m.run)
LIMIT :examples

-- violated_payloads
-- Payloads of runs that are nowhere, and live runs whose input is apart and not there.
(
  SELECT m.run::text AS example
  FROM (SELECT c.run FROM mainspring.payloads AS c WHERE c.run < :first ORDER BY c.run DESC LIMIT :look) AS m
  WHERE NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = m.run)
    AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE m.run = ANY (b.ids))
    AND NOT EXISTS (SELECT FROM mainspring.history AS h WHERE h.id = m.run)
  LIMIT :examples
)
UNION ALL
(
  SELECT r.id::text
  FROM (SELECT c.id, c.input FROM mainspring.runs AS c ORDER BY c.id LIMIT :look) AS r
  WHERE r.input = '' AND NOT EXISTS (SELECT FROM mainspring.payloads AS p WHERE p.run = r.id)
  LIMIT :examples
)

-- violated_dead_letters
-- Dead letters whose run has not failed.
SELECT d.run::text AS example
FROM (SELECT c.run, c.failed_at FROM mainspring.dead AS c ORDER BY c.run DESC LIMIT :look) AS d
WHERE NOT EXISTS (
  SELECT FROM mainspring.history AS h WHERE h.id = d.run AND h.finished_at = d.failed_at AND h.state = 4
)
LIMIT :examples

-- violated_fires
-- The latest fires of triggers, of the last day, whose runs are nowhere.
SELECT t.namespace || ' ' || t.name || ' at ' || f.fire_at::text AS example
FROM (SELECT c.* FROM mainspring.triggers AS c WHERE c.act_at IS NOT NULL ORDER BY c.act_at LIMIT :look) AS t
JOIN mainspring.fires AS f ON f.trigger = t.id AND f.fire_at = t.last_fire_at
WHERE f.fire_at < :before AND f.fire_at >= :day_before
  AND NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = f.run)
  AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE f.run = ANY (b.ids))
  AND NOT EXISTS (SELECT FROM mainspring.history AS h WHERE h.id = f.run)
LIMIT :examples

-- violated_acts
-- Active triggers that are not to be moved when their next instant comes; only such are in the index.
SELECT t.namespace || ' ' || t.name AS example
FROM mainspring.triggers AS t
WHERE t.next_due IS NOT NULL AND t.paused_at IS NULL AND (t.act_at IS NULL OR t.act_at > t.next_due)
ORDER BY t.id
LIMIT :examples

-- violated_moves
-- Triggers whose time to move has come long ago.
SELECT t.namespace || ' ' || t.name AS example
FROM mainspring.triggers AS t
WHERE t.act_at < :before
ORDER BY t.act_at
LIMIT :examples

-- violated_roll_up
-- Up to when everything is counted, if that is too long ago.
SELECT 'counted up to ' || r.until::text AS example FROM mainspring.rolled AS r WHERE r.until < :before LIMIT :examples

-- violated_flows
-- Workflow runs that wait for steps and have no flow, and flows without such a run.
SELECT f.run::text AS example
FROM (SELECT c.run FROM mainspring.flows AS c ORDER BY c.run LIMIT :look) AS f
WHERE NOT EXISTS (SELECT 1 FROM mainspring.runs AS r WHERE r.id = f.run AND r.state = 0 AND r.reason IN ('steps', 'stopping'))
UNION ALL
SELECT r.id::text AS example
FROM (SELECT c.id, c.state, c.reason FROM mainspring.runs AS c ORDER BY c.id LIMIT :look) AS r
WHERE r.state = 0 AND r.reason IN ('steps', 'stopping') AND NOT EXISTS (SELECT 1 FROM mainspring.flows AS f WHERE f.run = r.id)
LIMIT :examples

-- violated_steps
-- Live runs of steps whose workflow runs have no flow.
SELECT r.id::text AS example
FROM (SELECT c.id FROM mainspring.runs AS c ORDER BY c.id LIMIT :look) AS r
JOIN mainspring.steps AS s ON s.run = r.id
WHERE NOT EXISTS (SELECT FROM mainspring.flows AS f WHERE f.run = s.workflow)
LIMIT :examples

-- violated_moving
-- Workflow runs that have not moved for a while and of which nothing is under way, noted or put off: nothing will move them.
SELECT f.run::text AS example
FROM (SELECT c.run, c.requests, c.touched_at FROM mainspring.flows AS c ORDER BY c.run LIMIT :look) AS f
WHERE f.touched_at < :before AND (f.requests & 4) = 0
  AND NOT EXISTS (SELECT FROM mainspring.batches AS b WHERE b.run = f.run)
  AND NOT EXISTS (SELECT FROM mainspring.notes AS n WHERE n.workflow = f.run)
  AND NOT EXISTS (SELECT FROM mainspring.steps AS s JOIN mainspring.runs AS r ON r.id = s.run WHERE s.workflow = f.run)
  AND NOT EXISTS (
    SELECT FROM mainspring.bundles AS b CROSS JOIN LATERAL unnest(b.ids) AS held(id)
    JOIN mainspring.steps AS s ON s.run = held.id
    WHERE s.workflow = f.run
  )
LIMIT :examples

-- violated_waits
-- Runs of steps that wait, and whose wait nothing could end.
SELECT r.id::text AS example
FROM (SELECT c.id, c.state, c.reason FROM mainspring.runs AS c ORDER BY c.id LIMIT :look) AS r
WHERE r.state = 0 AND r.reason IN ('sleep', 'event', 'approval') AND NOT EXISTS (SELECT FROM mainspring.waits AS w WHERE w.run = r.id)
LIMIT :examples

-- violated_parked
-- Runs that wait for a breaker, and that no release would find.
SELECT r.id::text AS example
FROM (SELECT c.id, c.state, c.reason FROM mainspring.runs AS c ORDER BY c.id LIMIT :look) AS r
WHERE r.state = 0 AND r.reason = 'breaker' AND NOT EXISTS (SELECT FROM mainspring.parked_runs AS p WHERE p.run = r.id)
LIMIT :examples
