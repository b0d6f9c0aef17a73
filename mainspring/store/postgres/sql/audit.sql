-- append_audit
-- Add an entry.
INSERT INTO mainspring.audit (at, actor, token, namespace, act, kind, key, details)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)

-- list_audit
-- Entries that match, newest first, behind a position.
SELECT a.position, a.at, a.actor, a.token, a.namespace, a.act, a.kind, a.key, a.details
FROM mainspring.audit AS a
WHERE ($1::text IS NULL OR a.namespace = $1)
  AND ($2::text IS NULL OR a.actor = $2)
  AND ($3::text IS NULL OR a.kind = $3)
  AND ($4::text IS NULL OR a.key = $4)
  AND ($5::timestamptz IS NULL OR a.at >= $5)
  AND ($6::bigint IS NULL OR a.position < $6)
ORDER BY a.position DESC
LIMIT $7
