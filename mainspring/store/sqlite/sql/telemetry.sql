-- append_logs
-- Keep log lines in the order they arrived; a line that was sent again is kept once.
INSERT INTO logs_{day} (position, run, token, seq, at, level, message)
SELECT
  (SELECT coalesce(max(position), :first) + 1 FROM logs_{day}) + e.key,
  substr(:run, 16 * e.key + 1, 16),
  substr(:token, 16 * e.key + 1, 16),
  e.value ->> 'seq',
  e.value ->> 'at',
  e.value ->> 'level',
  e.value ->> 'message'
FROM json_each(:rows) AS e
WHERE true
ON CONFLICT DO NOTHING

-- logs
-- Log lines of a run on one day after a position.
SELECT position, run, token, seq, at AS sent, level, message
FROM logs_{day}
WHERE run = :run AND position > :after
ORDER BY position
LIMIT :limit

-- report_progress
-- Keep the latest progress of each run.
INSERT INTO progress (run, token, fraction, note, at)
SELECT substr(:run, 16 * e.key + 1, 16), substr(:token, 16 * e.key + 1, 16), e.value ->> 'fraction', e.value ->> 'note', :now
FROM json_each(:rows) AS e
WHERE true
ON CONFLICT (run) DO UPDATE
SET token = excluded.token, fraction = excluded.fraction, note = excluded.note, at = excluded.at

-- prune_keys
-- Delete old keys, except those of runs that still live.
DELETE FROM keys
WHERE created_at < :before AND NOT EXISTS (SELECT 1 FROM runs AS r WHERE r.id = keys.run)

-- prune_marks
-- Delete a batch of marks of runs that are neither live nor in history any more.
DELETE FROM marks
WHERE run IN (
  SELECT m.run
  FROM marks AS m INDEXED BY marks_run
  WHERE m.run < :first AND NOT EXISTS (SELECT 1 FROM all_runs AS r WHERE r.id = m.run)
  LIMIT :batch
)

-- prune_payloads
-- Delete a batch of payloads of runs that are neither live nor in history any more.
DELETE FROM payloads
WHERE run IN (
  SELECT p.run
  FROM payloads AS p
  WHERE p.run < :first AND NOT EXISTS (SELECT 1 FROM all_runs AS r WHERE r.id = p.run)
  LIMIT :batch
)

-- forget_payloads
-- Delete some payloads of ended runs that history does not keep.
DELETE FROM payloads
WHERE run IN (SELECT f.run FROM forgotten AS f ORDER BY f.run LIMIT 500)
;
DELETE FROM forgotten
WHERE run IN (SELECT f.run FROM forgotten AS f ORDER BY f.run LIMIT 500)

-- prune_progress
-- Delete progress of runs long over.
DELETE FROM progress
WHERE at < :before AND NOT EXISTS (SELECT 1 FROM runs AS r WHERE r.id = progress.run)
