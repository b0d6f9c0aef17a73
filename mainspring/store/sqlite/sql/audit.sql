-- append_audit
-- Add an entry.
INSERT INTO audit (at, actor, token, namespace, act, kind, key, details)
VALUES (:at, :actor, :token, :namespace, :act, :kind, :key, :details)

-- list_audit
-- Entries that match, newest first, behind a position.
SELECT position, at, actor, token, namespace, act, kind, key, details
FROM audit
WHERE (:namespace IS NULL OR namespace = :namespace)
  AND (:actor IS NULL OR actor = :actor)
  AND (:kind IS NULL OR kind = :kind)
  AND (:key IS NULL OR key = :key)
  AND (:since IS NULL OR at >= :since)
  AND (:before IS NULL OR position < :before)
ORDER BY position DESC
LIMIT :limit
