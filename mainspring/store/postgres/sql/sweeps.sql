-- add_sweep
-- Add a sweep.
INSERT INTO mainspring.sweeps (id, namespace, live, version, body) VALUES ($1, $2, true, $3, $4)
ON CONFLICT (id) DO NOTHING

-- sweep
-- One sweep of a namespace.
SELECT s.id, s.body FROM mainspring.sweeps AS s WHERE s.id = $2 AND s.namespace = $1

-- sweeps
-- The sweeps of a namespace, newest first.
SELECT s.id, s.body FROM mainspring.sweeps AS s
WHERE s.namespace = $1 AND ($2::uuid IS NULL OR s.id < $2)
ORDER BY s.id DESC
LIMIT $3

-- live_sweeps
-- The sweeps that are not over, oldest first.
SELECT s.id, s.body FROM mainspring.sweeps AS s WHERE s.live ORDER BY s.id LIMIT $1

-- hold_sweep
-- Lock a sweep, unless it is another one by now.
SELECT true FROM mainspring.sweeps AS s WHERE s.id = $1 AND s.version = $2 AND s.live FOR UPDATE

-- move_sweep
-- Store a sweep in place of the one before, by its version.
UPDATE mainspring.sweeps AS s SET live = $2, version = $3, body = $4 WHERE s.id = $1 AND s.version = $3 - 1 AND s.live

-- children
-- The first children of each parent behind a place.
SELECT t.turn, c.run
FROM unnest($2::text[], $3::uuid[]) WITH ORDINALITY AS t(mark, after, turn)
CROSS JOIN LATERAL (
  SELECT m.run FROM mainspring.marks AS m
  WHERE m.namespace = $1 AND m.mark = t.mark AND m.run > t.after
  ORDER BY m.run
  LIMIT $4
) AS c
ORDER BY t.turn, c.run

-- prune_sweeps
-- Delete old sweeps that are over.
DELETE FROM mainspring.sweeps AS s WHERE NOT s.live AND s.id < $1
