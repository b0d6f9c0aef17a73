-- lines_of_runs
-- The lines of these live runs.
SELECT r.id, r.line
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:ids, 16 * e.key + 1, 16)

-- turns_of_runs
-- The lanes in which these runs wait, each with the turn that it has or would have.
SELECT r.lane, r.line, max(r.priority) AS priority, coalesce(
  (SELECT min(t.turn) FROM turns AS t WHERE t.lane = r.lane AND t.line = r.line AND t.priority >= 0),
  (SELECT nullif(l.pass, 0) FROM lanes AS l WHERE l.id = r.lane),
  :turn
) AS turn
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:ids, 16 * e.key + 1, 16)
WHERE r.state = 0 AND r.reason = 'limit' AND r.lane IS NOT NULL
GROUP BY r.lane, r.line
