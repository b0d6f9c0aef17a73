-- tables
-- Every table and its columns: which are of the key, and which hold whole numbers.
SELECT m.name AS "table", c.name AS "column", c.type AS type, c.pk AS pk
FROM sqlite_schema AS m
JOIN pragma_table_info(m.name) AS c
WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE 'mainspring_%'
ORDER BY m.name, c.cid

-- outside_years
-- Rows of a table that have an instant outside the known years, or another thing where a number belongs.
SELECT {key} AS example
FROM (SELECT * FROM {table} LIMIT :look) AS t
WHERE {outside}
LIMIT :examples

-- review_triggers
-- Triggers.
SELECT json_group_array({row}) FROM (SELECT * FROM triggers ORDER BY id LIMIT :look) AS t

-- review_history
-- The newest runs that have ended.
SELECT h.id, h.state, h.extra FROM history_{day} AS h ORDER BY h.id DESC LIMIT :look

-- review_attempts
-- Attempts that did not succeed.
SELECT a.run, a.number, a.outcome FROM attempts_{day} AS a ORDER BY a.run DESC LIMIT :look

-- review_finished
-- Notes of runs that have finished.
SELECT position, at, ids FROM finished ORDER BY position LIMIT :look
