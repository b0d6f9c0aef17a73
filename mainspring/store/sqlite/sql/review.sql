-- tables
-- Every table and its columns: which are of the key, and which hold whole numbers.
SELECT m.name AS "table", c.name AS "column", c.type AS type, c.pk AS pk
FROM sqlite_schema AS m
JOIN pragma_table_info(m.name) AS c
WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE 'mainspring_%'
ORDER BY m.name, c.cid

-- outside_years
-- Rows of a table that have an instant outside the known years, or another thing where a number belongs.
SELECT {key} AS example
FROM (SELECT * FROM {table} LIMIT :look) AS t
WHERE {outside}
LIMIT :examples

-- review_jobs
-- Definitions, as they are read.
SELECT j.id, j.namespace, j.spec, j.version, j.code IS NOT NULL AS coded, j.code, j.updated_at, 0 AS deleted
FROM jobs AS j
ORDER BY j.id
LIMIT :look

-- review_job_versions
-- The newest versions of definitions.
SELECT v.job, v.version, v.origin, v.author, v.code_version, v.note, v.at, v.spec
FROM job_versions AS v
ORDER BY v.job DESC, v.version DESC
LIMIT :look

-- review_sessions
-- Executors' sessions.
SELECT s.* FROM sessions AS s ORDER BY s.id DESC LIMIT :look

-- review_triggers
-- Triggers.
SELECT json_group_array({row}) FROM (SELECT * FROM triggers ORDER BY id LIMIT :look) AS t

-- review_sweeps
-- The newest sweeps.
SELECT s.id, s.body FROM sweeps AS s ORDER BY s.id DESC LIMIT :look

-- review_backfills
-- The newest backfills.
SELECT b.id, b.body FROM backfills AS b ORDER BY b.id DESC LIMIT :look

-- review_calendar_versions
-- The newest versions of calendars.
SELECT c.namespace, c.name, c.owner, c.applied, v.version, v.author, v.note, v.at, v.spec, v.computed
FROM calendar_versions AS v
JOIN calendars AS c ON c.id = v.calendar
ORDER BY v.calendar DESC, v.version DESC
LIMIT :look

-- review_tokens
-- Access tokens.
SELECT t.id, t.name, t.role, t.namespace, t.queues, t.digest, t.replaced_digest, t.replaced_until, t.created_by,
  t.created_at, t.expires_at, t.rotated_at, t.revoked_at, t.last_used_at
FROM tokens AS t
ORDER BY t.created_at DESC, t.id
LIMIT :look

-- review_hooks
-- Secrets of webhooks.
SELECT h.trigger, h.id AS hook_id, h.auth, h.secret, h.old_secret, h.old_until, h.made_at
FROM hooks AS h
ORDER BY h.trigger
LIMIT :look

-- review_runs
-- The oldest live runs.
SELECT r.id, r.state, r.extra FROM runs AS r ORDER BY r.id LIMIT :look

-- review_history
-- The newest runs that have ended.
SELECT h.id, h.state, h.extra FROM history_{day} AS h ORDER BY h.id DESC LIMIT :look

-- review_attempts
-- Attempts that did not succeed.
SELECT a.run, a.number, a.outcome FROM attempts_{day} AS a ORDER BY a.run DESC LIMIT :look

-- review_memories
-- What runs remember.
SELECT m.run, m.name, m.kind, m.value FROM memories AS m ORDER BY m.run DESC LIMIT :look

-- review_audit
-- The newest entries of the audit log.
SELECT a.position, a.details FROM audit AS a ORDER BY a.position DESC LIMIT :look

-- review_rollups
-- Counts of what has finished.
SELECT r.at, r.line, r.job, r.state, r.runs, r.wait_sum, r.wait_max, r.duration_sum, r.duration_max, r.waits, r.durations
FROM rollups AS r
LIMIT :look

-- review_skips
-- Instants of triggers that were left out.
SELECT s.trigger, s.first_at, s.last_at, s.reason FROM skips AS s LIMIT :look

-- review_finished
-- Notes of runs that have finished.
SELECT position, at, ids FROM finished ORDER BY position LIMIT :look
