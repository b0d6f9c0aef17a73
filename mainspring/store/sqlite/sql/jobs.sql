-- lock_jobs
-- Definitions by name, deleted or not.
SELECT
  id, namespace, name, spec, version, code IS NOT NULL AS coded, nullif(code, spec) AS code, updated_at,
  owner, applied, own_line, paused_at, paused_by, pause_reason, deleted_at IS NOT NULL OR version = 0 AS deleted
FROM jobs
WHERE namespace = :namespace AND name IN (SELECT e.value FROM json_each(:names) AS e)
ORDER BY name

-- said
-- What code has said of these jobs, oldest first.
SELECT job, version, spec
FROM job_versions
WHERE job IN (SELECT e.value FROM json_each(:jobs) AS e) AND origin = 'code'
ORDER BY job, version

-- spoken_for
-- Of these words of code those that another session speaks for, or did until a moment ago.
SELECT t.value ->> 'name' AS name
FROM json_each(:rows) AS t
WHERE EXISTS (
  SELECT 1
  FROM sessions AS s
  WHERE s.namespace = :namespace
    AND s.id <> :session
    AND (s.state <> 2 OR s.closed_at > :silent)
    AND EXISTS (
      SELECT 1
      FROM json_each(CASE WHEN json_valid(s.specs) THEN s.specs ELSE '{}' END) AS e
      WHERE e.key = t.value ->> 'name' AND e.value = t.value ->> 'digest'
    )
)

-- has_runs
-- Whether a job has runs that are not over.
SELECT EXISTS (SELECT 1 FROM runs WHERE job = :job) AS held

-- retrying_runs
-- Live runs of a job in some lines that have failed so far, of as many as are looked at.
SELECT line, count(*) AS runs
FROM (
  SELECT line, failures FROM runs
  WHERE job = :job AND line IN (SELECT value FROM json_each(:lines)) AND state < 2
  LIMIT :limit
)
WHERE failures > 0
GROUP BY line

-- list_jobs
-- A page of definitions in the order of their names' bytes.
SELECT
  id, namespace, spec, version, code IS NOT NULL AS coded, nullif(code, spec) AS code, updated_at,
  owner, applied, own_line, paused_at, paused_by, pause_reason, 0 AS deleted
FROM jobs
WHERE namespace = :namespace
  AND deleted_at IS NULL
  AND name > :after
  AND substr(name, 1, length(:prefix)) = :prefix
  AND (:queue IS NULL OR CASE WHEN json_valid(CAST(spec AS TEXT)) THEN CAST(spec AS TEXT) ->> 'queue' END = :queue)
  AND (:handler IS NULL OR CASE WHEN json_valid(CAST(spec AS TEXT)) THEN CAST(spec AS TEXT) ->> 'handler' END = :handler)
ORDER BY name
LIMIT :limit

-- add_lines
-- Make lines on their first use.
INSERT INTO lines (namespace, queue, handler, address, job)
SELECT e.value ->> 'namespace', e.value ->> 'queue', e.value ->> 'handler', e.value ->> 'address', e.value ->> 'job'
FROM json_each(:rows) AS e
WHERE true
ON CONFLICT DO NOTHING

-- line_numbers
-- The numbers of those lines that there are, by their position.
SELECT l.id, e.key + 1 AS position
FROM json_each(:rows) AS e
CROSS JOIN lines AS l
  ON l.namespace = e.value ->> 'namespace' AND l.queue = e.value ->> 'queue'
  AND l.handler = e.value ->> 'handler' AND l.address = e.value ->> 'address' AND l.job = e.value ->> 'job'

-- move_job
-- Put some of what is queued of one job in one line into another.
UPDATE runs SET line = :to
WHERE id IN (SELECT r.id FROM runs AS r WHERE r.job = :job AND r.line = :line AND r.state = 1 LIMIT :limit)
