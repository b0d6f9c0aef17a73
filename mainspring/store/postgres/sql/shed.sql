-- shed_candidates
-- Lock waiting runs of these lines that are to make room: the least urgent first, of these the ones that would start last.
SELECT r.id, r.line
FROM (
  SELECT c.id, c.priority, c.due_at
  FROM (
    SELECT q.id, q.priority, q.due_at
    FROM generate_series(0, :below::integer - 1) AS p(priority)
    CROSS JOIN unnest(:lines::integer[]) AS l(line)
    CROSS JOIN LATERAL (
      SELECT q.id, q.priority, q.due_at
      FROM mainspring.runs AS q
      WHERE q.state = 1 AND q.line = l.line AND q.priority = p.priority AND q.attempt = 0
        AND coalesce(q.extra, '') NOT LIKE '{"workflow"%'
      ORDER BY q.due_at DESC, q.id DESC
      LIMIT :spare
    ) AS q
    UNION ALL
    SELECT w.id, w.priority, w.due_at
    FROM mainspring.lines AS l
    JOIN mainspring.jobs AS j ON j.namespace = l.namespace AND j.name = l.job
    CROSS JOIN LATERAL (
      SELECT w.id, w.priority, w.due_at, w.attempt, w.extra, w.reason
      FROM mainspring.runs AS w
      WHERE w.job = j.id AND w.line = l.id AND w.state = 0
      ORDER BY w.id DESC
      LIMIT :newest
    ) AS w
    WHERE l.id = ANY (:lines::integer[]) AND l.job <> '' AND w.priority < :below AND w.attempt = 0 AND w.reason = 'limit'
      AND coalesce(w.extra, '') NOT LIKE '{"workflow"%'
  ) AS c
  ORDER BY c.priority, c.due_at DESC, c.id DESC
  LIMIT :spare
) AS c
JOIN mainspring.runs AS r ON r.id = c.id
WHERE r.state < 2 AND r.attempt = 0 AND r.token IS NULL
ORDER BY c.priority, c.due_at DESC, c.id DESC
LIMIT :count
FOR UPDATE OF r SKIP LOCKED
