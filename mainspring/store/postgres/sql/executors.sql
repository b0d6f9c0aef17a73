-- list_executors
-- A page of living sessions with their cordons, by executor and id.
SELECT s.id, s.namespace, s.executor, s.server, s.state, s.lease_until, s.abilities, s.opened_at, s.load,
  v.name AS server_name, c.at, c.actor, c.reason, c.drain_at, c.grace
FROM mainspring.sessions AS s
LEFT JOIN mainspring.servers AS v ON v.id = s.server
LEFT JOIN mainspring.cordons AS c ON c.namespace = s.namespace AND c.executor = s.executor
WHERE NOT s.reclaimed AND s.state <> 2 AND s.namespace = $1
  AND ($2::text IS NULL OR s.executor = $2)
  AND (s.executor COLLATE "C", s.id) > ($3, $4)
ORDER BY s.executor COLLATE "C", s.id
LIMIT $5

-- held_runs
-- Some of the runs that sessions have.
SELECT r.id, j.name AS job, r.attempt, r.claimed_at, r.session
FROM mainspring.live AS r
JOIN mainspring.jobs AS j ON j.id = r.job
WHERE r.state = 2 AND r.session = ANY ($1::uuid[])
LIMIT $2

-- all_cordons
-- Every cordon.
SELECT c.namespace, c.executor, c.at, c.actor, c.reason, c.drain_at, c.grace FROM mainspring.cordons AS c

-- known_executor
-- Whether an executor of that name was seen, or has a cordon.
SELECT EXISTS (SELECT FROM mainspring.sessions AS s WHERE s.namespace = $1 AND s.executor = $2)
  OR EXISTS (SELECT FROM mainspring.cordons AS c WHERE c.namespace = $1 AND c.executor = $2)

-- add_cordon
-- Set a cordon unless there is one.
INSERT INTO mainspring.cordons (namespace, executor, at, actor, reason, drain_at, grace)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT DO NOTHING

-- hold_cordon
-- Lock a cordon.
SELECT c.namespace, c.executor, c.at, c.actor, c.reason, c.drain_at, c.grace
FROM mainspring.cordons AS c
WHERE c.namespace = $1 AND c.executor = $2
FOR UPDATE

-- change_cordon
-- Replace a cordon.
UPDATE mainspring.cordons AS c SET at = $3, actor = $4, reason = $5, drain_at = $6, grace = $7
WHERE c.namespace = $1 AND c.executor = $2

-- drop_cordon
-- Take a cordon back.
DELETE FROM mainspring.cordons AS c WHERE c.namespace = $1 AND c.executor = $2

-- mark_cordoned
-- Let the sessions of an executor take nothing new; a claim under way for one of them is waited for.
WITH living AS (
  SELECT s.id FROM mainspring.sessions AS s
  WHERE s.namespace = $1 AND s.executor = $2 AND s.state = 0
  ORDER BY s.id
  FOR UPDATE
)
UPDATE mainspring.sessions AS s SET state = 3 FROM living WHERE s.id = living.id

-- mark_live
-- Let the sessions of an executor take work again.
UPDATE mainspring.sessions AS s SET state = 0 WHERE s.namespace = $1 AND s.executor = $2 AND s.state = 3

-- heed_cordons
-- Mark as cordoned what was opened in the very moment of a cordon, and as live what outlived one.
WITH found AS (
  SELECT s.id, CASE WHEN c.executor IS NULL THEN 0 ELSE 3 END AS state
  FROM mainspring.sessions AS s
  LEFT JOIN mainspring.cordons AS c ON c.namespace = s.namespace AND c.executor = s.executor
  WHERE NOT s.reclaimed AND s.state = CASE WHEN c.executor IS NULL THEN 3 ELSE 0 END
  ORDER BY s.id
  FOR UPDATE OF s
)
UPDATE mainspring.sessions AS s SET state = found.state FROM found WHERE s.id = found.id
