-- longest_running
-- Attempts under way since before an instant, the longest first.
SELECT r.job, r.id, r.claimed_at
FROM runs AS r
WHERE r.state = 2 AND r.claimed_at < :before
ORDER BY r.claimed_at
LIMIT 1000
