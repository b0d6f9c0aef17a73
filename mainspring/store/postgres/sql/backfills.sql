-- backfills
-- The backfills of a namespace, or of one of its triggers, newest first.
SELECT b.id, b.body FROM mainspring.backfills AS b
WHERE b.namespace = :namespace AND (:trigger_name::text IS NULL OR b.trigger_name = :trigger_name) AND b.id < :before
ORDER BY b.id DESC
LIMIT :limit

-- live_backfills
-- The backfills that are not over, oldest first.
SELECT b.id, b.body FROM mainspring.backfills AS b WHERE b.live ORDER BY b.id LIMIT :limit

-- make_backfilled
-- Enter instants and make their runs; the runs that were made.
SELECT b.run FROM mainspring.backfill_1(:backfill, :trigger, :rerun, :instants, :ids, :jobs, :lines, :priorities, :due, :deadlines, :extras, :inputs, :now) AS b(run)

-- backfilled_for_trigger
-- What backfills made for a trigger, oldest instant first.
SELECT f.fire_at, f.run, f.backfill FROM mainspring.backfill_fires AS f
WHERE f.trigger = :trigger AND f.fire_at >= :since AND f.fire_at < :until
ORDER BY f.fire_at, f.run
LIMIT :limit
