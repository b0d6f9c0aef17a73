-- partitions
-- The day partitions that exist.
SELECT c.relname AS name
FROM pg_catalog.pg_inherits AS i
JOIN pg_catalog.pg_class AS c ON c.oid = i.inhrelid
JOIN pg_catalog.pg_class AS p ON p.oid = i.inhparent
JOIN pg_catalog.pg_namespace AS n ON n.oid = p.relnamespace
WHERE n.nspname = 'mainspring' AND p.relname = ANY (:tables::text[])
ORDER BY c.relname

-- prune_keys
-- Delete a batch of keys older than their time, unless their run still lives.
DELETE FROM mainspring.keys AS k
WHERE k.ctid = ANY (ARRAY(
  SELECT o.ctid
  FROM mainspring.keys AS o
  WHERE o.created_at < $1
    AND NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = o.run)
    AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE o.run = ANY (b.ids))
  LIMIT $2
))

-- prune_marks
-- Delete a batch of marks of runs that are neither live nor in history any more.
DELETE FROM mainspring.marks AS m
WHERE m.ctid = ANY (ARRAY(
  SELECT o.ctid
  FROM mainspring.marks AS o
  WHERE o.run < $1
    AND NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = o.run)
    AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE o.run = ANY (b.ids))
    AND NOT EXISTS (SELECT FROM mainspring.history AS h WHERE h.id = o.run)
  LIMIT $2
))

-- prune_progress
-- Delete progress of runs long over.
DELETE FROM mainspring.progress AS p WHERE p.at < $1
