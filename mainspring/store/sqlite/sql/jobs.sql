-- add_job
-- Make a row for a name that is new; version 0 is never seen from outside.
INSERT INTO jobs (namespace, name, spec, version, updated_at)
VALUES (:namespace, :name, :spec, 0, :now)
ON CONFLICT DO NOTHING

-- hold_job
-- One definition by name, deleted or not.
SELECT
  id, namespace, name, spec, version, code IS NOT NULL AS coded, nullif(code, spec) AS code, updated_at,
  deleted_at IS NOT NULL OR version = 0 AS deleted
FROM jobs
WHERE namespace = :namespace AND name = :name

-- said
-- What code has said of a job, oldest first.
SELECT job, version, spec
FROM job_versions
WHERE job = :job AND origin = 'code'
ORDER BY version

-- spoken_for
-- Whether another session speaks for this word of code, or did until a moment ago.
SELECT EXISTS (
  SELECT 1
  FROM sessions AS s
  WHERE s.namespace = :namespace
    AND s.id <> :session
    AND (s.state <> 2 OR s.closed_at > :silent)
    AND EXISTS (SELECT 1 FROM json_each(CASE WHEN json_valid(s.specs) THEN s.specs ELSE '{}' END) AS e WHERE e.key = :name AND e.value = :digest)
)

-- add_version
-- Keep a version of a definition.
INSERT INTO job_versions (job, version, origin, author, code_version, note, at, spec)
VALUES (:job, :version, :origin, :author, :code_version, :note, :at, :spec)

-- update_job
-- Let a version take effect.
UPDATE jobs
SET spec = :spec, version = :version, code = :code, updated_at = :at, deleted_at = NULL
WHERE id = :job

-- has_runs
-- Whether a job has runs that are not over.
SELECT EXISTS (SELECT 1 FROM runs WHERE job = :job)

-- delete_job
-- Take a definition away; the row stays, for history names it.
UPDATE jobs
SET deleted_at = :now, updated_at = :now, code = NULL
WHERE id = :job

-- all_jobs
-- Every definition.
SELECT
  id, namespace, spec, version, code IS NOT NULL AS coded, nullif(code, spec) AS code, updated_at,
  deleted_at IS NOT NULL AS deleted
FROM jobs
ORDER BY id

-- get_job
-- One definition by name.
SELECT
  id, namespace, spec, version, code IS NOT NULL AS coded, nullif(code, spec) AS code, updated_at, 0 AS deleted
FROM jobs
WHERE namespace = :namespace AND name = :name AND deleted_at IS NULL

-- list_jobs
-- A page of definitions in the order of their names' bytes.
SELECT
  id, namespace, spec, version, code IS NOT NULL AS coded, nullif(code, spec) AS code, updated_at, 0 AS deleted
FROM jobs
WHERE namespace = :namespace
  AND deleted_at IS NULL
  AND name > :after
  AND substr(name, 1, length(:prefix)) = :prefix
  AND (:queue IS NULL OR CASE WHEN json_valid(CAST(spec AS TEXT)) THEN CAST(spec AS TEXT) ->> 'queue' END = :queue)
  AND (:handler IS NULL OR CASE WHEN json_valid(CAST(spec AS TEXT)) THEN CAST(spec AS TEXT) ->> 'handler' END = :handler)
ORDER BY name
LIMIT :limit

-- job_versions
-- The versions of a definition, newest first, behind a number.
SELECT job, version, origin, author, code_version, note, at, spec
FROM job_versions
WHERE job = :job AND (:before IS NULL OR version < :before)
ORDER BY version DESC
LIMIT :limit

-- job_version
-- One version of a definition.
SELECT job, version, origin, author, code_version, note, at, spec
FROM job_versions
WHERE job = :job AND version = :version

-- add_line
-- Make a line on its first use.
INSERT INTO lines (namespace, queue, handler, address)
VALUES (:namespace, :queue, :handler, :address)
ON CONFLICT DO NOTHING

-- line_number
-- The number of a line.
SELECT id
FROM lines
WHERE namespace = :namespace AND queue = :queue AND handler = :handler AND address = :address

-- move_queued
-- Put what is queued in one line into another.
UPDATE runs SET line = :to WHERE line = :line AND state = 1

-- all_lines
-- Every line with its number.
SELECT id, namespace, queue, handler, address
FROM lines
