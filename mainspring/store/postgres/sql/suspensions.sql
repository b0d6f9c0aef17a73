-- note_suspensions
-- Keep why runs are set aside, and until when.
INSERT INTO mainspring.suspensions AS s (run, reason, resume_at)
SELECT t.run, t.reason, t.resume_at
FROM unnest(:run::uuid[], :reason::text[], :resume_at::timestamptz[]) AS t(run, reason, resume_at)
ON CONFLICT (run) DO UPDATE SET reason = excluded.reason, resume_at = excluded.resume_at

-- resume
-- Put suspended runs back into their lines, or withdraw the request to yield. The instant at which they were due stays, unless
-- their suspension lasts longer, to an instant by which all may resume.
WITH forgotten AS (
  DELETE FROM mainspring.suspensions AS s WHERE s.run = ANY (:ids::uuid[])
)
UPDATE mainspring.runs AS r SET state = greatest(r.state, 1), reason = NULL, due_at = greatest(
    r.due_at, (SELECT s.resume_at FROM mainspring.suspensions AS s WHERE s.run = r.id AND s.resume_at <= :until)
  )
WHERE r.id = ANY (:ids::uuid[])
RETURNING r.id, r.line, r.due_at

-- lock_resuming
-- Lock suspended runs whose instant has come, earliest first.
SELECT r.id
FROM mainspring.suspensions AS s
JOIN mainspring.runs AS r ON r.id = s.run
WHERE s.resume_at <= :now AND r.state = 0 AND r.reason = 'suspended'
ORDER BY s.resume_at
LIMIT :limit
FOR UPDATE OF r SKIP LOCKED

-- forget_past_suspensions
-- Forget the instants of runs that have ended otherwise.
DELETE FROM mainspring.suspensions AS s
WHERE s.resume_at <= :now
  AND NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = s.run)
  AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE s.run = ANY (b.ids))

-- next_resume
-- The earliest instant at which a suspended run goes on.
SELECT s.resume_at FROM mainspring.suspensions AS s WHERE s.resume_at IS NOT NULL ORDER BY s.resume_at LIMIT 1

-- suspend_requests
-- Attempts of these sessions whose handlers are to yield.
SELECT r.id, r.token, r.session
FROM mainspring.runs AS r
WHERE r.state = 2 AND r.reason = 'suspending' AND r.session = ANY (:ids::uuid[])

-- suspensions_of
-- Why these live runs are suspended, or are to be.
SELECT s.run, s.reason, s.resume_at
FROM mainspring.suspensions AS s
JOIN mainspring.runs AS r ON r.id = s.run
WHERE s.run = ANY (:ids::uuid[]) AND r.reason IN ('suspended', 'suspending')

-- prune_suspensions
-- Delete suspensions of runs that are not live any more.
DELETE FROM mainspring.suspensions AS s
WHERE s.run < $1
  AND NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = s.run)
  AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE s.run = ANY (b.ids))
