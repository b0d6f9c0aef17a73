-- held_runs
-- Some of the runs that sessions have.
SELECT r.id, j.name AS job, r.attempt, r.claimed_at, r.session
FROM json_each(:rows) AS e
CROSS JOIN runs AS r INDEXED BY runs_held ON r.state = 2 AND r.session = substr(:ids, 16 * e.key + 1, 16)
CROSS JOIN jobs AS j ON j.id = r.job
LIMIT :limit
