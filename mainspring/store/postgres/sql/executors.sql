-- held_runs
-- Some of the runs that sessions have.
SELECT r.id, j.name AS job, r.attempt, r.claimed_at, r.session
FROM mainspring.live AS r
JOIN mainspring.jobs AS j ON j.id = r.job
WHERE r.state = 2 AND r.session = ANY (:ids::uuid[])
LIMIT :limit
