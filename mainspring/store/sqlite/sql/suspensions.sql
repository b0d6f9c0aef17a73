-- suspend_idle
-- Have a run wait that nobody works on.
UPDATE runs
SET state = 0, reason = 'suspended'
WHERE id = :id AND state < 2

-- mark_suspending
-- Note on a running run that its handler is to yield.
UPDATE runs
SET reason = 'suspending'
WHERE id = :id AND state = 2

-- note_suspensions
-- Keep why runs are set aside, and until when.
INSERT INTO suspensions (run, reason, resume_at)
SELECT substr(:ids, 16 * e.key + 1, 16), e.value ->> 0, e.value ->> 1
FROM json_each(:rows) AS e
WHERE true
ON CONFLICT (run) DO UPDATE SET reason = excluded.reason, resume_at = excluded.resume_at

-- resume
-- Put a suspended run back into its line, or take the wish back; the instant at which it was due stays.
UPDATE runs
SET state = max(state, 1), reason = NULL
WHERE id = :id
RETURNING line

-- forget_suspension
-- Forget why a run was set aside.
DELETE FROM suspensions
WHERE run = :id

-- resuming
-- Suspended runs whose instant has come, earliest first.
SELECT r.id
FROM suspensions AS s INDEXED BY suspensions_resume
CROSS JOIN runs AS r ON r.id = s.run
WHERE s.resume_at <= :now AND r.state = 0 AND r.reason = 'suspended'
ORDER BY s.resume_at
LIMIT :limit

-- forget_past_suspensions
-- Forget the instants of runs that have ended otherwise.
DELETE FROM suspensions
WHERE resume_at <= :now AND NOT EXISTS (SELECT 1 FROM runs AS r WHERE r.id = suspensions.run)

-- next_resume
-- The earliest instant at which a suspended run goes on.
SELECT s.resume_at
FROM suspensions AS s INDEXED BY suspensions_resume
WHERE s.resume_at IS NOT NULL
ORDER BY s.resume_at
LIMIT 1

-- suspend_wishes
-- Attempts of these sessions whose handlers are to yield.
SELECT r.id, r.token, r.session
FROM json_each(:rows) AS e
CROSS JOIN runs AS r INDEXED BY runs_suspending
WHERE r.state = 2 AND r.reason = 'suspending' AND r.session = substr(:ids, 16 * e.key + 1, 16)

-- suspensions_of
-- Why these live runs are set aside, or are to be.
SELECT s.run, s.reason, s.resume_at
FROM json_each(:rows) AS e
CROSS JOIN suspensions AS s ON s.run = substr(:ids, 16 * e.key + 1, 16)
CROSS JOIN runs AS r ON r.id = s.run
WHERE r.reason IN ('suspended', 'suspending')

-- prune_suspensions
-- Delete suspensions of runs that are not live any more.
DELETE FROM suspensions
WHERE run < :first AND NOT EXISTS (SELECT 1 FROM runs AS r WHERE r.id = suspensions.run)
