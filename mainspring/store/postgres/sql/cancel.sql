-- lock_live
-- Lock these live runs of a namespace, in one order for all.
SELECT r.id, r.state, r.reason, r.session, r.token
FROM mainspring.runs AS r
JOIN mainspring.lines AS l ON l.id = r.line
WHERE r.id = ANY (:ids::uuid[]) AND l.namespace = :namespace
ORDER BY r.id
FOR UPDATE OF r

-- finish_idle
-- Move runs that no session has to history, all in one final state for one reason. Only a running run has a token;
-- asking for the state would offer the planner other ways than by the ids.
WITH moved AS (
  DELETE FROM mainspring.runs AS r
  WHERE r.id = ANY (:ids::uuid[]) AND r.token IS NULL
  RETURNING r.*, coalesce(r.extra, '') NOT LIKE '{"workflow"%'
    AND EXISTS (SELECT FROM mainspring.jobs AS j WHERE j.id = r.job AND j.forgets > 1) AS forgotten
), noted AS (
  INSERT INTO mainspring.forgotten (runs)
  SELECT array_agg(m.id) FROM moved AS m WHERE m.forgotten AND m.input = '' HAVING count(*) > 0
)
INSERT INTO mainspring.history (
  id, due_at, created_at, finished_at, duration, line, job, attempt, priority, state, failures, losses, reason,
  deadline_at, key, extra, input
)
SELECT
  m.id, m.due_at, m.created_at, :now, 0, m.line, m.job, m.attempt, m.priority, :state, m.failures, m.losses, :reason,
  m.deadline_at, m.key, m.extra,
  CASE WHEN m.forgotten THEN '\x00' ELSE m.input END
FROM moved AS m

-- mark_cancelling
-- Note on running runs that they are to be cancelled.
UPDATE mainspring.runs AS r SET reason = 'cancelling', cancel_reason = :reason
WHERE r.id = ANY (:ids::uuid[]) AND r.token IS NOT NULL

-- past_of
-- The states of these settled runs of a namespace.
SELECT h.id, h.state
FROM mainspring.history AS h
JOIN mainspring.lines AS l ON l.id = h.line
WHERE h.id = ANY (:ids::uuid[]) AND h.finished_at >= :since AND l.namespace = :namespace

-- cancel_requests
-- Attempts of these sessions that are to be cancelled.
SELECT r.id, r.token, r.session
FROM mainspring.runs AS r
WHERE r.state = 2 AND r.reason = 'cancelling' AND r.session = ANY (:ids::uuid[])

-- take_off_note
-- Take a run that is about to be run again off the note of payloads to delete, or wait until they are deleted.
UPDATE mainspring.forgotten SET runs = array_remove(runs, :run) WHERE :run = ANY (runs)

-- lock_past
-- Lock settled runs of a namespace, in one order for all.
SELECT h.state, h.finished_at AS place, h.extra,
  h.input = '\x00' OR h.input = '' AND NOT EXISTS (SELECT FROM mainspring.payloads AS p WHERE p.run = h.id) AS forgotten
FROM mainspring.history AS h
JOIN mainspring.lines AS l ON l.id = h.line
WHERE h.id = ANY (:ids::uuid[]) AND h.finished_at >= :since AND l.namespace = :namespace
ORDER BY h.id
FOR UPDATE OF h

-- retry
-- Move a settled run back into its line, with another input if one is given; an attempt that had succeeded is recorded, since history forgets it.
WITH moved AS (
  DELETE FROM mainspring.history AS h WHERE h.id = :id AND h.finished_at = :place RETURNING h.*
), recorded AS (
  INSERT INTO mainspring.attempts (run, number, outcome, token, session, started_at, ended_at)
  SELECT m.id, m.attempt, 0, m.token, m.session, m.started_at, m.finished_at
  FROM moved AS m
  WHERE m.state = 3
)
INSERT INTO mainspring.runs (
  id, due_at, created_at, line, job, attempt, priority, state, failures, losses, deadline_at, key, extra, input
)
SELECT
  m.id, :now, m.created_at, m.line, m.job, m.attempt, m.priority, 1, 0, 0,
  CASE WHEN m.deadline_at > :now THEN m.deadline_at END, m.key, m.extra, coalesce(:input, m.input)
FROM moved AS m
RETURNING line

-- late
-- Lock runs that no session has and whose deadline has come, earliest first.
SELECT r.id, r.deadline_at, r.extra, r.reason
FROM mainspring.runs AS r
WHERE r.deadline_at <= :now AND r.state < 2 AND r.reason IS DISTINCT FROM 'stopping'
ORDER BY r.deadline_at
LIMIT :limit
FOR UPDATE SKIP LOCKED

-- next_deadline
-- The earliest deadline of a run that no session has.
SELECT r.deadline_at
FROM mainspring.runs AS r
WHERE r.deadline_at IS NOT NULL AND r.state < 2 AND r.reason IS DISTINCT FROM 'stopping'
ORDER BY r.deadline_at
LIMIT 1
