-- list_executors
-- A page of living sessions with their cordons, by executor and id.
SELECT s.id, s.namespace, s.executor, s.server, s.state, s.lease_until, s.abilities, s.opened_at, s.load,
  v.name AS server_name, c.at, c.actor, c.reason, c.drain_at, c.grace
FROM mainspring.sessions AS s
LEFT JOIN mainspring.servers AS v ON v.id = s.server
LEFT JOIN mainspring.cordons AS c ON c.namespace = s.namespace AND c.executor = s.executor
WHERE NOT s.reclaimed AND s.state <> 2 AND s.namespace = :namespace
  AND (:executor::text IS NULL OR s.executor = :executor)
  AND (s.executor COLLATE "C", s.id) > (:after_executor, :after_session)
ORDER BY s.executor COLLATE "C", s.id
LIMIT :limit

-- all_cordons
-- Every cordon.
SELECT c.namespace, c.executor, c.at, c.actor, c.reason, c.drain_at, c.grace FROM mainspring.cordons AS c

-- known_executor
-- Whether an executor of that name was seen, has a cordon, or pools of other sizes are wanted for it.
SELECT EXISTS (SELECT 1 FROM mainspring.sessions AS s WHERE s.namespace = :namespace AND s.executor = :executor)
  OR EXISTS (SELECT 1 FROM mainspring.cordons AS c WHERE c.namespace = :namespace AND c.executor = :executor)
  OR EXISTS (SELECT 1 FROM mainspring.pool_wishes AS w WHERE w.namespace = :namespace AND w.executor = :executor) AS held

-- add_cordon
-- Set a cordon unless there is one.
INSERT INTO mainspring.cordons (namespace, executor, at, actor, reason, drain_at, grace)
VALUES (:namespace, :executor, :at, :actor, :reason, :drain_at, :grace)
ON CONFLICT DO NOTHING

-- lock_cordon
-- Lock a cordon.
SELECT c.namespace, c.executor, c.at, c.actor, c.reason, c.drain_at, c.grace
FROM mainspring.cordons AS c
WHERE c.namespace = :namespace AND c.executor = :executor
FOR UPDATE

-- change_cordon
-- Replace a cordon.
UPDATE mainspring.cordons AS c SET at = :at, actor = :actor, reason = :reason, drain_at = :drain_at, grace = :grace
WHERE c.namespace = :namespace AND c.executor = :executor

-- drop_cordon
-- Take a cordon back.
DELETE FROM mainspring.cordons AS c WHERE c.namespace = :namespace AND c.executor = :executor

-- mark_cordoned
-- Let the sessions of an executor take nothing new; a claim under way for one of them is waited for.
WITH living AS (
  SELECT s.id FROM mainspring.sessions AS s
  WHERE s.namespace = :namespace AND s.executor = :executor AND s.state = 0
  ORDER BY s.id
  FOR UPDATE
)
UPDATE mainspring.sessions AS s SET state = 3 FROM living WHERE s.id = living.id

-- mark_live
-- Let the sessions of an executor take work again.
UPDATE mainspring.sessions AS s SET state = 0 WHERE s.namespace = :namespace AND s.executor = :executor AND s.state = 3

-- apply_cordons
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

-- all_pool_wishes
-- Every size that operators want a pool to have.
SELECT w.namespace, w.executor, w.pool, w.core, w.max, w.queue, w.at, w.actor, w.reason
FROM mainspring.pool_wishes AS w
ORDER BY w.namespace, w.executor, w.pool

-- want_pool
-- Want a size for a pool, in place of the one wanted before.
INSERT INTO mainspring.pool_wishes AS w (namespace, executor, pool, core, max, queue, at, actor, reason)
VALUES (:namespace, :executor, :pool, :core, :max, :queue, :at, :actor, :reason)
ON CONFLICT (namespace, executor, pool) DO UPDATE
SET core = excluded.core, max = excluded.max, queue = excluded.queue, at = excluded.at, actor = excluded.actor,
  reason = excluded.reason

-- drop_pool_wish
-- Want the size that a pool was started with.
DELETE FROM mainspring.pool_wishes AS w WHERE w.namespace = :namespace AND w.executor = :executor AND w.pool = :pool
