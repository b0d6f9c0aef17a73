-- hold_rolled
-- Up to when history is rolled up, held against other servers; no row if one of them has it.
SELECT r.until FROM mainspring.rolled AS r WHERE r.id = 1 FOR UPDATE SKIP LOCKED

-- move_rolled
-- History is rolled up to that instant.
UPDATE mainspring.rolled SET until = $1 WHERE id = 1

-- rolled_until
-- Up to when history is rolled up.
SELECT r.until FROM mainspring.rolled AS r WHERE r.id = 1

-- summarize
-- Tell the index of one day's history about its newest rows.
SELECT mainspring.summarize_1($1)

-- finished_runs
-- What finished in a range of time, counted by minute, line, job, state and buckets.
SELECT * FROM mainspring.finished_1($1, $2, $3)

-- rollups_at
-- The roll-ups of these steps of time.
SELECT r.at, r.line, r.job, r.state, r.runs, r.wait_sum, r.wait_max, r.duration_sum, r.duration_max, r.waits, r.durations
FROM mainspring.rollups AS r
WHERE r.step = $1 AND r.at = ANY ($2::timestamptz[])

-- put_rollups
-- Write roll-ups, each in place of the one before.
INSERT INTO mainspring.rollups AS r (
  step, at, line, job, state, runs, wait_sum, wait_max, duration_sum, duration_max, waits, durations
)
SELECT $1, t.at, t.line, t.job, t.state, t.runs, t.wait_sum, t.wait_max, t.duration_sum, t.duration_max, t.waits, t.durations
FROM unnest(
  $2::timestamptz[], $3::integer[], $4::integer[], $5::smallint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],
  $10::bigint[], $11::bytea[], $12::bytea[]
) AS t(at, line, job, state, runs, wait_sum, wait_max, duration_sum, duration_max, waits, durations)
ON CONFLICT (step, at, line, job, state) DO UPDATE
SET runs = excluded.runs, wait_sum = excluded.wait_sum, wait_max = excluded.wait_max, duration_sum = excluded.duration_sum,
    duration_max = excluded.duration_max, waits = excluded.waits, durations = excluded.durations

-- read_rollups
-- The roll-ups of these lines within a range of time, oldest first.
SELECT r.at, r.line, r.job, r.state, r.runs, r.wait_sum, r.wait_max, r.duration_sum, r.duration_max, r.waits, r.durations
FROM mainspring.rollups AS r
WHERE r.step = $1 AND r.at >= $3 AND r.at < $4 AND r.line = ANY ($2::integer[]) AND ($5::integer IS NULL OR r.job = $5)
ORDER BY r.at

-- prune_rollups
-- Delete old roll-ups.
DELETE FROM mainspring.rollups AS r WHERE r.step = $1 AND r.at < $2
