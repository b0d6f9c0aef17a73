-- lock_owned
-- Lock the rows of attempts that save checkpoints, in one order for all.
SELECT r.id, r.token, r.attempt
FROM mainspring.runs AS r
WHERE r.id = ANY (:ids::uuid[]) AND r.state = 2
ORDER BY r.id
FOR UPDATE

-- count_checkpoints
-- How many steps and effects each of these runs has kept.
SELECT m.run, count(*) AS known
FROM mainspring.memories AS m
WHERE m.run = ANY (:ids::uuid[]) AND m.kind > 0
GROUP BY m.run

-- save_checkpoints
-- Keep checkpoints. An older one replaces nothing, and that an effect began does not hide that it came to pass.
INSERT INTO mainspring.memories AS m (run, kind, name, attempt, turn, at, value)
SELECT t.run, t.kind, t.name, t.attempt, t.turn, :now, t.value
FROM unnest(:run::uuid[], :kind::smallint[], :name::text[], :attempt::integer[], :turn::bigint[], :value::bytea[])
  AS t(run, kind, name, attempt, turn, value)
ON CONFLICT (run, kind, name) DO UPDATE
SET attempt = excluded.attempt, turn = excluded.turn, at = excluded.at, value = excluded.value
WHERE (excluded.value IS NOT NULL OR m.value IS NULL)
  AND (m.attempt, m.turn) <= (excluded.attempt, excluded.turn)

-- owned_checkpoints
-- Checkpoints of attempts that are running, oldest first; a run that has none has one empty row.
SELECT r.id, r.token, m.kind, m.name, m.value, m.attempt, m.at
FROM mainspring.runs AS r
LEFT JOIN mainspring.memories AS m ON m.run = r.id
WHERE r.id = ANY (:ids::uuid[]) AND r.state = 2
ORDER BY m.at, m.kind, m.name

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
