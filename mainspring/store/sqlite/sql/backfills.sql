-- backfills
-- The backfills of a namespace, or of one of its triggers, newest first.
SELECT id, body
FROM backfills INDEXED BY backfills_listed
WHERE namespace = :namespace AND id < :before AND (:trigger_name IS NULL OR trigger_name = :trigger_name)
ORDER BY id DESC
LIMIT :limit

-- live_backfills
-- The backfills that are not over, oldest first.
SELECT id, body FROM backfills INDEXED BY backfills_live WHERE live ORDER BY id LIMIT :limit

-- enter_backfilled
-- Enter instants with the runs that a backfill makes for them.
INSERT INTO backfill_fires (backfill, trigger, fire_at, run)
SELECT :backfill, e.value ->> 0, e.value ->> 1, substr(:ids, 16 * e.key + 1, 16)
FROM json_each(:rows) AS e

-- backfilled_for_trigger
-- What backfills made for a trigger, oldest instant first.
SELECT fire_at, run, backfill
FROM backfill_fires INDEXED BY backfill_fires_trigger
WHERE trigger = :trigger AND fire_at >= :since AND fire_at < :until
ORDER BY fire_at, run
LIMIT :limit
