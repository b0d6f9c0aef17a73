-- note_parkings
-- Note which breakers runs wait for.
INSERT INTO mainspring.parked_runs AS p (run, namespace, breaker, epoch, until)
SELECT t.run, l.namespace, t.breaker, t.epoch, t.until
FROM unnest(:run::uuid[], :breaker::text[], :epoch::bigint[], :until::timestamptz[]) AS t(run, breaker, epoch, until)
JOIN mainspring.runs AS r ON r.id = t.run
JOIN mainspring.lines AS l ON l.id = r.line
ON CONFLICT (run) DO UPDATE SET breaker = excluded.breaker, epoch = excluded.epoch, until = excluded.until

-- unpark
-- Put parked runs back into their lines, and forget those that have gone on or ended otherwise.
WITH forgotten AS (
  DELETE FROM mainspring.parked_runs AS p WHERE p.run = ANY (:ids::uuid[])
)
UPDATE mainspring.runs AS r SET state = 1, reason = NULL
WHERE r.id = ANY (:ids::uuid[]) AND r.state = 0 AND r.reason = 'breaker'
RETURNING r.id, r.line
