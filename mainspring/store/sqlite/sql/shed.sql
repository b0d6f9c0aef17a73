-- shed_candidates
-- Waiting runs of these lines that are to make room: the least urgent first, of these the ones that would start last.
SELECT c.id, c.line
FROM (
  SELECT q.id, q.line, q.priority, q.due_at
  FROM json_each('[0,1,2,3,4,5,6,7,8,9]') AS p
  CROSS JOIN json_each(:lines) AS l
  CROSS JOIN runs AS q
  WHERE p.value < :below AND q.id IN (
    SELECT s.id
    FROM runs AS s INDEXED BY runs_claimable
    WHERE s.state = 1 AND s.line = l.value AND s.priority = p.value AND s.attempt = 0
      AND coalesce(substr(s.extra, 1, 11) <> CAST('{"workflow"' AS BLOB), true)
    ORDER BY s.due_at DESC, s.id DESC
    LIMIT :spare
  )
  UNION ALL
  SELECT w.id, w.line, w.priority, w.due_at
  FROM json_each(:lines) AS e
  CROSS JOIN lines AS l ON l.id = e.value AND l.job <> ''
  CROSS JOIN jobs AS j ON j.namespace = l.namespace AND j.name = l.job
  CROSS JOIN runs AS w
  WHERE w.id IN (
    SELECT s.id
    FROM runs AS s INDEXED BY runs_listed
    WHERE s.job = j.id AND s.line = l.id AND s.state = 0 AND s.state < 2
    ORDER BY s.id DESC
    LIMIT :newest
  ) AND w.priority < :below AND w.attempt = 0 AND w.reason = 'limit' AND coalesce(substr(w.extra, 1, 11) <> CAST('{"workflow"' AS BLOB), true)
) AS c
ORDER BY c.priority, c.due_at DESC, c.id DESC
LIMIT :count
