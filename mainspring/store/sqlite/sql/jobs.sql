-- register
-- Add or update a definition by name.
INSERT INTO jobs (namespace, name, spec, updated_at)
VALUES (:namespace, :name, :spec, :now)
ON CONFLICT (namespace, name) DO UPDATE SET spec = excluded.spec, updated_at = excluded.updated_at
RETURNING id

-- all_jobs
-- Every definition.
SELECT id, namespace, spec
FROM jobs
ORDER BY id

-- add_line
-- Make a line on its first use.
INSERT INTO lines (namespace, queue, handler, address)
VALUES (:namespace, :queue, :handler, :address)
ON CONFLICT DO NOTHING

-- line_number
-- The number of a line.
SELECT id
FROM lines
WHERE namespace = :namespace AND queue = :queue AND handler = :handler AND address = :address

-- all_lines
-- Every line with its number.
SELECT id, namespace, queue, handler, address
FROM lines
