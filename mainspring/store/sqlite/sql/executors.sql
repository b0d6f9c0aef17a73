-- list_executors
-- A page of living sessions with their cordons, by executor and id.
SELECT
  s.id, s.namespace, s.executor, s.server, s.state, s.lease_until, s.abilities, s.opened_at, s.load,
  v.name AS server_name, c.at, c.actor, c.reason, c.drain_at, c.grace
FROM sessions AS s
LEFT JOIN servers AS v ON v.id = s.server
LEFT JOIN cordons AS c ON c.namespace = s.namespace AND c.executor = s.executor
WHERE s.state <> 2
  AND s.namespace = :namespace
  AND (:executor IS NULL OR s.executor = :executor)
  AND (s.executor, s.id) > (:after_executor, :after_session)
ORDER BY s.executor, s.id
LIMIT :limit

-- held_runs
-- Some of the runs that sessions have.
SELECT r.id, j.name AS job, r.attempt, r.claimed_at, r.session
FROM json_each(:rows) AS e
CROSS JOIN runs AS r INDEXED BY runs_held ON r.state = 2 AND r.session = substr(:ids, 16 * e.key + 1, 16)
CROSS JOIN jobs AS j ON j.id = r.job
LIMIT :limit

-- all_cordons
-- Every cordon.
SELECT namespace, executor, at, actor, reason, drain_at, grace
FROM cordons

-- known_executor
-- Whether an executor of that name was seen, or has a cordon.
SELECT
  EXISTS (SELECT 1 FROM sessions WHERE namespace = :namespace AND executor = :executor)
  OR EXISTS (SELECT 1 FROM cordons WHERE namespace = :namespace AND executor = :executor)

-- hold_cordon
-- One cordon.
SELECT namespace, executor, at, actor, reason, drain_at, grace
FROM cordons
WHERE namespace = :namespace AND executor = :executor

-- put_cordon
-- Set or replace a cordon.
INSERT INTO cordons (namespace, executor, at, actor, reason, drain_at, grace)
VALUES (:namespace, :executor, :at, :actor, :reason, :drain_at, :grace)
ON CONFLICT (namespace, executor) DO UPDATE
SET
  at = excluded.at,
  actor = excluded.actor,
  reason = excluded.reason,
  drain_at = excluded.drain_at,
  grace = excluded.grace

-- drop_cordon
-- Take a cordon back.
DELETE FROM cordons
WHERE namespace = :namespace AND executor = :executor

-- mark_cordoned
-- Let the sessions of an executor take nothing new.
UPDATE sessions
SET state = 3
WHERE namespace = :namespace AND executor = :executor AND state = 0

-- mark_live
-- Let the sessions of an executor take work again.
UPDATE sessions
SET state = 0
WHERE namespace = :namespace AND executor = :executor AND state = 3

-- heed_cordons
-- Mark as cordoned what was opened in the very moment of a cordon, and as live what outlived one.
UPDATE sessions
SET state = 3 - state
WHERE state IN (0, 3)
  AND (state = 0) = EXISTS (
    SELECT 1
    FROM cordons AS c
    WHERE c.namespace = sessions.namespace AND c.executor = sessions.executor
  )
