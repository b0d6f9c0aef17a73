-- lines_of_runs
-- The lines of these live runs.
SELECT r.id, r.line FROM mainspring.runs AS r WHERE r.id = ANY (:ids::uuid[])

-- turns_of_runs
-- The lanes in which these runs wait, each with the turn that it has or would have.
SELECT r.lane, r.line, max(r.priority) AS priority, coalesce(
  (SELECT min(t.turn) FROM mainspring.turns AS t WHERE t.lane = r.lane AND t.line + 0 = r.line AND t.priority + 0 >= 0),
  (SELECT nullif(l.pass, 0) FROM mainspring.lanes AS l WHERE l.id = r.lane),
  :turn
) AS turn
FROM mainspring.runs AS r
WHERE r.id = ANY (:ids::uuid[]) AND r.state = 0 AND r.reason = 'limit' AND r.lane IS NOT NULL
GROUP BY r.lane, r.line
ORDER BY r.lane, r.line
