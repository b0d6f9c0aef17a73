-- checkpoint_names
-- The kinds and names of the steps and effects that a run has kept.
SELECT m.kind, m.name
FROM mainspring.memories AS m
WHERE m.run = :run AND m.kind > 0

-- checkpoints
-- Checkpoints of a run, oldest first.
SELECT m.kind, m.name, m.value, m.attempt, m.at
FROM mainspring.memories AS m
WHERE m.run = :run
ORDER BY m.at, m.kind, m.name

-- forget_work
-- Delete the state, the steps and the waits of a run; effects in the world are kept.
DELETE FROM mainspring.memories AS m WHERE m.run = :run AND m.kind <> 2
