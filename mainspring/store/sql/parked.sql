-- parked_places
-- The breakers that runs wait for; each is found by a step in the index, however many runs wait for it.
WITH RECURSIVE found(namespace, breaker) AS (
  SELECT f.namespace, f.breaker
  FROM (SELECT p.namespace, p.breaker FROM mainspring.parked_runs AS p ORDER BY p.namespace, p.breaker LIMIT 1) AS f
  UNION ALL
  SELECT n.namespace, n.breaker
  FROM found AS f
  JOIN mainspring.parked_runs AS n ON n.run = (
    SELECT p.run FROM mainspring.parked_runs AS p
    WHERE (p.namespace, p.breaker) > (f.namespace, f.breaker)
    ORDER BY p.namespace, p.breaker
    LIMIT 1
  )
)
SELECT f.namespace, f.breaker FROM found AS f

-- lock_parked
-- Lock runs that wait for a breaker, longest first: all, or those of another epoch and those whose instant has come.
SELECT p.run
FROM mainspring.parked_runs AS p
WHERE p.namespace = :namespace AND p.breaker = :breaker
  AND (:held::boolean OR p.epoch <> :epoch OR p.until <= :now)
ORDER BY p.until, p.run
LIMIT :limit
FOR UPDATE SKIP LOCKED

-- parking_of
-- The breaker that a run waits for.
SELECT p.breaker, p.epoch, p.until FROM mainspring.parked_runs AS p WHERE p.run = :run

-- lock_permits
-- Lock the gate of a breaker that is still in this epoch; the breaker first, as its turns do: after a wait for one of them,
-- only a locked row is looked at again, and what is left of a new wave is not for those who ask in the epoch before.
WITH known AS (SELECT b.id FROM mainspring.breakers AS b WHERE b.id = :id AND b.epoch = :epoch FOR SHARE)
SELECT g.at_once, g.gap, g.burst, g.full_at AS full
FROM mainspring.gates AS g
JOIN known ON known.id = g.id
FOR UPDATE OF g

-- take_permits
-- Have a gate be full again at another instant.
UPDATE mainspring.gates AS g SET full_at = :full WHERE g.id = :id

-- delete_namespace_parked
-- Forget the parked runs of a namespace.
DELETE FROM mainspring.parked_runs AS p WHERE p.namespace = :name

-- idle_keys
-- Breakers of single keys that are closed, and that nobody has called since.
SELECT b.id, b.namespace, b.name, b.epoch
FROM mainspring.breakers AS b
WHERE b.name LIKE '%[%]' AND b.state = 'closed' AND b.wave = 0 AND b.since_at < :before
  AND NOT EXISTS (SELECT c.at FROM mainspring.breaker_calls AS c WHERE c.breaker = b.id AND c.at >= :before)
LIMIT :limit
