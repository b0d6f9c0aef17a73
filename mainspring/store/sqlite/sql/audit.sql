-- append_audit
-- Add an entry.
INSERT INTO audit (at, actor, token, namespace, act, kind, key, details)
VALUES (:at, :actor, :token, :namespace, :act, :kind, :key, :details)

-- list_audit
-- Entries that meet the conditions, newest first.
SELECT position, at, actor, token, namespace, act, kind, key, details
FROM audit
WHERE {conditions}
ORDER BY at DESC, position DESC
LIMIT :limit
