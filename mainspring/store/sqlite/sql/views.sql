-- get
-- One run of a namespace, live or from history.
SELECT
  r.id, l.namespace, j.name AS job, l.queue, l.handler, r.priority, r.state, r.reason, r.attempt, r.failures, r.losses,
  r.due_at, r.created_at, r.started_at, r.finished_at, coalesce(r.executor, s.executor) AS executor, r.input, r.result, r.key
FROM (
  SELECT *
  FROM all_runs
  WHERE id = :id
) AS r
CROSS JOIN lines AS l ON l.id = r.line
CROSS JOIN jobs AS j ON j.id = r.job
LEFT JOIN sessions AS s ON s.id = r.session
WHERE l.namespace = :namespace

-- list
-- A page of runs, newest first: live ones and each day's are merged by id, and no more is read than the page needs.
SELECT
  r.id, l.namespace, j.name AS job, l.queue, l.handler, r.priority, r.state, r.reason, r.attempt, r.failures, r.losses,
  r.due_at, r.created_at, r.started_at, r.finished_at, coalesce(r.executor, s.executor) AS executor, r.input, r.result, r.key
FROM (
  SELECT *
  FROM all_runs
  WHERE id < :before
    AND line IN (SELECT id FROM lines WHERE namespace = :namespace AND (:queue IS NULL OR queue = :queue))
    AND (:job IS NULL OR job IN (SELECT id FROM jobs WHERE namespace = :namespace AND name = :job))
    AND (:states = '[]' OR state IN (SELECT value FROM json_each(:states)))
  ORDER BY id DESC
  LIMIT :limit
) AS r
CROSS JOIN lines AS l ON l.id = r.line
CROSS JOIN jobs AS j ON j.id = r.job
LEFT JOIN sessions AS s ON s.id = r.session
ORDER BY r.id DESC

-- attempts
-- The attempts of a run that did not succeed, oldest first.
SELECT number, outcome, executor, started_at, ended_at, error, message, traceback
FROM attempts
WHERE run = :run
ORDER BY number

-- last_failure
-- The last failure of a run.
SELECT number, error, message, traceback
FROM attempts
WHERE run = :run AND error IS NOT NULL
ORDER BY number DESC
LIMIT 1
