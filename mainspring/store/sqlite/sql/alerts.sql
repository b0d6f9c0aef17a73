-- alerts_by_id
-- Alerts by their ids.
SELECT a.id, a.namespace, a.rule, a.subject, a.severity, a.state, a.since_at, a.fired_at, a.clear_at, a.ended_at, a.value,
  a.words, a.run, a.notified_at, a.notices, a.escalated_at, a.acked_at, a.acked_by, a.note, a.revision, a.told
FROM alerts AS a
WHERE a.id IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)
