-- lines_of_runs
-- The lines of these live runs.
SELECT r.id, r.line FROM mainspring.runs AS r WHERE r.id = ANY (:ids::uuid[])
