-- hold
-- The attempts under way among these, each by its pair of run and token.
SELECT json_group_array(
  json_array(
    e.key, r.job, r.attempt, r.failures, r.losses, r.deadline_at,
    CASE WHEN r.deadline_at IS NOT NULL THEN CAST(r.extra AS TEXT) END,
    CASE WHEN r.reason = 'cancelling' THEN r.cancel_reason END,
    r.first_started_at,
    r.reason IS 'suspending',
    r.claimed_at,
    r.line,
    (SELECT s.executor FROM sessions AS s WHERE s.id = r.session),
    CASE WHEN json_valid(CAST(r.extra AS TEXT)) THEN CAST(r.extra AS TEXT) ->> 'traceparent' END
  )
)
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:ids, 16 * e.key + 1, 16)
WHERE r.state = 2 AND r.token = substr(:tokens, 16 * e.key + 1, 16)

-- record_attempts
-- Keep what is known about attempts that did not succeed, before their runs move on; with a lost one, some of what else
-- its executor had.
INSERT INTO attempts_{day} (
  run, number, token, outcome, executor, host, code_version, started_at, ended_at, duration, code, error, message, traceback,
  beside
)
SELECT
  r.id, r.attempt, r.token, e.value ->> 0, s.executor, CAST(s.abilities AS TEXT) ->> 'host',
  CAST(s.abilities AS TEXT) ->> 'code_version',
  r.claimed_at + 1000 * (e.value ->> 1), :now, e.value ->> 2, e.value ->> 3, e.value ->> 4, e.value ->> 5, e.value ->> 6,
  CASE WHEN e.value ->> 0 = 5 THEN (
    SELECT group_concat(hex(n.id), '')
    FROM (
      SELECT o.id
      FROM runs AS o INDEXED BY runs_held
      WHERE o.state = 2 AND o.session = r.session AND o.id <> r.id
      LIMIT 20
    ) AS n
  ) END
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:ids, 16 * e.key + 1, 16)
LEFT JOIN sessions AS s ON s.id = r.session
WHERE r.state = 2 AND r.token = substr(:tokens, 16 * e.key + 1, 16)

-- finish
-- Copy runs into history in their final state, each by its pair of run and token.
INSERT INTO history_{day} (
  id, line, job, priority, due_at, state, reason, attempt, failures, losses, token, executor,
  created_at, started_at, finished_at, duration, deadline_at, key, extra, input, result
)
SELECT
  r.id, r.line, r.job, r.priority, r.due_at, e.value ->> 0, e.value ->> 1, r.attempt,
  r.failures + (e.value ->> 2), r.losses + (e.value ->> 3), r.token, s.executor,
  r.created_at, r.claimed_at + 1000 * (e.value ->> 4), :now, e.value ->> 5, r.deadline_at, r.key, r.extra,
  CASE WHEN k.id IS NULL THEN r.input ELSE x'00' END,
  CASE WHEN k.id IS NULL THEN substr(:results, (e.value ->> 6) + 1, e.value ->> 7) END
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:ids, 16 * e.key + 1, 16)
LEFT JOIN sessions AS s ON s.id = r.session
LEFT JOIN jobs AS k ON k.id = r.job AND k.forgets >= :forgets AND coalesce(substr(r.extra, 1, 11) <> :of_step, true)
WHERE r.state = 2 AND r.token = substr(:tokens, 16 * e.key + 1, 16)
ON CONFLICT DO NOTHING

-- any_forgetful
-- Whether there are jobs that leave no inputs in history.
SELECT EXISTS (SELECT 1 FROM jobs WHERE forgets > 0)

-- note_forgotten
-- Note the payloads of those of these runs whose jobs keep none, while their rows are still there.
INSERT INTO forgotten (run)
SELECT r.id
FROM json_each(:rows) AS e
CROSS JOIN history_{day} AS h ON h.id = substr(:ids, 16 * e.key + 1, 16)
CROSS JOIN runs AS r ON r.id = h.id
WHERE h.input = x'00' AND r.input = x''
ON CONFLICT DO NOTHING

-- remove_finished
-- Delete from the live runs what `finish` copied: the pair was compared there, so being in history is proof enough.
DELETE FROM runs
WHERE id IN (
  SELECT h.id
  FROM json_each(:rows) AS e
  CROSS JOIN history_{day} AS h ON h.id = substr(:ids, 16 * e.key + 1, 16)
)

-- requeue
-- Put runs back into their line, without an owner.
UPDATE runs
SET
  state = e.value ->> 0,
  reason = e.value ->> 1,
  due_at = coalesce(e.value ->> 2, due_at),
  failures = failures + (e.value ->> 3),
  losses = losses + (e.value ->> 4),
  deadline_at = CASE WHEN e.value ->> 5 THEN e.value ->> 6 ELSE deadline_at END,
  first_started_at = CASE WHEN e.value ->> 5 THEN coalesce(first_started_at, claimed_at + 1000 * (e.value ->> 7))
    ELSE first_started_at END,
  token = NULL,
  session = NULL,
  claimed_at = NULL
FROM json_each(:rows) AS e
WHERE runs.id = substr(:ids, 16 * e.key + 1, 16)

-- recorded
-- Which of these pairs ended on one day as a recorded attempt, and how.
SELECT json_group_array(json_array(e.key, a.outcome))
FROM json_each(:rows) AS e
CROSS JOIN attempts_{day} AS a ON a.run = substr(:ids, 16 * e.key + 1, 16)
WHERE a.token = substr(:tokens, 16 * e.key + 1, 16)

-- finished
-- Which of these pairs closed their run on one day.
SELECT json_group_array(e.key)
FROM json_each(:rows) AS e
CROSS JOIN history_{day} AS h ON h.id = substr(:ids, 16 * e.key + 1, 16)
WHERE h.token = substr(:tokens, 16 * e.key + 1, 16)
