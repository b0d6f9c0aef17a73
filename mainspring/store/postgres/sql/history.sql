-- partitions
-- The day partitions that exist.
SELECT c.relname AS name
FROM pg_catalog.pg_inherits AS i
JOIN pg_catalog.pg_class AS c ON c.oid = i.inhrelid
JOIN pg_catalog.pg_class AS p ON p.oid = i.inhparent
JOIN pg_catalog.pg_namespace AS n ON n.oid = p.relnamespace
WHERE n.nspname = 'mainspring' AND p.relname = ANY (:tables::text[])
ORDER BY c.relname

-- hold_other_days
-- Let nobody enter anything for days that have no table of their own.
LOCK TABLE mainspring.{table}_default

-- take_over
-- Move what was entered for a day to the table that it gets.
WITH moved AS (
  DELETE FROM mainspring.{table}_default AS f WHERE f.{key} >= '{first}' AND f.{key} < '{following}' RETURNING f.*
)
INSERT INTO mainspring.{name} SELECT m.* FROM moved AS m

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

-- prune_payloads
-- Delete a batch of payloads of runs that are neither live nor in history any more.
DELETE FROM mainspring.payloads_default AS m
WHERE m.ctid = ANY (ARRAY(
  SELECT o.ctid
  FROM mainspring.payloads_default AS o
  WHERE o.run < $1
    AND NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = o.run)
    AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE o.run = ANY (b.ids))
    AND NOT EXISTS (SELECT FROM mainspring.history AS h WHERE h.id = o.run)
  LIMIT $2
))

-- forget_payloads
-- Delete some payloads of ended runs that history does not keep; a row if there were any.
SELECT FROM mainspring.forget_payloads_1(5) AS n WHERE n > 0

-- outlive_day
-- Keep the payloads of a day's runs that are live or in history, once their table is by itself.
INSERT INTO mainspring.payloads (run, input)
SELECT p.run, p.input
FROM (
  SELECT r.id FROM mainspring.runs AS r WHERE r.id >= $1 AND r.id < $2
  UNION ALL
  SELECT i.id FROM mainspring.bundles AS b CROSS JOIN LATERAL unnest(b.ids) AS i(id) WHERE i.id >= $1 AND i.id < $2
  UNION ALL
  SELECT h.id FROM mainspring.history AS h WHERE h.id >= $1 AND h.id < $2
) AS u
JOIN mainspring.{name} AS p ON p.run = u.id
ON CONFLICT (run) DO NOTHING

-- prune_progress
-- Delete progress of runs long over.
DELETE FROM mainspring.progress AS p WHERE p.at < $1
