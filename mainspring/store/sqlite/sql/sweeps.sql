-- add_sweep
-- Add a sweep.
INSERT INTO sweeps (id, namespace, live, version, body)
VALUES (:id, :namespace, 1, :version, :body)
ON CONFLICT DO NOTHING

-- sweep
-- One sweep of a namespace.
SELECT id, body FROM sweeps WHERE id = :id AND namespace = :namespace

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

-- hold_sweep
-- Whether a sweep is still this one.
SELECT 1 FROM sweeps WHERE id = :id AND version = :version AND live

-- move_sweep
-- Store a sweep in place of the one before, by its version.
UPDATE sweeps
SET live = :live, version = :version, body = :body
WHERE id = :id AND version = :version - 1 AND live

-- children
-- The first children of one parent behind a place.
SELECT run
FROM marks
WHERE namespace = :namespace AND mark = :mark AND run > :after
ORDER BY run
LIMIT :limit

-- prune_sweeps
-- Delete old sweeps that are over.
DELETE FROM sweeps
WHERE NOT live AND id < :before
