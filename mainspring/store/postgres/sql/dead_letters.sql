-- pin_plans
-- Have no plan of this transaction depend on statistics; planning for all the days of history takes longer than reading them.
SET LOCAL enable_seqscan = off;
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off;
SET LOCAL enable_bitmapscan = off;
SET LOCAL enable_material = off;
SET LOCAL jit = off;
SET LOCAL plan_cache_mode = force_generic_plan

-- died
-- Runs that have just failed, with what a row among the dead needs to know of them.
SELECT h.id, h.job
FROM mainspring.history AS h
WHERE h.id = ANY (:ids::uuid[]) AND h.finished_at = :now

-- add_dead
-- Add runs that have just failed to the dead.
INSERT INTO mainspring.dead (run, namespace, line, job, fingerprint, failed_at, reason, error, message)
SELECT h.id, l.namespace, h.line, h.job, t.fingerprint, h.finished_at, h.reason, t.error, t.message
FROM unnest(:run::uuid[], :fingerprint::bytea[], :error::text[], :message::text[]) AS t(run, fingerprint, error, message)
JOIN mainspring.history AS h ON h.id = t.run AND h.finished_at = :now
JOIN mainspring.lines AS l ON l.id = h.line
ON CONFLICT (run) DO NOTHING

-- revive
-- Take runs out of the dead.
DELETE FROM mainspring.dead AS d WHERE d.run = ANY (:ids::uuid[])

-- dead_kinds
-- The fingerprints of a namespace, each with when it was seen last: so many in their own order, and those of the last rows.
WITH RECURSIVE kind AS (
  (
    SELECT d.fingerprint FROM mainspring.dead AS d
    WHERE d.namespace = :namespace AND d.discarded_at IS NULL
    ORDER BY d.fingerprint
    LIMIT 1
  )
  UNION ALL
  SELECT (
    SELECT d.fingerprint FROM mainspring.dead AS d
    WHERE d.namespace = :namespace AND d.discarded_at IS NULL AND d.fingerprint > k.fingerprint
    ORDER BY d.fingerprint
    LIMIT 1
  )
  FROM kind AS k
  WHERE k.fingerprint IS NOT NULL
), known AS (
  SELECT k.fingerprint FROM (SELECT fingerprint FROM kind LIMIT :most) AS k WHERE k.fingerprint IS NOT NULL
  UNION
  SELECT d.fingerprint
  FROM (
    SELECT d.fingerprint FROM mainspring.dead AS d
    WHERE d.namespace || '' = :namespace AND d.discarded_at IS NULL
    ORDER BY d.failed_at DESC, d.run DESC
    LIMIT :most
  ) AS d
)
SELECT s.fingerprint, last.failed_at AS last_at
FROM known AS s
CROSS JOIN LATERAL (
  SELECT d.failed_at, d.job FROM mainspring.dead AS d
  WHERE d.namespace = :namespace AND d.discarded_at IS NULL AND d.fingerprint = s.fingerprint
  ORDER BY d.failed_at DESC, d.run DESC
  LIMIT 1
) AS last
WHERE :job::text IS NULL OR last.job = (SELECT j.id FROM mainspring.jobs AS j WHERE j.namespace = :namespace AND j.name = :job)

-- dead_groups
-- What is known of some fingerprints; runs are counted up to a number.
SELECT t.fingerprint, j.name AS job, last.error, last.message, last.run AS example, last.failed_at AS last_at,
  (
    SELECT d.failed_at FROM mainspring.dead AS d
    WHERE d.namespace = :namespace AND d.discarded_at IS NULL AND d.fingerprint = t.fingerprint
    ORDER BY d.failed_at, d.run
    LIMIT 1
  ) AS first_at,
  (
    SELECT count(*) FROM (
      SELECT FROM mainspring.dead AS d
      WHERE d.namespace = :namespace AND d.discarded_at IS NULL AND d.fingerprint = t.fingerprint
      ORDER BY d.failed_at
      LIMIT :most
    ) AS few
  ) AS runs
FROM unnest(:fingerprints::bytea[]) AS t(fingerprint)
CROSS JOIN LATERAL (
  SELECT d.* FROM mainspring.dead AS d
  WHERE d.namespace = :namespace AND d.discarded_at IS NULL AND d.fingerprint = t.fingerprint
  ORDER BY d.failed_at DESC, d.run DESC
  LIMIT 1
) AS last
JOIN mainspring.jobs AS j ON j.id = last.job

