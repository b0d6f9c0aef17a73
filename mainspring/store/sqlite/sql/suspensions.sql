-- note_suspensions
-- Keep why runs are set aside, and until when.
INSERT INTO suspensions (run, reason, resume_at)
SELECT substr(:run, 16 * e.key + 1, 16), e.value ->> 'reason', e.value ->> 'resume_at'
FROM json_each(:rows) AS e
WHERE true
ON CONFLICT (run) DO UPDATE SET reason = excluded.reason, resume_at = excluded.resume_at

-- resume
-- Put suspended runs back into their lines, or withdraw the request to yield. The instant at which they were due stays, unless
-- their suspension lasts longer, to an instant by which all may resume.
UPDATE runs
SET
  state = max(state, 1),
  reason = NULL,
  due_at = max(
    due_at,
    coalesce((SELECT s.resume_at FROM suspensions AS s WHERE s.run = runs.id AND s.resume_at <= :until), due_at)
  )
WHERE id IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)
RETURNING id, line, due_at
;
DELETE FROM suspensions
WHERE run IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)

-- lock_resuming
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

-- suspend_requests
-- Attempts of these sessions whose handlers are to yield.
SELECT r.id, r.token, r.session
FROM json_each(:rows) AS e
CROSS JOIN runs AS r INDEXED BY runs_suspending
WHERE r.state = 2 AND r.reason = 'suspending' AND r.session = substr(:ids, 16 * e.key + 1, 16)

-- suspensions_of
-- Why these live runs are suspended, or are to be.
SELECT s.run, s.reason, s.resume_at
FROM json_each(:rows) AS e
CROSS JOIN suspensions AS s ON s.run = substr(:ids, 16 * e.key + 1, 16)
CROSS JOIN runs AS r ON r.id = s.run
WHERE r.reason IN ('suspended', 'suspending')

-- prune_suspensions
-- Delete suspensions of runs that are not live any more.
DELETE FROM suspensions
WHERE run < :first AND NOT EXISTS (SELECT 1 FROM runs AS r WHERE r.id = suspensions.run)
