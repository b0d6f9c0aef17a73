-- lock_live
-- These live runs of a namespace.
SELECT r.id, r.state, r.reason, r.session, r.token
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:ids, 16 * e.key + 1, 16)
CROSS JOIN lines AS l ON l.id = r.line
WHERE l.namespace = :namespace

-- finish_idle
-- Move runs that no session has to history, all in one final state for one reason, and note them for the roll-ups.
INSERT INTO history_{day} (
  id, line, job, priority, due_at, state, reason, attempt, failures, losses, created_at, finished_at, duration,
  deadline_at, key, extra, input
)
SELECT
  r.id, r.line, r.job, r.priority, r.due_at, :state, :reason, r.attempt, r.failures, r.losses, r.created_at, :now, 0,
  r.deadline_at, r.key, r.extra,
  CASE WHEN k.id IS NULL THEN r.input ELSE x'00' END
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:ids, 16 * e.key + 1, 16)
LEFT JOIN jobs AS k ON k.id = r.job AND k.forgets > 1 AND coalesce(substr(r.extra, 1, 11) <> :of_step, true)
WHERE r.state < 2
;
INSERT INTO forgotten (run)
SELECT r.id
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:ids, 16 * e.key + 1, 16)
CROSS JOIN history_{day} AS h ON h.id = r.id
WHERE r.state < 2 AND r.input = x'' AND h.input = x'00'
ON CONFLICT DO NOTHING
;
DELETE FROM runs
WHERE state < 2 AND id IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)
;
INSERT INTO finished (at, ids)
VALUES (:now, :ids)

-- mark_cancelling
-- Note on running runs that they are to be cancelled.
UPDATE runs
SET reason = 'cancelling', cancel_reason = :reason
WHERE state = 2 AND id IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)

-- past_of
-- The states of those of these runs of a namespace that ended on one day.
SELECT h.id, h.state
FROM json_each(:rows) AS e
CROSS JOIN history_{day} AS h ON h.id = substr(:ids, 16 * e.key + 1, 16)
CROSS JOIN lines AS l ON l.id = h.line
WHERE l.namespace = :namespace

-- cancel_requests
-- Attempts of these sessions that are to be cancelled.
SELECT r.id, r.token, r.session
FROM json_each(:rows) AS e
CROSS JOIN runs AS r INDEXED BY runs_cancelling
WHERE r.state = 2 AND r.reason = 'cancelling' AND r.session = substr(:ids, 16 * e.key + 1, 16)

-- take_off_note
-- Take a run that is about to be run again off the note of payloads to delete.
DELETE FROM forgotten WHERE run = :run

-- lock_past
-- The states of those of these runs of a namespace that ended on one day, and that day.
SELECT
  h.state, '{day}' AS place, h.extra,
  h.input = x'00' OR h.input = x'' AND NOT EXISTS (SELECT 1 FROM payloads AS p WHERE p.run = h.id) AS forgotten
FROM json_each(:rows) AS e
CROSS JOIN history_{day} AS h ON h.id = substr(:ids, 16 * e.key + 1, 16)
CROSS JOIN lines AS l ON l.id = h.line
WHERE l.namespace = :namespace

-- retry
-- Move a run that ended on one day back into its line, with another input if one is given; an attempt that had succeeded is
-- recorded, since history forgets it.
INSERT INTO runs (
  id, line, job, priority, due_at, state, attempt, failures, losses, created_at, deadline_at, key, extra, input
)
SELECT
  h.id, h.line, h.job, h.priority, :now, 1, h.attempt, 0, 0, h.created_at,
  CASE WHEN h.deadline_at > :now THEN h.deadline_at END, h.key, h.extra, coalesce(:input, h.input)
FROM history_{day} AS h
WHERE h.id = :id
RETURNING line
;
INSERT INTO attempts_{day} (run, number, token, outcome, executor, started_at, ended_at)
SELECT h.id, h.attempt, h.token, 0, h.executor, h.started_at, h.finished_at
FROM history_{day} AS h
WHERE h.id = :id AND h.state = 3
;
DELETE FROM history_{day}
WHERE id = :id

-- late
-- Runs that no session has and whose deadline has come, earliest first.
SELECT r.id, r.deadline_at, r.extra, r.reason
FROM runs AS r INDEXED BY runs_deadline
WHERE r.deadline_at <= :now AND r.state < 2 AND r.reason IS NOT 'stopping'
ORDER BY r.deadline_at
LIMIT :limit

-- next_deadline
-- The earliest deadline of a run that no session has.
SELECT r.deadline_at
FROM runs AS r INDEXED BY runs_deadline
WHERE r.deadline_at IS NOT NULL AND r.state < 2 AND r.reason IS NOT 'stopping'
ORDER BY r.deadline_at
LIMIT 1
