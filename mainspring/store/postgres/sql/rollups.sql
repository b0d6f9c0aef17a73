-- lock_rolled
-- Up to when history is rolled up, locked against other servers; no row if one of them has it.
SELECT r.until FROM mainspring.rolled AS r WHERE r.id = 1 FOR UPDATE SKIP LOCKED

-- summarize
-- Tell the index of one day's history about its newest rows.
SELECT mainspring.summarize_1(:of_day)

-- finished_runs
-- What finished in a range of time, counted by minute, line, job, state and buckets.
SELECT
  f.o_minute AS at, f.o_line AS line, f.o_job AS job, f.o_state AS state, f.o_runs AS runs, f.o_wait AS wait_bucket,
  f.o_wait_sum AS wait_sum, f.o_wait_max AS wait_max, f.o_duration AS duration_bucket, f.o_duration_sum AS duration_sum,
  f.o_duration_max AS duration_max
FROM mainspring.finished_1(:since, :until, :edges) AS f

-- rollups_at
-- The roll-ups of these steps of time.
SELECT r.at, r.line, r.job, r.state, r.runs, r.wait_sum, r.wait_max, r.duration_sum, r.duration_max, r.waits, r.durations
FROM mainspring.rollups AS r
WHERE r.step = :step AND r.at = ANY (:times::timestamptz[])

-- put_rollups
-- Write roll-ups, each in place of the one before.
INSERT INTO mainspring.rollups AS r (
  step, at, line, job, state, runs, wait_sum, wait_max, duration_sum, duration_max, waits, durations
)
SELECT :step, t.at, t.line, t.job, t.state, t.runs, t.wait_sum, t.wait_max, t.duration_sum, t.duration_max, t.waits, t.durations
FROM unnest(
  :at::timestamptz[], :line::integer[], :job::integer[], :state::smallint[], :runs::bigint[], :wait_sum::bigint[],
  :wait_max::bigint[], :duration_sum::bigint[], :duration_max::bigint[], :waits::bytea[], :durations::bytea[]
) AS t(at, line, job, state, runs, wait_sum, wait_max, duration_sum, duration_max, waits, durations)
ON CONFLICT (step, at, line, job, state) DO UPDATE
SET runs = excluded.runs, wait_sum = excluded.wait_sum, wait_max = excluded.wait_max, duration_sum = excluded.duration_sum,
    duration_max = excluded.duration_max, waits = excluded.waits, durations = excluded.durations

-- read_rollups
-- The roll-ups of these lines within a range of time, oldest first.
SELECT r.at, r.line, r.job, r.state, r.runs, r.wait_sum, r.wait_max, r.duration_sum, r.duration_max, r.waits, r.durations
FROM mainspring.rollups AS r
WHERE r.step = :step AND r.at >= :since AND r.at < :until AND r.line = ANY (:lines::integer[])
  AND (:job::integer IS NULL OR r.job = :job)
ORDER BY r.at
