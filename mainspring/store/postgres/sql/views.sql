-- show
-- Runs of a namespace as people see them.
SELECT * FROM mainspring.show_2($1, $2, $3, $4)

-- attempts
-- The attempts of a run that did not succeed, oldest first.
SELECT a.run, a.number, a.outcome, s.executor, s.abilities, a.started_at, a.ended_at, a.error, a.message, a.traceback,
  a.code, a.duration, a.beside
FROM mainspring.attempts AS a
LEFT JOIN mainspring.sessions AS s ON s.id = a.session
WHERE a.run = $1 AND a.ended_at >= $2
ORDER BY a.number

-- states
-- The states of runs as of one moment: one that moves meanwhile is in one of its places.
SELECT r.id, r.state FROM mainspring.runs AS r WHERE r.id = ANY ($1::uuid[])
UNION ALL
SELECT i.id, 2 FROM mainspring.bundles AS b CROSS JOIN LATERAL unnest(b.ids) AS i(id) WHERE i.id = ANY ($1::uuid[])
UNION ALL
SELECT h.id, h.state FROM mainspring.history AS h WHERE h.id = ANY ($1::uuid[]) AND h.finished_at >= $2
