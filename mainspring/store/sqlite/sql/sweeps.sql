-- sweeps
-- The sweeps of a namespace, newest first.
SELECT id, body
FROM sweeps INDEXED BY sweeps_listed
WHERE namespace = :namespace AND id < :before
ORDER BY id DESC
LIMIT :limit

-- live_sweeps
-- The sweeps that are not over, oldest first.
SELECT id, body FROM sweeps INDEXED BY sweeps_live WHERE live ORDER BY id LIMIT :limit

-- children
-- The first children of each parent after a place.
SELECT e.key AS turn, c.run
FROM json_each(:rows) AS e
CROSS JOIN marks AS c
WHERE c.namespace = :namespace AND c.mark = e.value ->> 'mark' AND c.run IN (
  SELECT m.run
  FROM marks AS m
  WHERE m.namespace = :namespace AND m.mark = e.value ->> 'mark' AND m.run > substr(:after, 16 * e.key + 1, 16)
  ORDER BY m.run
  LIMIT :limit
)
ORDER BY turn, c.run