-- dead_letters
-- Candidates of a namespace from a place on, oldest first.
SELECT d.run, d.failed_at, d.fingerprint, d.error, d.message, d.reason, j.name AS job, l.queue,
  d.discarded_at, d.discarded_by, d.discard_reason,
  (
    SELECT count(*) FROM unnest(:marks::text[]) AS o(mark)
    JOIN mainspring.marks AS m ON m.namespace = :namespace AND m.mark = o.mark AND m.run = d.run
  ) = cardinality(:marks::text[]) AS marked
FROM (
  SELECT * FROM mainspring.dead AS d
  WHERE {place} AND d.discarded_at IS NULL AND (d.failed_at, d.run) > (:at, :run) AND d.failed_at < :until
  ORDER BY d.failed_at, d.run
  LIMIT :look
) AS d
JOIN mainspring.jobs AS j ON j.id = d.job
JOIN mainspring.lines AS l ON l.id = d.line
ORDER BY d.failed_at, d.run

-- count_dead
-- How many there are of a namespace from a place on, counted up to a number.
SELECT count(*) AS count
FROM (
  SELECT FROM mainspring.dead AS d
  WHERE {place} AND d.discarded_at IS NULL AND d.failed_at >= :since AND d.failed_at < :until
    AND (:job::text IS NULL OR d.job = (SELECT j.id FROM mainspring.jobs AS j WHERE j.namespace = :namespace AND j.name = :job))
    AND (:queue::text IS NULL OR d.line = ANY (
      ARRAY(SELECT l.id FROM mainspring.lines AS l WHERE l.namespace = :namespace AND l.queue = :queue)
    ))
  LIMIT :most
) AS few

-- lock_dead
-- Lock dead runs, in one order for all. What else is asked of them is compared elsewhere: they are found by their ids.
SELECT d.run, d.namespace, d.failed_at, d.discarded_at
FROM mainspring.dead AS d
WHERE d.run = ANY (:ids::uuid[])
ORDER BY d.run
FOR UPDATE

-- discard
-- Note of dead runs that nothing is to be done about them.
UPDATE mainspring.dead AS d SET discarded_at = :now, discarded_by = :by, discard_reason = :reason WHERE d.run = ANY (:ids::uuid[])

-- prune_dead
-- Delete a batch of those whose history is gone.
DELETE FROM mainspring.dead AS d
WHERE d.ctid = ANY (ARRAY(SELECT o.ctid FROM mainspring.dead AS o WHERE o.failed_at < $1 LIMIT $2))

-- recent_dead
-- In which hour since an instant the newest runs of some fingerprints failed.
SELECT t.fingerprint, (
  SELECT coalesce(json_agg(floor(extract(epoch FROM o.failed_at - :since::timestamptz) / 3600)::integer), '[]')::text
  FROM (
    SELECT d.failed_at FROM mainspring.dead AS d
    WHERE d.namespace = :namespace AND d.discarded_at IS NULL AND d.fingerprint = t.fingerprint
      AND d.failed_at >= :since::timestamptz
    ORDER BY d.failed_at DESC, d.run DESC
    LIMIT :most
  ) AS o
) AS hours
FROM unnest(:fingerprints::bytea[]) AS t(fingerprint)

-- sample_dead
-- The newest runs of some fingerprints.
SELECT t.fingerprint, d.run
FROM unnest(:fingerprints::bytea[]) AS t(fingerprint)
CROSS JOIN LATERAL (
  SELECT o.run FROM mainspring.dead AS o
  WHERE o.namespace = :namespace AND o.discarded_at IS NULL AND o.fingerprint = t.fingerprint
  ORDER BY o.failed_at DESC, o.run DESC
  LIMIT :most
) AS d

-- versions_of_dead
-- What the executors of the attempts of some runs were.
SELECT a.run, NULL AS code_version, s.abilities
FROM mainspring.attempts AS a
JOIN mainspring.sessions AS s ON s.id = a.session
WHERE a.run = ANY (:ids::uuid[]) AND a.ended_at >= :since
