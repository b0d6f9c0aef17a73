-- lines_of_runs
-- The lines of these live runs.
SELECT r.id, r.line
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:ids, 16 * e.key + 1, 16)
