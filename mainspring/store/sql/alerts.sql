-- alert_definitions
-- All definitions of one noun.
SELECT d.noun, d.namespace, d.name, d.version, d.spec, d.secrets, d.owner, d.author, d.updated_at
FROM mainspring.alert_definitions AS d
WHERE d.noun = :noun
ORDER BY d.namespace, d.name

-- definitions_stamp
-- The number of definitions, of their versions, and their newest change.
SELECT count(*) AS count, coalesce(sum(d.version), 0)::bigint AS versions, max(d.updated_at) AS updated_at
FROM mainspring.alert_definitions AS d

-- lock_alert_definitions
-- Lock every definition of a namespace.
SELECT d.noun, d.namespace, d.name, d.version, d.spec, d.secrets, d.owner, d.author, d.updated_at
FROM mainspring.alert_definitions AS d
WHERE d.namespace = :namespace
ORDER BY d.noun, d.name
FOR UPDATE

-- put_alert_definition
-- Store a definition, in place of the one before.
INSERT INTO mainspring.alert_definitions AS d (noun, namespace, name, version, spec, secrets, owner, author, updated_at)
VALUES (:noun, :namespace, :name, 1, :spec, :secrets, :owner, :author, :updated_at)
ON CONFLICT (noun, namespace, name) DO UPDATE
SET version = d.version + 1, spec = excluded.spec, secrets = excluded.secrets, owner = excluded.owner,
  author = excluded.author, updated_at = excluded.updated_at
RETURNING version

-- delete_alert_definition
-- Take a definition away.
DELETE FROM mainspring.alert_definitions AS d WHERE d.noun = :noun AND d.namespace = :namespace AND d.name = :name

-- open_alerts
-- Every alert that is not over.
SELECT a.id, a.namespace, a.rule, a.subject, a.severity, a.state, a.since_at, a.fired_at, a.clear_at, a.ended_at, a.value,
  a.words, a.run, a.notified_at, a.notices, a.escalated_at, a.acked_at, a.acked_by, a.note, a.revision, a.told
FROM mainspring.alerts AS a
WHERE a.ended_at IS NULL

-- list_alerts
-- The alerts of a namespace, the newest first.
SELECT a.id, a.namespace, a.rule, a.subject, a.severity, a.state, a.since_at, a.fired_at, a.clear_at, a.ended_at, a.value,
  a.words, a.run, a.notified_at, a.notices, a.escalated_at, a.acked_at, a.acked_by, a.note, a.revision, a.told
FROM mainspring.alerts AS a
WHERE a.namespace = :namespace AND {conditions}
ORDER BY a.since_at DESC, a.id DESC
LIMIT :limit

-- lock_alert
-- Lock an alert.
SELECT a.id, a.namespace, a.rule, a.subject, a.severity, a.state, a.since_at, a.fired_at, a.clear_at, a.ended_at, a.value,
  a.words, a.run, a.notified_at, a.notices, a.escalated_at, a.acked_at, a.acked_by, a.note, a.revision, a.told
FROM mainspring.alerts AS a
WHERE a.id = :id FOR UPDATE

-- add_alert
-- Begin an alert, unless there is one of this rule and subject.
INSERT INTO mainspring.alerts (
  id, namespace, rule, subject, severity, state, since_at, fired_at, clear_at, ended_at, value, words, run, notified_at, notices,
  escalated_at, acked_at, acked_by, note, revision, told
)
VALUES (
  :id, :namespace, :rule, :subject, :severity, :state, :since_at, :fired_at, :clear_at, :ended_at, :value, :words, :run,
  :notified_at, :notices, :escalated_at, :acked_at, :acked_by, :note, :revision, :told
)
ON CONFLICT DO NOTHING

-- change_alert
-- Change an alert, unless another server has changed it since.
UPDATE mainspring.alerts AS a
SET severity = :severity, state = :state, fired_at = :fired_at, clear_at = :clear_at, ended_at = :ended_at, value = :value,
  words = :words, run = :run, notified_at = :notified_at, notices = :notices, escalated_at = :escalated_at,
  acked_at = :acked_at, acked_by = :acked_by, note = :note, revision = :revision,
  told = :told
WHERE a.id = :id AND a.revision = :before

-- drop_alert
-- Forget an alert that never fired, unless another server has changed it since.
DELETE FROM mainspring.alerts AS a WHERE a.id = :id AND a.revision = :before

-- prune_alerts
-- Forget alerts that were over long ago.
DELETE FROM mainspring.alerts AS a WHERE a.ended_at < :before

-- silences
-- Silences that have not ended.
SELECT s.id, s.namespace, s.rule, s.subject, s.until, s.author, s.reason, s.made_at
FROM mainspring.silences AS s
WHERE s.until > :now
ORDER BY s.until, s.id

-- add_silence
-- Keep notices back.
INSERT INTO mainspring.silences (id, namespace, rule, subject, until, author, reason, made_at)
VALUES (:id, :namespace, :rule, :subject, :until, :author, :reason, :made_at)

-- end_silence
-- End a silence before its time.
UPDATE mainspring.silences AS s SET until = :now WHERE s.id = :id AND s.namespace = :namespace AND s.until > :now

-- prune_silences
-- Forget silences that ended long ago.
DELETE FROM mainspring.silences AS s WHERE s.until < :before

-- hold_duty
-- Take or renew the lease of a duty, unless another server has it.
INSERT INTO mainspring.duty_leases AS d (duty, server, until)
VALUES (:duty, :server, :until)
ON CONFLICT (duty) DO UPDATE SET server = excluded.server, until = excluded.until
WHERE d.server = excluded.server OR d.until < :now OR d.until > :absurd

-- delete_namespace_definitions
-- Delete the alert rules, channels and SLOs of a namespace.
DELETE FROM mainspring.alert_definitions AS d WHERE d.namespace = :name

-- delete_namespace_alerts
-- Delete the alerts of a namespace.
DELETE FROM mainspring.alerts AS a WHERE a.namespace = :name

-- delete_namespace_notices
-- Delete the notices of a namespace.
DELETE FROM mainspring.notices AS n WHERE n.namespace = :name

-- delete_namespace_silences
-- Delete the silences of a namespace.
DELETE FROM mainspring.silences AS s WHERE s.namespace = :name
