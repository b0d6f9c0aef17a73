-- hold_owned
-- Lock the rows of attempts that want something remembered, in one order for all.
SELECT r.id, r.token, r.attempt
FROM mainspring.runs AS r
WHERE r.id = ANY ($1::uuid[]) AND r.state = 2
ORDER BY r.id
FOR UPDATE

-- count_memories
-- How many steps and effects each of these runs remembers.
SELECT m.run, count(*) AS known
FROM mainspring.memories AS m
WHERE m.run = ANY ($1::uuid[]) AND m.kind > 0
GROUP BY m.run

-- memory_names
-- The kinds and names of the steps and effects that a run remembers.
SELECT m.kind, m.name
FROM mainspring.memories AS m
WHERE m.run = $1 AND m.kind > 0

-- remember
-- Keep what attempts want remembered. What is older replaces nothing, and that an effect began does not hide that it came to
-- pass.
INSERT INTO mainspring.memories AS m (run, kind, name, attempt, turn, at, value)
SELECT t.run, t.kind, t.name, t.attempt, t.turn, $7, t.value
FROM unnest($1::uuid[], $2::smallint[], $3::text[], $4::integer[], $5::bigint[], $6::bytea[])
  AS t(run, kind, name, attempt, turn, value)
ON CONFLICT (run, kind, name) DO UPDATE
SET attempt = excluded.attempt, turn = excluded.turn, at = excluded.at, value = excluded.value
WHERE (excluded.value IS NOT NULL OR m.value IS NULL)
  AND (m.attempt, m.turn) <= (excluded.attempt, excluded.turn)

-- recall
-- What the runs of attempts under way remember, oldest first; a run that remembers nothing has one empty row.
SELECT r.id, r.token, m.kind, m.name, m.value, m.attempt, m.at
FROM mainspring.runs AS r
LEFT JOIN mainspring.memories AS m ON m.run = r.id
WHERE r.id = ANY ($1::uuid[]) AND r.state = 2
ORDER BY m.at, m.kind, m.name

-- memories_of
-- What a run remembers, oldest first.
SELECT m.kind, m.name, m.value, m.attempt, m.at
FROM mainspring.memories AS m
WHERE m.run = $1
ORDER BY m.at, m.kind, m.name

-- forget_work
-- Forget how far a run came, but not what it has done to the world.
DELETE FROM mainspring.memories AS m WHERE m.run = $1 AND m.kind < 2

-- prune_memories
-- Delete a batch of memories of runs that are neither live nor in history any more.
DELETE FROM mainspring.memories AS m
WHERE m.ctid = ANY (ARRAY(
  SELECT o.ctid
  FROM mainspring.memories AS o
  WHERE o.run < $1
    AND NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = o.run)
    AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE o.run = ANY (b.ids))
    AND NOT EXISTS (SELECT FROM mainspring.history AS h WHERE h.id = o.run)
  LIMIT $2
))
