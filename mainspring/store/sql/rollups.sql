-- rolled_until
-- Up to when history is rolled up.
SELECT r.until FROM mainspring.rolled AS r WHERE r.id = 1

-- move_rolled
-- History is rolled up to that instant.
UPDATE mainspring.rolled SET until = :until WHERE id = 1

-- prune_rollups
-- Delete old roll-ups.
DELETE FROM mainspring.rollups WHERE step = :step AND at < :before
