-- add_jobs
-- Make rows for names that are new, to be locked; version 0 is never seen from outside.
INSERT INTO mainspring.jobs (namespace, name, spec, version, updated_at)
SELECT $1, t.name, t.spec, 0, $4
FROM unnest($2::text[], $3::bytea[]) AS t(name, spec)
WHERE NOT EXISTS (SELECT FROM mainspring.jobs AS j WHERE j.namespace = $1 AND j.name = t.name)
ORDER BY t.name
ON CONFLICT DO NOTHING

-- hold_jobs
-- Lock definitions by name, in one order for all.
SELECT j.id, j.namespace, j.name, j.spec, j.version, j.code IS NOT NULL AS coded, nullif(j.code, j.spec) AS code, j.updated_at,
  j.deleted_at IS NOT NULL OR j.version = 0 AS deleted
FROM mainspring.jobs AS j
WHERE j.namespace = $1 AND j.name = ANY ($2::text[])
ORDER BY j.name
FOR UPDATE

-- said
-- What code has said of these jobs, oldest first.
SELECT v.job, v.version, v.spec FROM mainspring.job_versions AS v
WHERE v.job = ANY ($1::integer[]) AND v.origin = 'code'
ORDER BY v.job, v.version

-- spoken_for
-- Of these words of code those that another session speaks for, or did until a moment ago.
SELECT t.name
FROM unnest($2::text[], $3::text[]) AS t(name, digest)
WHERE EXISTS (
  SELECT FROM mainspring.sessions AS s
  WHERE s.namespace = $1 AND s.id <> $4 AND s.specs ->> t.name = t.digest AND (s.state <> 2 OR s.closed_at > $5)
)

-- add_version
-- Keep a version of a definition.
INSERT INTO mainspring.job_versions (job, version, origin, author, code_version, note, at, spec)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)

-- update_job
-- Let a version take effect.
UPDATE mainspring.jobs AS j SET spec = $2, version = $3, code = $4, updated_at = $5, deleted_at = NULL WHERE j.id = $1

-- has_runs
-- Whether a job has runs that are not over.
SELECT EXISTS (SELECT FROM mainspring.live AS r WHERE r.job = $1)

-- delete_job
-- Take a definition away; the row stays, for history names it.
UPDATE mainspring.jobs AS j SET deleted_at = $2, updated_at = $2, code = NULL WHERE j.id = $1

-- all_jobs
-- Every definition.
SELECT j.id, j.namespace, j.spec, j.version, j.code IS NOT NULL AS coded, nullif(j.code, j.spec) AS code, j.updated_at,
  j.deleted_at IS NOT NULL AS deleted
FROM mainspring.jobs AS j
ORDER BY j.id

-- get_job
-- One definition by name.
SELECT j.id, j.namespace, j.spec, j.version, j.code IS NOT NULL AS coded, nullif(j.code, j.spec) AS code, j.updated_at,
  false AS deleted
FROM mainspring.jobs AS j
WHERE j.namespace = $1 AND j.name = $2 AND j.deleted_at IS NULL

-- list_jobs
-- A page of definitions in the order of their names' bytes.
SELECT j.id, j.namespace, j.spec, j.version, j.code IS NOT NULL AS coded, nullif(j.code, j.spec) AS code, j.updated_at,
  false AS deleted
FROM mainspring.jobs AS j
WHERE j.namespace = $1 AND j.deleted_at IS NULL
  AND j.name COLLATE "C" > $2
  AND starts_with(j.name, $3)
  AND ($4::text IS NULL OR convert_from(j.spec, 'UTF8')::jsonb ->> 'queue' = $4)
  AND ($5::text IS NULL OR convert_from(j.spec, 'UTF8')::jsonb ->> 'handler' = $5)
ORDER BY j.name COLLATE "C"
LIMIT $6

-- job_versions
-- The versions of a definition, newest first, behind a number.
SELECT v.job, v.version, v.origin, v.author, v.code_version, v.note, v.at, v.spec
FROM mainspring.job_versions AS v
WHERE v.job = $1 AND ($2::integer IS NULL OR v.version < $2)
ORDER BY v.version DESC
LIMIT $3

-- job_version
-- One version of a definition.
SELECT v.job, v.version, v.origin, v.author, v.code_version, v.note, v.at, v.spec
FROM mainspring.job_versions AS v
WHERE v.job = $1 AND v.version = $2

-- add_lines
-- Make lines on their first use.
INSERT INTO mainspring.lines (namespace, queue, handler, address)
SELECT t.namespace, t.queue, t.handler, t.address
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS t(namespace, queue, handler, address)
ORDER BY t.namespace, t.queue, t.handler, t.address
ON CONFLICT DO NOTHING

-- line_numbers
-- The numbers of those lines that there are, by their position.
SELECT l.id, t.position
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY
  AS t(namespace, queue, handler, address, position)
JOIN mainspring.lines AS l
  ON l.namespace = t.namespace AND l.queue = t.queue AND l.handler = t.handler AND l.address = t.address

-- move_queued
-- Put what is queued in one line into another.
UPDATE mainspring.runs SET line = $2 WHERE line = $1 AND state = 1

-- all_lines
-- Every line with its number.
SELECT l.id, l.namespace, l.queue, l.handler, l.address FROM mainspring.lines AS l
