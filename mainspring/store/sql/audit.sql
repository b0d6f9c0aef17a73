-- append_audit
-- Add an entry.
INSERT INTO mainspring.audit (at, actor, token, namespace, act, kind, key, details)
VALUES (:at, :actor, :token, :namespace, :act, :kind, :key, :details)

-- list_audit
-- Entries that meet the conditions, newest first.
SELECT a.position, a.at, a.actor, a.token, a.namespace, a.act, a.kind, a.key, a.details
FROM mainspring.audit AS a
WHERE {conditions}
ORDER BY a.at DESC, a.position DESC
LIMIT :limit
