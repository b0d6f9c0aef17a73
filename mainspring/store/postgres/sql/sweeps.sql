-- sweeps
-- The sweeps of a namespace, newest first.
SELECT s.id, s.body FROM mainspring.sweeps AS s
WHERE s.namespace = :namespace AND s.id < :before
ORDER BY s.id DESC
LIMIT :limit

-- live_sweeps
-- The sweeps that are not over, oldest first.
SELECT s.id, s.body FROM mainspring.sweeps AS s WHERE s.live ORDER BY s.id LIMIT :limit

-- children
-- The first children of each parent after a place.
SELECT t.turn, c.run
FROM unnest(:turn::integer[], :mark::text[], :after::uuid[]) AS t(turn, mark, after)
CROSS JOIN LATERAL (
  SELECT m.run FROM mainspring.marks AS m
  WHERE m.namespace = :namespace AND m.mark = t.mark AND m.run > t.after
  ORDER BY m.run
  LIMIT :limit
) AS c
ORDER BY t.turn, c.run
