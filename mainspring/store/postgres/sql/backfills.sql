-- add_backfill
-- Add a backfill.
INSERT INTO mainspring.backfills (id, namespace, trigger_name, live, version, body) VALUES ($1, $2, $3, true, $4, $5)
ON CONFLICT (id) DO NOTHING

-- backfill
-- One backfill of a namespace.
SELECT b.id, b.body FROM mainspring.backfills AS b WHERE b.id = $2 AND b.namespace = $1

-- backfills
-- The backfills of a namespace, or of one of its triggers, newest first.
SELECT b.id, b.body FROM mainspring.backfills AS b
WHERE b.namespace = $1 AND ($2::text IS NULL OR b.trigger_name = $2) AND ($3::uuid IS NULL OR b.id < $3)
ORDER BY b.id DESC
LIMIT $4

-- live_backfills
-- The backfills that are not over, oldest first.
SELECT b.id, b.body FROM mainspring.backfills AS b WHERE b.live ORDER BY b.id LIMIT $1

-- hold_backfill
-- Lock a backfill, unless it is another one by now.
SELECT true FROM mainspring.backfills AS b WHERE b.id = $1 AND b.version = $2 AND b.live FOR UPDATE

-- move_backfill
-- Store a backfill in place of the one before, by its version.
UPDATE mainspring.backfills AS b SET live = $2, version = $3, body = $4 WHERE b.id = $1 AND b.version = $3 - 1 AND b.live

-- make_backfilled
-- Enter instants and make their runs; the runs that were made.
SELECT b.run FROM mainspring.backfill_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS b(run)

-- backfill_fires
-- What a backfill has made, oldest instant first.
SELECT f.fire_at, f.run, f.backfill FROM mainspring.backfill_fires AS f
WHERE f.backfill = $1 AND ($2::timestamptz IS NULL OR f.fire_at > $2)
ORDER BY f.fire_at
LIMIT $3

-- made_for_trigger
-- What backfills made for a trigger, oldest instant first.
SELECT f.fire_at, f.run, f.backfill FROM mainspring.backfill_fires AS f
WHERE f.trigger = $1 AND f.fire_at >= $2 AND f.fire_at < $3
ORDER BY f.fire_at, f.run
LIMIT $4

-- prune_backfills
-- Delete old backfills that are over.
DELETE FROM mainspring.backfills AS b WHERE NOT b.live AND b.id < $1
