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
-- The first children of one parent behind a place.
SELECT run
FROM marks
WHERE namespace = :namespace AND mark = :mark AND run > :after
ORDER BY run
LIMIT :limit
