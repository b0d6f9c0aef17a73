-- note_finished
-- Note a batch of runs that finished, to be rolled up later.
INSERT INTO finished (at, ids)
VALUES (:now, :ids)

-- next_finished
-- The oldest batches that are not rolled up yet.
SELECT position, at, ids
FROM finished
WHERE position > 0 AND at < :until
ORDER BY position
LIMIT :limit

-- count_finished
-- How many of these batches are still there.
SELECT count(*) AS there
FROM json_each(:positions) AS e
CROSS JOIN finished AS f ON f.position = e.value

-- drop_finished
-- Forget batches that are rolled up.
DELETE FROM finished
WHERE position BETWEEN :first AND :last
  AND position IN (SELECT value FROM json_each(:positions))

-- finished_runs
-- Count runs of one day by minute, line, job, state and buckets. A run that was noted twice is found once; one that an
-- outcome that came again named in vain had finished at another instant.
SELECT
  h.at / 60000000 * 60000000 AS at, h.line, h.job, h.state, h.wait_bucket, h.duration_bucket,
  count(*) AS runs, sum(h.wait) AS wait_sum, max(h.wait) AS wait_max, sum(h.duration) AS duration_sum,
  max(h.duration) AS duration_max
FROM (
  SELECT m.at, m.line, m.job, m.state, m.wait, m.duration, {wait_bucket} AS wait_bucket, {duration_bucket} AS duration_bucket
  FROM (
    SELECT
      r.finished_at AS at, r.line, r.job, r.state,
      max(r.started_at - max(r.due_at, r.created_at), 0) AS wait,
      CASE WHEN r.started_at IS NOT NULL THEN r.duration END AS duration
    FROM (
      SELECT DISTINCT substr(:id, 16 * e.key + 1, 16) AS id, e.value ->> 'at' AS at
      FROM json_each(:rows) AS e
    ) AS d
    CROSS JOIN history_{day} AS r ON r.id = d.id AND r.finished_at = d.at
  ) AS m
) AS h
GROUP BY 1, 2, 3, 4, 5, 6

-- rollups_at
-- The roll-ups of these steps of time.
SELECT at, line, job, state, runs, wait_sum, wait_max, duration_sum, duration_max, waits, durations
FROM rollups
WHERE step = :step AND at IN (SELECT value FROM json_each(:times))

-- put_rollups
-- Write roll-ups, each in place of the one before.
INSERT INTO rollups (step, at, line, job, state, runs, wait_sum, wait_max, duration_sum, duration_max, waits, durations)
SELECT
  :step, e.value ->> 'at', e.value ->> 'line', e.value ->> 'job', e.value ->> 'state', e.value ->> 'runs',
  e.value ->> 'wait_sum', e.value ->> 'wait_max', e.value ->> 'duration_sum', e.value ->> 'duration_max',
  substr(:waits, (e.value ->> '$.waits[0]') + 1, e.value ->> '$.waits[1]'),
  substr(:durations, (e.value ->> '$.durations[0]') + 1, e.value ->> '$.durations[1]')
FROM json_each(:rows) AS e
WHERE true
ON CONFLICT (step, at, line, job, state) DO UPDATE
SET
  runs = excluded.runs,
  wait_sum = excluded.wait_sum,
  wait_max = excluded.wait_max,
  duration_sum = excluded.duration_sum,
  duration_max = excluded.duration_max,
  waits = excluded.waits,
  durations = excluded.durations

-- read_rollups
-- The roll-ups of these lines within a range of time, oldest first.
SELECT at, line, job, state, runs, wait_sum, wait_max, duration_sum, duration_max, waits, durations
FROM rollups
WHERE step = :step
  AND at >= :since
  AND at < :until
  AND line IN (SELECT value FROM json_each(:lines))
  AND (:job IS NULL OR job = :job)
ORDER BY at
