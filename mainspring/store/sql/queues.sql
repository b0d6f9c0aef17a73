-- queue_rules
-- All rules that say something.
SELECT q.namespace, q.queue, q.paused_at, q.paused_by, q.pause_reason, q.paused_until, q.max_queued, q.policy
FROM mainspring.queues AS q
WHERE q.paused_at IS NOT NULL OR q.max_queued IS NOT NULL OR q.policy IS NOT NULL

-- pause_queue
-- Pause a queue; one that was paused before stays so since then.
INSERT INTO mainspring.queues AS q (namespace, queue, paused_at, paused_by, pause_reason, paused_until)
VALUES (:namespace, :queue, :since, :by, :reason, :until)
ON CONFLICT (namespace, queue) DO UPDATE
SET paused_at = coalesce(q.paused_at, excluded.paused_at), paused_by = excluded.paused_by, pause_reason = excluded.pause_reason,
  paused_until = excluded.paused_until
RETURNING namespace, queue, paused_at, paused_by, pause_reason, paused_until, max_queued, policy

-- resume_queue
-- End a pause.
UPDATE mainspring.queues AS q
SET paused_at = NULL, paused_by = NULL, pause_reason = NULL, paused_until = NULL
WHERE q.namespace = :namespace AND q.queue = :queue AND q.paused_at IS NOT NULL
RETURNING queue

-- end_pause
-- End a pause whose time has come.
UPDATE mainspring.queues AS q
SET paused_at = NULL, paused_by = NULL, pause_reason = NULL, paused_until = NULL
WHERE q.namespace = :namespace AND q.queue = :queue AND q.paused_until <= :now
RETURNING queue

-- set_budget
-- Set or remove a budget.
INSERT INTO mainspring.queues AS q (namespace, queue, max_queued)
VALUES (:namespace, :queue, :max_queued)
ON CONFLICT (namespace, queue) DO UPDATE SET max_queued = excluded.max_queued
RETURNING namespace, queue, paused_at, paused_by, pause_reason, paused_until, max_queued, policy

-- lock_queue_policy
-- A queue's policy, until the end of the transaction.
SELECT q.policy
FROM mainspring.queues AS q
WHERE q.namespace = :namespace AND q.queue = :queue
FOR UPDATE

-- set_queue_policy
-- Set or remove a policy.
INSERT INTO mainspring.queues AS q (namespace, queue, policy)
VALUES (:namespace, :queue, :policy)
ON CONFLICT (namespace, queue) DO UPDATE SET policy = excluded.policy
RETURNING namespace, queue, paused_at, paused_by, pause_reason, paused_until, max_queued, policy

-- begin_survey
-- Win the right to count, unless somebody has it or began a moment ago; nobody waits for it.
UPDATE mainspring.surveys AS s
SET begun_at = :now
WHERE s.id = (
  SELECT o.id FROM mainspring.surveys AS o
  WHERE o.id = 1 AND (o.begun_at IS NULL OR o.begun_at <= :since)
  FOR UPDATE SKIP LOCKED
)

-- depths
-- The numbers of the last count, with its instant; a row without a line if nothing was there.
SELECT s.taken_at, d.line, d.queued, d.later, d.waiting, d.running, d.oldest_at, d.running_oldest_at
FROM mainspring.surveys AS s
LEFT JOIN mainspring.depths AS d ON true
WHERE s.id = 1
