-- register
-- Add or update definitions by name.
INSERT INTO mainspring.jobs AS j (namespace, name, spec, updated_at)
SELECT $1, t.name, t.spec, $4
FROM unnest($2::text[], $3::bytea[]) AS t(name, spec)
ORDER BY t.name
ON CONFLICT (namespace, name) DO UPDATE SET spec = excluded.spec, updated_at = excluded.updated_at
WHERE j.spec <> excluded.spec

-- named
-- Definitions by name.
SELECT j.id, j.namespace, j.spec FROM mainspring.jobs AS j WHERE j.namespace = $1 AND j.name = ANY ($2::text[])

-- all_jobs
-- Every definition.
SELECT j.id, j.namespace, j.spec FROM mainspring.jobs AS j ORDER BY j.id

-- add_lines
-- Make lines on their first use.
INSERT INTO mainspring.lines (namespace, queue, handler, address)
SELECT t.namespace, t.queue, t.handler, t.address
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS t(namespace, queue, handler, address)
ORDER BY t.namespace, t.queue, t.handler, t.address
ON CONFLICT DO NOTHING

-- all_lines
-- Every line with its number.
SELECT l.id, l.namespace, l.queue, l.handler, l.address FROM mainspring.lines AS l
