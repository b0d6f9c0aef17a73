-- ended_since
-- How many runs of each job and line ended in each state since an instant.
SELECT r.line, r.job, r.state, sum(r.runs)::bigint AS runs
FROM mainspring.rollups AS r
WHERE r.step = 60 AND r.at >= :since
GROUP BY r.line, r.job, r.state

-- dead_since
-- How many runs of each job and line failed for good since an instant.
SELECT d.line, d.job, count(*) AS runs, max(d.error) AS error
FROM mainspring.dead AS d
WHERE d.failed_at >= :since
GROUP BY d.line, d.job

-- new_fingerprints
-- Kinds of failures that were first seen since an instant. A mute until an instant hides them; one until they come again
-- hides those of before it, so that what comes after it is new.
SELECT d.job, d.fingerprint, count(*) AS runs, max(d.error) AS error, min(d.failed_at) AS first_at
FROM mainspring.dead AS d
LEFT JOIN mainspring.failure_notes AS n ON n.namespace = d.namespace AND n.fingerprint = d.fingerprint
WHERE d.failed_at >= :since AND d.discarded_at IS NULL
  AND (n.muted_at IS NULL OR n.muted_until <= :now OR (n.muted_until IS NULL AND d.failed_at > n.muted_at))
  AND NOT EXISTS (
    SELECT 1 FROM mainspring.dead AS o
    WHERE o.namespace = d.namespace AND o.fingerprint = d.fingerprint AND o.failed_at < :since AND o.discarded_at IS NULL
      AND (n.muted_at IS NULL OR n.muted_until IS NOT NULL OR o.failed_at > n.muted_at)
  )
GROUP BY d.job, d.fingerprint
LIMIT 1000

-- open_dead
-- How many dead letters of each job are open.
SELECT d.job, count(*) AS runs FROM mainspring.dead AS d WHERE d.discarded_at IS NULL GROUP BY d.job

-- job_marks
-- When runs of each job last ended well.
SELECT m.job, m.succeeded_at FROM mainspring.job_marks AS m

-- mark_job
-- Keep when runs of a job last ended, well or badly.
INSERT INTO mainspring.job_marks AS m (job, succeeded_at, failed_at)
VALUES (:job, :succeeded_at, :failed_at)
ON CONFLICT (job) DO UPDATE
SET succeeded_at = coalesce(excluded.succeeded_at, m.succeeded_at), failed_at = coalesce(excluded.failed_at, m.failed_at)

-- late_triggers
-- Active triggers that should have been moved by an instant.
SELECT t.namespace, t.name, t.job, t.act_at
FROM mainspring.triggers AS t
WHERE t.act_at < :before AND t.paused_at IS NULL
LIMIT 1000

-- trigger_states
-- How many triggers of each namespace are active, paused or overdue.
SELECT t.namespace,
  CASE WHEN t.paused_at IS NOT NULL THEN 'paused' WHEN t.act_at < :overdue THEN 'overdue' ELSE 'active' END AS state,
  count(*) AS triggers
FROM mainspring.triggers AS t
GROUP BY 1, 2

-- paused_triggers
-- Triggers that are paused.
SELECT t.namespace, t.name, t.job, t.paused_at FROM mainspring.triggers AS t WHERE t.paused_at IS NOT NULL LIMIT 10000

-- skips_since
-- Fire times that triggers have skipped since an instant, but for those that an operator or a calendar asked for.
SELECT t.namespace, t.name, t.job, count(*) AS skips
FROM mainspring.skips AS s
JOIN mainspring.triggers AS t ON t.id = s.trigger
WHERE s.at >= :since AND s.reason NOT IN ('asked', 'calendar', 'paused', 'deleted')
GROUP BY t.namespace, t.name, t.job

-- fired_since
-- Fire times of a trigger in a range of time, with their runs, the newest first.
SELECT f.fire_at, f.run
FROM mainspring.triggers AS t
JOIN mainspring.fires AS f ON f.trigger = t.id
WHERE t.namespace = :namespace AND t.name = :trigger AND f.fire_at >= :since AND f.fire_at <= :until
ORDER BY f.fire_at DESC
LIMIT 1000

-- skipped_since
-- Stretches of fire times that a trigger has skipped since an instant, but for those that were asked for.
SELECT s.last_at
FROM mainspring.triggers AS t
JOIN mainspring.skips AS s ON s.trigger = t.id
WHERE t.namespace = :namespace AND t.name = :trigger AND s.last_at >= :since
  AND s.reason NOT IN ('asked', 'calendar', 'paused', 'deleted')
LIMIT 1000

-- lost_sessions
-- Executors whose lease lapsed since an instant, and that are not back.
SELECT s.namespace, s.executor, max(s.closed_at) AS closed_at
FROM mainspring.sessions AS s
WHERE s.state = 2 AND s.closed_at >= :since AND s.lease_until <= s.closed_at
  AND NOT EXISTS (
    SELECT 1 FROM mainspring.sessions AS o WHERE o.namespace = s.namespace AND o.executor = s.executor AND o.state <> 2
  )
GROUP BY s.namespace, s.executor

-- session_loads
-- The last beats of executors that are there.
SELECT s.namespace, s.executor, s.load FROM mainspring.sessions AS s WHERE s.state <> 2 AND s.load IS NOT NULL

-- still_flows
-- Workflow runs that have not moved since an instant, the stillest first, but for those that are paused or wait for a time (that
-- of a retry, too), an event or an approver, those of which a step is under way, and batches: these wait for their callers, and
-- their runs stand in queues, whose age is told.
SELECT f.job, f.run, f.touched_at
FROM mainspring.flows AS f
WHERE f.touched_at < :before AND (f.requests & 4) = 0
  AND NOT EXISTS (SELECT 1 FROM mainspring.batches AS b WHERE b.run = f.run)
  AND NOT EXISTS (
    SELECT 1 FROM mainspring.steps AS s JOIN mainspring.waits AS w ON w.run = s.run WHERE s.workflow = f.run
  )
  AND NOT EXISTS (
    SELECT 1
    FROM mainspring.steps AS s
    JOIN mainspring.runs AS r ON r.id = s.run
    WHERE s.workflow = f.run AND (r.state = 2 OR r.due_at > :before)
  )
ORDER BY f.touched_at
LIMIT 1000

-- expiring_tokens
-- Tokens that end before an instant.
SELECT t.id, t.name, t.namespace, t.expires_at
FROM mainspring.tokens AS t
WHERE t.revoked_at IS NULL AND t.expires_at > :now AND t.expires_at < :until
ORDER BY t.expires_at
LIMIT 100
