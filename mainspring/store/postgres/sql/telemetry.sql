-- append_logs
-- Keep log lines in the order they arrived, each once.
INSERT INTO mainspring.logs (stored_at, run, token, seq, at, level, message)
SELECT :now, t.run, t.token, t.seq, t.at, t.level, t.message
FROM unnest(:run::uuid[], :token::uuid[], :seq::integer[], :at::bigint[], :level::smallint[], :message::text[]) WITH ORDINALITY
  AS t(run, token, seq, at, level, message, turn)
WHERE NOT EXISTS (SELECT FROM mainspring.logs AS g WHERE g.run = t.run AND g.token = t.token AND g.seq = t.seq)
ORDER BY t.turn

-- logs
-- Log lines of a run after a position.
SELECT g.position, g.run, g.token, g.seq, g.at AS sent, g.level, g.message
FROM mainspring.logs AS g
WHERE g.run = :run AND g.position > :after AND g.stored_at >= :since
ORDER BY g.position
LIMIT :limit

-- report_progress
-- Keep the latest progress of each run.
INSERT INTO mainspring.progress AS p (run, token, fraction, note, at)
SELECT t.run, t.token, t.fraction, t.note, :now
FROM unnest(:run::uuid[], :token::uuid[], :fraction::real[], :note::text[]) AS t(run, token, fraction, note)
ORDER BY t.run
ON CONFLICT (run) DO UPDATE SET token = excluded.token, fraction = excluded.fraction, note = excluded.note, at = excluded.at
