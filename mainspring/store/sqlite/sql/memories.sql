-- hold_owned
-- Which of these attempts own their run, and their numbers.
SELECT e.key AS at, r.attempt
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:ids, 16 * e.key + 1, 16)
WHERE r.state = 2 AND r.token = substr(:tokens, 16 * e.key + 1, 16)

-- count_memories
-- How many steps and effects each of these runs remembers.
SELECT e.key AS at, (SELECT count(*) FROM memories AS m WHERE m.run = substr(:ids, 16 * e.key + 1, 16) AND m.kind > 0) AS known
FROM json_each(:rows) AS e

-- memory_names
-- The kinds and names of the steps and effects that a run remembers.
SELECT m.kind, m.name
FROM memories AS m
WHERE m.run = :run AND m.kind > 0

-- remember
-- Keep what attempts want remembered. What is older replaces nothing, and that an effect began does not hide that it came to
-- pass.
INSERT INTO memories (run, kind, name, attempt, turn, at, value)
SELECT
  substr(:ids, 16 * e.key + 1, 16), e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3, :now,
  CASE WHEN e.value ->> 5 IS NOT NULL THEN substr(:values, (e.value ->> 4) + 1, e.value ->> 5) END
FROM json_each(:rows) AS e
WHERE true
ON CONFLICT (run, kind, name) DO UPDATE
SET attempt = excluded.attempt, turn = excluded.turn, at = excluded.at, value = excluded.value
WHERE (excluded.value IS NOT NULL OR memories.value IS NULL)
  AND (memories.attempt, memories.turn) <= (excluded.attempt, excluded.turn)

-- memories_of
-- What a run remembers, oldest first.
SELECT m.kind, m.name, m.value, m.attempt, m.at
FROM memories AS m
WHERE m.run = :run
ORDER BY m.at, m.kind, m.name

-- forget_work
-- Forget how far a run came, but not what it has done to the world.
DELETE FROM memories
WHERE run = :id AND kind < 2

-- prune_memories
-- Delete the memories of a batch of runs that are neither live nor in history any more.
DELETE FROM memories
WHERE run IN (
  SELECT m.run
  FROM memories AS m
  WHERE m.run < :first AND NOT EXISTS (SELECT 1 FROM all_runs AS r WHERE r.id = m.run)
  LIMIT :batch
)
