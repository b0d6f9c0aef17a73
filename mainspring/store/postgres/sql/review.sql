-- instant_columns
-- Every table, but for the parts of others, with its key and its columns that hold instants.
SELECT
  c.relname AS "table",
  ARRAY(
    SELECT a.attname::text
    FROM pg_catalog.pg_index AS i
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey::smallint[])
    WHERE i.indrelid = c.oid AND i.indisprimary
  ) AS key,
  array_agg(o.attname::text) AS columns
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_attribute AS o ON o.attrelid = c.oid AND o.atttypid = 'timestamptz'::regtype AND NOT o.attisdropped
WHERE c.relnamespace = 'mainspring'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
GROUP BY c.oid, c.relname
ORDER BY c.relname

-- outside_years
-- Rows of some tables that have an instant outside the known years.
SELECT o.example FROM ({tables}) AS o LIMIT :examples

-- review_triggers
-- Triggers.
SELECT t.* FROM mainspring.triggers AS t ORDER BY t.id LIMIT :look

-- review_history
-- The newest runs that have ended.
SELECT h.id, h.state, h.extra FROM mainspring.history AS h ORDER BY h.id DESC LIMIT :look

-- review_attempts
-- Attempts that did not succeed.
SELECT a.run, a.number, a.outcome FROM mainspring.attempts AS a ORDER BY a.run DESC LIMIT :look
