-- add_job
-- Make a row for a name that is new, to be locked; version 0 is never seen from outside.
INSERT INTO mainspring.jobs (namespace, name, spec, version, updated_at)
VALUES (:namespace, :name, :spec, 0, :now)
ON CONFLICT DO NOTHING

-- add_version
-- Keep a version of a definition.
INSERT INTO mainspring.job_versions (job, version, origin, author, code_version, note, at, spec)
VALUES (:job, :version, :origin, :author, :code_version, :note, :at, :spec)

-- update_job
-- Let a version take effect.
UPDATE mainspring.jobs AS j SET spec = :spec, version = :version, code = :code, updated_at = :at, deleted_at = NULL,
  own_line = j.own_line OR :own_line, forgets = :forgets
WHERE j.id = :job

-- own_job
-- Say with whose set a definition was applied, at which version.
UPDATE mainspring.jobs AS j SET owner = :owner, applied = :version WHERE j.id = :job

-- delete_job
-- Take a definition away; the row stays, for history names it.
UPDATE mainspring.jobs AS j SET deleted_at = :now, updated_at = :now, code = NULL, owner = '', applied = NULL
WHERE j.id = :job

-- all_jobs
-- Every definition.
SELECT j.id, j.namespace, j.spec, j.version, j.code IS NOT NULL AS coded, nullif(j.code, j.spec) AS code, j.updated_at,
  j.owner, j.applied, j.own_line, j.paused_at, j.paused_by, j.pause_reason,
  j.deleted_at IS NOT NULL AS deleted
FROM mainspring.jobs AS j
ORDER BY j.id

-- get_job
-- One definition by name.
SELECT j.id, j.namespace, j.spec, j.version, j.code IS NOT NULL AS coded, nullif(j.code, j.spec) AS code, j.updated_at,
  j.owner, j.applied, j.own_line, j.paused_at, j.paused_by, j.pause_reason,
  false AS deleted
FROM mainspring.jobs AS j
WHERE j.namespace = :namespace AND j.name = :name AND j.deleted_at IS NULL

-- pause_job
-- Pause a job, which has lines of its own from now on; one that was paused before stays so since then.
UPDATE mainspring.jobs AS j
SET paused_at = coalesce(j.paused_at, :since), paused_by = :by, pause_reason = :reason, own_line = true
WHERE j.id = :job

-- resume_job
-- End the pause of a job.
UPDATE mainspring.jobs AS j
SET paused_at = NULL, paused_by = NULL, pause_reason = NULL
WHERE j.id = :job AND j.paused_at IS NOT NULL

-- job_versions
-- The versions of a definition, newest first, behind a number.
SELECT v.job, v.version, v.origin, v.author, v.code_version, v.note, v.at, v.spec
FROM mainspring.job_versions AS v
WHERE v.job = :job AND (:before::integer IS NULL OR v.version < :before)
ORDER BY v.version DESC
LIMIT :limit

-- job_version
-- One version of a definition.
SELECT v.job, v.version, v.origin, v.author, v.code_version, v.note, v.at, v.spec
FROM mainspring.job_versions AS v
WHERE v.job = :job AND v.version = :version

-- move_queued
-- Put what is queued in one line into another.
UPDATE mainspring.runs SET line = :to WHERE line = :line AND state = 1

-- all_lines
-- Every line with its number.
SELECT l.id, l.namespace, l.queue, l.handler, l.address, l.job FROM mainspring.lines AS l
