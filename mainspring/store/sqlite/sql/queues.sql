-- count_lines
-- Count the live runs of each line.
SELECT
  line,
  sum(state = 1 AND due_at <= :now) AS queued,
  sum(state = 1 AND due_at > :now) AS later,
  sum(state = 0) AS waiting,
  sum(state = 2) AS running,
  min(CASE WHEN state = 1 AND due_at <= :now THEN due_at END) AS oldest_at,
  min(CASE WHEN state = 2 THEN claimed_at END) AS running_oldest_at
FROM runs
GROUP BY line

-- clear_depths
-- Forget the last count.
DELETE FROM depths

-- put_depths
-- Keep the numbers of a count.
INSERT INTO depths (line, queued, later, waiting, running, oldest_at, running_oldest_at)
SELECT
  e.value ->> 'line',
  e.value ->> 'queued',
  e.value ->> 'later',
  e.value ->> 'waiting',
  e.value ->> 'running',
  e.value ->> 'oldest_at',
  e.value ->> 'running_oldest_at'
FROM json_each(:rows) AS e

-- date_survey
-- The numbers are of that instant; those of an older one come too late.
UPDATE surveys
SET taken_at = :now
WHERE id = 1 AND (taken_at IS NULL OR taken_at <= :now)
