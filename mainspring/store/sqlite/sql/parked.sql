-- note_parkings
-- Note which breakers runs wait for.
INSERT INTO parked_runs (run, namespace, breaker, epoch, until)
SELECT r.id, l.namespace, e.value ->> 'breaker', e.value ->> 'epoch', e.value ->> 'until'
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:run, 16 * e.key + 1, 16)
CROSS JOIN lines AS l ON l.id = r.line
WHERE true
ON CONFLICT (run) DO UPDATE SET breaker = excluded.breaker, epoch = excluded.epoch, until = excluded.until

-- unpark
-- Put parked runs back into their lines, and forget those that have gone on or ended otherwise.
UPDATE runs SET state = 1, reason = NULL
WHERE id IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e) AND state = 0 AND reason = 'breaker'
RETURNING id, line
;
DELETE FROM parked_runs
WHERE run IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)
