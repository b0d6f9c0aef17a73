-- lock_jobs
-- Lock definitions by name, in one order for all.
SELECT j.id, j.namespace, j.name, j.spec, j.version, j.code IS NOT NULL AS coded, nullif(j.code, j.spec) AS code, j.updated_at,
  j.owner, j.applied, j.own_line, j.paused_at, j.paused_by, j.pause_reason,
  j.deleted_at IS NOT NULL OR j.version = 0 AS deleted
FROM mainspring.jobs AS j
WHERE j.namespace = :namespace AND j.name = ANY (:names::text[])
ORDER BY j.name
FOR UPDATE

-- said
-- What code has said of these jobs, oldest first.
SELECT v.job, v.version, v.spec FROM mainspring.job_versions AS v
WHERE v.job = ANY (:jobs::integer[]) AND v.origin = 'code'
ORDER BY v.job, v.version

-- spoken_for
-- Of these words of code those that another session speaks for, or did until a moment ago.
SELECT t.name
FROM unnest(:name::text[], :digest::text[]) AS t(name, digest)
WHERE EXISTS (
  SELECT FROM mainspring.sessions AS s
  WHERE s.namespace = :namespace AND s.id <> :session AND s.specs ->> t.name = t.digest AND (s.state <> 2 OR s.closed_at > :silent)
)

-- has_runs
-- Whether a job has runs that are not over.
SELECT EXISTS (SELECT FROM mainspring.live AS r WHERE r.job = :job) AS held

-- retrying_runs
-- Live runs of a job in some lines that have failed so far, of as many as are looked at.
SELECT r.line, count(*) AS runs
FROM (
  SELECT n.line, n.failures FROM mainspring.runs AS n
  WHERE n.job = :job AND n.line = ANY (:lines::integer[]) AND n.state < 2
  LIMIT :limit
) AS r
WHERE r.failures > 0
GROUP BY r.line

-- list_jobs
-- A page of definitions in the order of their names' bytes.
SELECT j.id, j.namespace, j.spec, j.version, j.code IS NOT NULL AS coded, nullif(j.code, j.spec) AS code, j.updated_at,
  j.owner, j.applied, j.own_line, j.paused_at, j.paused_by, j.pause_reason,
  false AS deleted
FROM mainspring.jobs AS j
WHERE j.namespace = :namespace AND j.deleted_at IS NULL
  AND j.name COLLATE "C" > :after
  AND starts_with(j.name, :prefix)
  AND (:queue::text IS NULL OR mainspring.json_or_null_1(j.spec) ->> 'queue' = :queue)
  AND (:handler::text IS NULL OR mainspring.json_or_null_1(j.spec) ->> 'handler' = :handler)
ORDER BY j.name COLLATE "C"
LIMIT :limit

-- add_lines
-- Make lines on their first use.
INSERT INTO mainspring.lines (namespace, queue, handler, address, job)
SELECT t.namespace, t.queue, t.handler, t.address, t.job
FROM unnest(:namespace::text[], :queue::text[], :handler::text[], :address::text[], :job::text[])
  AS t(namespace, queue, handler, address, job)
ORDER BY t.namespace, t.queue, t.handler, t.address, t.job
ON CONFLICT DO NOTHING

-- line_numbers
-- The numbers of those lines that there are, by their position.
SELECT l.id, t.position
FROM unnest(:namespace::text[], :queue::text[], :handler::text[], :address::text[], :job::text[]) WITH ORDINALITY
  AS t(namespace, queue, handler, address, job, position)
JOIN mainspring.lines AS l
  ON l.namespace = t.namespace AND l.queue = t.queue AND l.handler = t.handler AND l.address = t.address AND l.job = t.job

-- move_job
-- Put some of what is queued of one job in one line into another.
WITH chosen AS MATERIALIZED (
  SELECT r.id FROM mainspring.runs AS r
  WHERE r.job = :job AND r.line = :line AND r.state = 1
  ORDER BY r.id LIMIT :limit
  FOR UPDATE SKIP LOCKED
)
UPDATE mainspring.runs AS r SET line = :to FROM chosen AS c WHERE r.id = c.id
