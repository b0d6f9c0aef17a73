-- queue_rules
-- All rules that say something.
SELECT namespace, queue, paused_at, paused_by, pause_reason, max_queued
FROM queues
WHERE paused_at IS NOT NULL OR max_queued IS NOT NULL

-- pause_queue
-- Pause a queue; one that was paused before stays so since then.
INSERT INTO queues (namespace, queue, paused_at, paused_by, pause_reason)
VALUES (:namespace, :queue, :since, :by, :reason)
ON CONFLICT (namespace, queue) DO UPDATE
SET
  paused_at = coalesce(paused_at, excluded.paused_at),
  paused_by = excluded.paused_by,
  pause_reason = excluded.pause_reason
RETURNING namespace, queue, paused_at, paused_by, pause_reason, max_queued

-- resume_queue
-- End a pause.
UPDATE queues
SET paused_at = NULL, paused_by = NULL, pause_reason = NULL
WHERE namespace = :namespace AND queue = :queue AND paused_at IS NOT NULL
RETURNING queue

-- set_budget
-- Set or remove a budget.
INSERT INTO queues (namespace, queue, max_queued)
VALUES (:namespace, :queue, :max_queued)
ON CONFLICT (namespace, queue) DO UPDATE SET max_queued = excluded.max_queued
RETURNING namespace, queue, paused_at, paused_by, pause_reason, max_queued

-- begin_survey
-- Win the right to count, unless somebody began a moment ago.
UPDATE surveys
SET begun_at = :now
WHERE id = 1 AND (begun_at IS NULL OR begun_at <= :since)

-- count_lines
-- Count the live runs of each line.
SELECT
  line,
  sum(state = 1 AND due_at <= :now),
  sum(state = 1 AND due_at > :now),
  sum(state = 0),
  sum(state = 2),
  min(CASE WHEN state = 1 AND due_at <= :now THEN due_at END)
FROM runs
GROUP BY line

-- clear_depths
-- Forget the last count.
DELETE FROM depths

-- put_depths
-- Keep the numbers of a count.
INSERT INTO depths (line, queued, later, waiting, running, oldest_at)
SELECT e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3, e.value ->> 4, e.value ->> 5
FROM json_each(:rows) AS e

-- date_survey
-- The numbers are of that instant; those of an older one come too late.
UPDATE surveys
SET taken_at = :now
WHERE id = 1 AND (taken_at IS NULL OR taken_at <= :now)

-- depths
-- The numbers of the last count, with its instant; a row without a line if nothing was there.
SELECT s.taken_at, d.line, d.queued, d.later, d.waiting, d.running, d.oldest_at
FROM surveys AS s
LEFT JOIN depths AS d ON true
WHERE s.id = 1
