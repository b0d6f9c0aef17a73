-- append_logs
-- Keep log lines in the order they arrived, each once.
INSERT INTO mainspring.logs (stored_at, run, token, seq, at, level, message)
SELECT $7, t.run, t.token, t.seq, t.at, t.level, t.message
FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::bigint[], $5::smallint[], $6::text[]) WITH ORDINALITY
  AS t(run, token, seq, at, level, message, turn)
WHERE NOT EXISTS (SELECT FROM mainspring.logs AS g WHERE g.run = t.run AND g.token = t.token AND g.seq = t.seq)
ORDER BY t.turn

-- logs
-- Log lines of a run behind a position.
SELECT g.position, g.run, g.token, g.seq, g.at, g.level, g.message
FROM mainspring.logs AS g
WHERE g.run = $1 AND g.position > $2 AND g.stored_at >= $4
ORDER BY g.position
LIMIT $3

-- report_progress
-- Keep the latest word on each run's progress.
INSERT INTO mainspring.progress AS p (run, token, fraction, note, at)
SELECT t.run, t.token, t.fraction, t.note, $5
FROM unnest($1::uuid[], $2::uuid[], $3::real[], $4::text[]) AS t(run, token, fraction, note)
ORDER BY t.run
ON CONFLICT (run) DO UPDATE SET token = excluded.token, fraction = excluded.fraction, note = excluded.note, at = excluded.at

-- progress
-- The latest word on a run's progress.
SELECT p.run, p.token, p.fraction, p.note FROM mainspring.progress AS p WHERE p.run = $1
