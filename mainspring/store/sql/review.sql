-- review_jobs
-- Definitions, as they are read.
SELECT
  j.id, j.namespace, j.spec, j.version, j.code IS NOT NULL AS coded, j.code, j.updated_at, j.own_line, j.paused_at, j.paused_by,
  j.pause_reason, j.owner, j.applied, false AS deleted
FROM mainspring.jobs AS j
ORDER BY j.id
LIMIT :look

-- review_job_versions
-- The newest versions of definitions.
SELECT v.job, v.version, v.origin, v.author, v.code_version, v.note, v.at, v.spec
FROM mainspring.job_versions AS v
ORDER BY v.job DESC, v.version DESC
LIMIT :look

-- review_sessions
-- Executors' sessions.
SELECT s.* FROM mainspring.sessions AS s ORDER BY s.id DESC LIMIT :look

-- review_sweeps
-- The newest sweeps.
SELECT s.id, s.body FROM mainspring.sweeps AS s ORDER BY s.id DESC LIMIT :look

-- review_backfills
-- The newest backfills.
SELECT b.id, b.body FROM mainspring.backfills AS b ORDER BY b.id DESC LIMIT :look

-- review_calendar_versions
-- The newest versions of calendars.
SELECT c.namespace, c.name, c.owner, c.applied, v.version, v.author, v.note, v.at, v.spec, v.computed
FROM mainspring.calendar_versions AS v
JOIN mainspring.calendars AS c ON c.id = v.calendar
ORDER BY v.calendar DESC, v.version DESC
LIMIT :look

-- review_tokens
-- Access tokens.
SELECT t.id, t.name, t.role, t.namespace, t.queues, t.digest, t.replaced_digest, t.replaced_until, t.created_by,
  t.created_at, t.expires_at, t.rotated_at, t.revoked_at, t.last_used_at
FROM mainspring.tokens AS t
ORDER BY t.created_at DESC, t.id
LIMIT :look

-- review_breakers
-- Circuit breakers.
SELECT b.id, b.namespace, b.name, b.spec, b.state, b.epoch, b.revision, b.since_at, b.until, b.streak, b.wave, b.rate_before,
  b.was, b.reason, b.author
FROM mainspring.breakers AS b
ORDER BY b.id
LIMIT :look

-- review_breaker_history
-- Changes of circuit breakers.
SELECT h.breaker, h.epoch, h.at, h.was, h.state, h.until, h.calls, h.failures, h.slow, h.reason, h.author
FROM mainspring.breaker_history AS h
ORDER BY h.breaker, h.epoch
LIMIT :look

-- review_hooks
-- Secrets of webhooks.
SELECT h.trigger, h.id AS hook_id, h.auth, h.secret, h.old_secret, h.old_until, h.made_at
FROM mainspring.hooks AS h
ORDER BY h.trigger
LIMIT :look

-- review_runs
-- The oldest live runs.
SELECT r.id, r.state, r.extra FROM mainspring.runs AS r ORDER BY r.id LIMIT :look

-- review_memories
-- What runs remember.
SELECT m.run, m.name, m.kind, m.value FROM mainspring.memories AS m ORDER BY m.run DESC LIMIT :look

-- review_audit
-- The newest entries of the audit log.
SELECT a.position, a.details FROM mainspring.audit AS a ORDER BY a.position DESC LIMIT :look

-- review_rollups
-- Counts of what has finished.
SELECT r.at, r.line, r.job, r.state, r.runs, r.wait_sum, r.wait_max, r.duration_sum, r.duration_max, r.waits, r.durations
FROM mainspring.rollups AS r
LIMIT :look

-- review_skips
-- Instants of triggers that were left out.
SELECT s.trigger, s.first_at, s.last_at, s.reason FROM mainspring.skips AS s LIMIT :look

-- review_users
-- Users.
SELECT u.id, u.name, u.display_name, u.password, u.subject, u.roles, u.created_by, u.created_at, u.password_at, u.disabled_at
FROM mainspring.users AS u
ORDER BY u.id
LIMIT :look

-- review_sign_ins
-- The newest sign-ins.
SELECT s.id, s.digest, s.person, s.token, s.address, s.browser, s.created_at, s.expires_at, s.seen_at, s.ended_at
FROM mainspring.sign_ins AS s
ORDER BY s.id
LIMIT :look

-- review_alert_definitions
-- Alert rules, channels and SLOs.
SELECT d.noun, d.namespace, d.name, d.version, d.spec, d.secrets, d.owner, d.author, d.updated_at
FROM mainspring.alert_definitions AS d
ORDER BY d.noun, d.namespace, d.name
LIMIT :look

-- review_alerts
-- Alerts.
SELECT a.id, a.namespace, a.rule, a.subject, a.severity, a.state, a.since_at, a.fired_at, a.clear_at, a.ended_at, a.value,
  a.words, a.run, a.notified_at, a.notices, a.escalated_at, a.acked_at, a.acked_by, a.note, a.revision, a.told
FROM mainspring.alerts AS a
ORDER BY a.since_at DESC, a.id
LIMIT :look

-- review_notices
-- Notices.
SELECT n.id, n.namespace, n.channel, n.kind, n.topic, n.alerts, n.state, n.tries, n.next_at, n.made_at, n.sent_at, n.answer, n.token
FROM mainspring.notices AS n
ORDER BY n.made_at DESC, n.id
LIMIT :look
