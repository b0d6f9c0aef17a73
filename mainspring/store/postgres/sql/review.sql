-- instant_columns
-- Every table, but for the parts of others, with its key and its columns that hold instants.
SELECT
  c.relname AS "table",
  ARRAY(
    SELECT a.attname::text
    FROM pg_catalog.pg_index AS i
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey::smallint[])
    WHERE i.indrelid = c.oid AND i.indisprimary
  ) AS key,
  array_agg(o.attname::text) AS columns
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_attribute AS o ON o.attrelid = c.oid AND o.atttypid = 'timestamptz'::regtype AND NOT o.attisdropped
WHERE c.relnamespace = 'mainspring'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
GROUP BY c.oid, c.relname
ORDER BY c.relname

-- outside_years
-- Rows of a table that have an instant outside the known years.
SELECT {key} AS example
FROM (SELECT * FROM mainspring.{table} LIMIT $2) AS t
WHERE {outside}
LIMIT $1

-- review_jobs
-- Definitions, as they are read.
SELECT j.id, j.namespace, j.spec, j.version, j.code IS NOT NULL AS coded, j.code, j.updated_at, false AS deleted
FROM mainspring.jobs AS j
ORDER BY j.id
LIMIT $1

-- review_job_versions
-- The newest versions of definitions.
SELECT v.job, v.version, v.origin, v.author, v.code_version, v.note, v.at, v.spec
FROM mainspring.job_versions AS v
ORDER BY v.job DESC, v.version DESC
LIMIT $1

-- review_sessions
-- Executors' sessions.
SELECT s.* FROM mainspring.sessions AS s ORDER BY s.id DESC LIMIT $1

-- review_triggers
-- Triggers.
SELECT t.* FROM mainspring.triggers AS t ORDER BY t.id LIMIT $1

-- review_sweeps
-- The newest sweeps.
SELECT s.id, s.body FROM mainspring.sweeps AS s ORDER BY s.id DESC LIMIT $1

-- review_backfills
-- The newest backfills.
SELECT b.id, b.body FROM mainspring.backfills AS b ORDER BY b.id DESC LIMIT $1

-- review_calendar_versions
-- The newest versions of calendars.
SELECT c.namespace, c.name, c.owner, c.applied, v.version, v.author, v.note, v.at, v.spec, v.computed
FROM mainspring.calendar_versions AS v
JOIN mainspring.calendars AS c ON c.id = v.calendar
ORDER BY v.calendar DESC, v.version DESC
LIMIT $1

-- review_tokens
-- Access tokens.
SELECT t.id, t.name, t.role, t.namespace, t.queues, t.digest, t.replaced_digest, t.replaced_until, t.created_by,
  t.created_at, t.expires_at, t.rotated_at, t.revoked_at, t.last_used_at
FROM mainspring.tokens AS t
ORDER BY t.created_at DESC, t.id
LIMIT $1

-- review_hooks
-- Secrets of webhooks.
SELECT h.trigger, h.id AS hook_id, h.auth, h.secret, h.old_secret, h.old_until, h.made_at
FROM mainspring.hooks AS h
ORDER BY h.trigger
LIMIT $1

-- review_runs
-- The oldest live runs.
SELECT r.id, r.state, r.extra FROM mainspring.runs AS r ORDER BY r.id LIMIT $1

-- review_history
-- The newest runs that have ended.
SELECT h.id, h.state, h.extra FROM mainspring.history AS h ORDER BY h.id DESC LIMIT $1

-- review_attempts
-- Attempts that did not succeed.
SELECT a.run, a.number, a.outcome FROM mainspring.attempts AS a ORDER BY a.run DESC LIMIT $1

-- review_memories
-- What runs remember.
SELECT m.run, m.name, m.kind, m.value FROM mainspring.memories AS m ORDER BY m.run DESC LIMIT $1

-- review_audit
-- The newest entries of the audit log.
SELECT a.position, a.details FROM mainspring.audit AS a ORDER BY a.position DESC LIMIT $1

-- review_rollups
-- Counts of what has finished.
SELECT r.at, r.line, r.job, r.state, r.runs, r.wait_sum, r.wait_max, r.duration_sum, r.duration_max, r.waits, r.durations
FROM mainspring.rollups AS r
LIMIT $1

-- review_skips
-- Instants of triggers that were left out.
SELECT s.trigger, s.first_at, s.last_at, s.reason FROM mainspring.skips AS s LIMIT $1
