-- hold_live
-- Lock these live runs of a namespace, in one order for all.
SELECT r.id, r.state, r.reason, r.session, r.token
FROM mainspring.runs AS r
JOIN mainspring.lines AS l ON l.id = r.line
WHERE r.id = ANY ($1::uuid[]) AND l.namespace = $2
ORDER BY r.id
FOR UPDATE OF r

-- finish_idle
-- Move runs that nobody works on to history, all in one final state for one reason. Only a running run has a token;
-- asking for the state would offer the planner other ways than by the ids.
WITH moved AS (
  DELETE FROM mainspring.runs AS r WHERE r.id = ANY ($1::uuid[]) AND r.token IS NULL RETURNING r.*
)
INSERT INTO mainspring.history (
  id, due_at, created_at, finished_at, duration, line, job, attempt, priority, state, failures, losses, reason,
  deadline_at, key, extra, input
)
SELECT
  m.id, m.due_at, m.created_at, $4, 0, m.line, m.job, m.attempt, m.priority, $2, m.failures, m.losses, $3,
  m.deadline_at, m.key, m.extra, m.input
FROM moved AS m

-- mark_cancelling
-- Note on running runs that they are to be cancelled.
UPDATE mainspring.runs AS r SET reason = 'cancelling', cancel_reason = $2
WHERE r.id = ANY ($1::uuid[]) AND r.token IS NOT NULL

-- past_of
-- The states of these settled runs of a namespace.
SELECT h.id, h.state
FROM mainspring.history AS h
JOIN mainspring.lines AS l ON l.id = h.line
WHERE h.id = ANY ($1::uuid[]) AND h.finished_at >= $3 AND l.namespace = $2

-- wishes
-- Attempts of these sessions that are to be cancelled.
SELECT r.id, r.token, r.session
FROM mainspring.runs AS r
WHERE r.state = 2 AND r.reason = 'cancelling' AND r.session = ANY ($1::uuid[])

-- hold_past
-- Lock settled runs of a namespace, in one order for all.
SELECT h.state, h.finished_at
FROM mainspring.history AS h
JOIN mainspring.lines AS l ON l.id = h.line
WHERE h.id = ANY ($1::uuid[]) AND h.finished_at >= $3 AND l.namespace = $2
ORDER BY h.id
FOR UPDATE OF h

-- retry
-- Move a settled run back into its line, with another input if one is given; an attempt that had succeeded is recorded, since history forgets it.
WITH moved AS (
  DELETE FROM mainspring.history AS h WHERE h.id = $1 AND h.finished_at = $2 RETURNING h.*
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
  m.id, $3, m.created_at, m.line, m.job, m.attempt, m.priority, 1, 0, 0,
  CASE WHEN m.deadline_at > $3 THEN m.deadline_at END, m.key, m.extra, coalesce($4, m.input)
FROM moved AS m
RETURNING line

-- take_up
-- Put a run that waits for somebody's word back into its line.
UPDATE mainspring.runs AS r SET state = 1, reason = NULL, due_at = $2, input = coalesce($3, r.input)
WHERE r.id = $1
RETURNING r.line

-- late
-- Lock runs that nobody works on and whose deadline has come, earliest first.
SELECT r.id, r.deadline_at, r.extra
FROM mainspring.runs AS r
WHERE r.deadline_at <= $1 AND r.state < 2
ORDER BY r.deadline_at
LIMIT $2
FOR UPDATE SKIP LOCKED

-- next_deadline
-- The earliest deadline of a run that nobody works on.
SELECT r.deadline_at
FROM mainspring.runs AS r
WHERE r.deadline_at IS NOT NULL AND r.state < 2
ORDER BY r.deadline_at
LIMIT 1
