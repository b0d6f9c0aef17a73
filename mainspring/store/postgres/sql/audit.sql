-- append_audit
-- Add an entry.
INSERT INTO mainspring.audit (at, actor, token, namespace, act, kind, key, details)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)

-- read_in_order
-- Have the next statement of the transaction read by an index in its order, and stop when it has a page: without
-- statistics the planner would rather gather all that matches, which may be everything, and sort it.
SET LOCAL enable_sort = off;
SET LOCAL enable_bitmapscan = off;
SET LOCAL enable_seqscan = off

-- list_audit
-- Entries that meet the conditions, newest first.
SELECT a.position, a.at, a.actor, a.token, a.namespace, a.act, a.kind, a.key, a.details
FROM mainspring.audit AS a
WHERE {conditions}
ORDER BY a.at DESC, a.position DESC
LIMIT $1
