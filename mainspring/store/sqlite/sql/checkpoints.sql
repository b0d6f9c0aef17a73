-- lock_owned
-- Attempts that own these runs.
SELECT r.id, r.token, r.attempt
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:ids, 16 * e.key + 1, 16)
WHERE r.state = 2

-- count_checkpoints
-- How many steps and effects each of these runs has kept.
SELECT m.run, count(*) AS known
FROM json_each(:rows) AS e
CROSS JOIN memories AS m ON m.run = substr(:ids, 16 * e.key + 1, 16)
WHERE m.kind > 0
GROUP BY m.run

-- save_checkpoints
-- Keep checkpoints. An older one replaces nothing, and that an effect began does not hide that it came to pass.
INSERT INTO memories (run, kind, name, attempt, turn, at, value)
SELECT
  substr(:run, 16 * e.key + 1, 16), e.value ->> 'kind', e.value ->> 'name', e.value ->> 'attempt', e.value ->> 'turn', :now,
  CASE WHEN e.value ->> 'value' IS NOT NULL THEN substr(:value, (e.value ->> '$.value[0]') + 1, e.value ->> '$.value[1]') END
FROM json_each(:rows) AS e
WHERE true
ON CONFLICT (run, kind, name) DO UPDATE
SET attempt = excluded.attempt, turn = excluded.turn, at = excluded.at, value = excluded.value
WHERE (excluded.value IS NOT NULL OR memories.value IS NULL)
  AND (memories.attempt, memories.turn) <= (excluded.attempt, excluded.turn)

-- owned_checkpoints
-- Checkpoints of attempts that are running, oldest first; a run that has none has one empty row.
SELECT r.id, r.token, m.kind, m.name, m.value, m.attempt, m.at
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:ids, 16 * e.key + 1, 16)
LEFT JOIN memories AS m ON m.run = r.id
WHERE r.state = 2
ORDER BY m.at, m.kind, m.name

-- prune_memories
-- Delete the memories of a batch of runs that are neither live nor in history any more.
DELETE FROM memories
WHERE run IN (
  SELECT m.run
  FROM memories AS m
  WHERE m.run < :first AND NOT EXISTS (SELECT 1 FROM all_runs AS r WHERE r.id = m.run)
  LIMIT :batch
)
