-- add_backfill
-- Add a backfill.
INSERT INTO mainspring.backfills (id, namespace, trigger_name, live, version, body) VALUES (:id, :namespace, :trigger_name, true, :version, :body)
ON CONFLICT (id) DO NOTHING

-- backfill
-- One backfill of a namespace.
SELECT b.id, b.body FROM mainspring.backfills AS b WHERE b.id = :id AND b.namespace = :namespace

-- lock_backfill
-- Lock a backfill, unless it is another one by now.
SELECT true AS held FROM mainspring.backfills AS b WHERE b.id = :id AND b.version = :version AND b.live FOR UPDATE

-- save_backfill
-- Store a backfill in place of the one before, by its version.
UPDATE mainspring.backfills AS b SET live = :live, version = :version, body = :body WHERE b.id = :id AND b.version = :version - 1 AND b.live

-- backfill_fires
-- What a backfill has made, oldest instant first.
SELECT f.fire_at, f.run, f.backfill FROM mainspring.backfill_fires AS f
WHERE f.backfill = :backfill AND (:after::timestamptz IS NULL OR f.fire_at > :after)
ORDER BY f.fire_at
LIMIT :limit

-- prune_backfills
-- Delete old backfills that are over.
DELETE FROM mainspring.backfills AS b WHERE NOT b.live AND b.id < :before
