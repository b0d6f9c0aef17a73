-- show
-- Runs of a namespace as people see them, live or from history; bodies up to a size.
SELECT
  r.id, l.namespace, j.name AS job, l.queue, l.handler, r.priority, r.state, r.reason, r.attempt, r.failures, r.losses,
  r.due_at, r.created_at, r.started_at, r.finished_at, r.deadline_at, coalesce(r.executor, s.executor) AS executor,
  r.key, r.extra, p.token AS progress_token, p.fraction, p.note,
  CASE WHEN r.input = x'00' AND :size >= 0 THEN x''  -- history does not keep it
    WHEN :size >= 0 AND length(coalesce(o.input, r.input)) <= :size THEN coalesce(o.input, r.input) END AS input,
  CASE WHEN length(r.result) <= :size THEN r.result END AS result
FROM (
  SELECT *
  FROM all_runs
  WHERE id IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)
) AS r
CROSS JOIN lines AS l ON l.id = r.line
CROSS JOIN jobs AS j ON j.id = r.job
LEFT JOIN payloads AS o ON r.input = x'' AND o.run = r.id
LEFT JOIN sessions AS s ON s.id = r.session
LEFT JOIN progress AS p ON p.run = r.id
WHERE l.namespace = :namespace

-- attempts
-- The attempts of a run that did not succeed, oldest first.
SELECT
  number, outcome, executor, host, code_version, started_at, ended_at, duration, code, error, message, traceback, beside
FROM attempts
WHERE run = :run
ORDER BY number

-- last_failure
-- The last failure of a run.
SELECT number, code, error, message, CASE WHEN length(traceback) <= :size THEN traceback END AS traceback
FROM attempts
WHERE run = :run AND error IS NOT NULL
ORDER BY number DESC
LIMIT 1
