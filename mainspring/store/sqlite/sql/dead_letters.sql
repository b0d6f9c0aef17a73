-- pin_plans
-- SQLite's statements name their indexes themselves.
SELECT 1

-- died
-- Runs that failed just now, with their jobs.
SELECT h.id, h.job
FROM json_each(:rows) AS e
CROSS JOIN history_{day} AS h ON h.id = substr(:ids, 16 * e.key + 1, 16)
WHERE h.finished_at = :now AND h.state = 4

-- add_dead
-- Add runs that failed just now to the dead.
INSERT INTO dead (run, namespace, line, job, fingerprint, failed_at, reason, error, message)
SELECT
  h.id, l.namespace, h.line, h.job, substr(:fingerprint, 8 * e.key + 1, 8), h.finished_at, h.reason,
  e.value ->> 'error', e.value ->> 'message'
FROM json_each(:rows) AS e
CROSS JOIN history_{day} AS h ON h.id = substr(:run, 16 * e.key + 1, 16)
CROSS JOIN lines AS l ON l.id = h.line
WHERE h.finished_at = :now AND h.state = 4
ON CONFLICT DO NOTHING

-- revive
-- Take runs out of the dead.
DELETE FROM dead
WHERE run IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)

-- dead_kinds
-- The fingerprints of a namespace, each with when it was seen last: so many in their own order, and those of the last rows.
WITH RECURSIVE kind (fingerprint) AS (
  SELECT (
    SELECT d.fingerprint
    FROM dead AS d INDEXED BY dead_kinds
    WHERE d.namespace = :namespace AND d.discarded_at IS NULL
    ORDER BY d.fingerprint
    LIMIT 1
  )
  UNION ALL
  SELECT (
    SELECT d.fingerprint
    FROM dead AS d INDEXED BY dead_kinds
    WHERE d.namespace = :namespace AND d.discarded_at IS NULL AND d.fingerprint > k.fingerprint
    ORDER BY d.fingerprint
    LIMIT 1
  )
  FROM kind AS k
  WHERE k.fingerprint IS NOT NULL
  LIMIT :most
), known AS (
  SELECT fingerprint FROM kind WHERE fingerprint IS NOT NULL
  UNION
  SELECT fingerprint
  FROM (
    SELECT d.fingerprint
    FROM dead AS d INDEXED BY dead_listed
    WHERE d.namespace = :namespace AND d.discarded_at IS NULL
    ORDER BY d.failed_at DESC, d.run DESC
    LIMIT :most
  )
), seen AS (
  SELECT s.fingerprint, (
    SELECT d.run
    FROM dead AS d INDEXED BY dead_kinds
    WHERE d.namespace = :namespace AND d.discarded_at IS NULL AND d.fingerprint = s.fingerprint
    ORDER BY d.failed_at DESC, d.run DESC
    LIMIT 1
  ) AS run
  FROM known AS s
)
SELECT s.fingerprint, d.failed_at AS last_at
FROM seen AS s
CROSS JOIN dead AS d ON d.run = s.run
WHERE :job IS NULL OR d.job = (SELECT id FROM jobs WHERE namespace = :namespace AND name = :job)

-- dead_letters
-- Candidates of a namespace from a place on, oldest first.
SELECT d.run, d.failed_at, d.fingerprint, d.error, d.message, d.reason, j.name AS job, l.queue,
  d.discarded_at, d.discarded_by, d.discard_reason,
  NOT EXISTS (
    SELECT 1
    FROM json_each(:marks) AS o
    WHERE NOT EXISTS (SELECT 1 FROM marks AS m WHERE m.namespace = :namespace AND m.mark = o.value AND m.run = d.run)
  ) AS marked
FROM dead AS d INDEXED BY {index}
CROSS JOIN jobs AS j ON j.id = d.job
CROSS JOIN lines AS l ON l.id = d.line
WHERE d.namespace = :namespace AND d.discarded_at IS NULL AND (d.failed_at, d.run) > (:at, :run) AND d.failed_at < :until
  {only}
ORDER BY d.failed_at, d.run
LIMIT :look

-- count_dead
-- How many there are of a namespace from a place on, counted up to a number.
SELECT count(*) AS count
FROM (
  SELECT 1
  FROM dead AS d INDEXED BY {index}
  WHERE d.namespace = :namespace AND d.discarded_at IS NULL AND d.failed_at >= :since AND d.failed_at < :until
    AND (:job IS NULL OR d.job = (SELECT id FROM jobs WHERE namespace = :namespace AND name = :job))
    AND (:queue IS NULL OR d.line IN (SELECT id FROM lines WHERE namespace = :namespace AND queue = :queue))
    {only}
  LIMIT :most
)

-- lock_dead
-- Dead runs by their ids.
SELECT d.run, d.namespace, d.failed_at, d.discarded_at
FROM json_each(:rows) AS e
CROSS JOIN dead AS d ON d.run = substr(:ids, 16 * e.key + 1, 16)
ORDER BY d.run

-- discard
-- Note of dead runs that nothing is to be done about them.
UPDATE dead
SET discarded_at = :now, discarded_by = :by, discard_reason = :reason
WHERE run IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)

-- prune_dead
-- Delete those whose history is gone.
DELETE FROM dead
WHERE run IN (SELECT d.run FROM dead AS d INDEXED BY dead_age WHERE d.failed_at < :before LIMIT :batch)

-- dead_groups
-- What is known of some fingerprints; runs are counted up to a number.
SELECT f.fingerprint, j.name AS job, d.error, d.message, d.run AS example, d.failed_at AS last_at,
  (
    SELECT o.failed_at
    FROM dead AS o INDEXED BY dead_kinds
    WHERE o.namespace = :namespace AND o.discarded_at IS NULL AND o.fingerprint = f.fingerprint
    ORDER BY o.failed_at, o.run
    LIMIT 1
  ) AS first_at,
  (
    SELECT count(*)
    FROM (
      SELECT 1
      FROM dead AS o INDEXED BY dead_kinds
      WHERE o.namespace = :namespace AND o.discarded_at IS NULL AND o.fingerprint = f.fingerprint
      LIMIT :most
    )
  ) AS runs
FROM (SELECT substr(:fingerprints, 8 * e.key + 1, 8) AS fingerprint FROM json_each(:rows) AS e) AS f
CROSS JOIN dead AS d ON d.run = (
  SELECT o.run
  FROM dead AS o INDEXED BY dead_kinds
  WHERE o.namespace = :namespace AND o.discarded_at IS NULL AND o.fingerprint = f.fingerprint
  ORDER BY o.failed_at DESC, o.run DESC
  LIMIT 1
)
CROSS JOIN jobs AS j ON j.id = d.job

-- recent_dead
-- In which hour since an instant the newest runs of some fingerprints failed.
SELECT f.fingerprint, (
  SELECT json_group_array((o.failed_at - :since) / 3600000000)
  FROM (
    SELECT d.failed_at
    FROM dead AS d INDEXED BY dead_kinds
    WHERE d.namespace = :namespace AND d.discarded_at IS NULL AND d.fingerprint = f.fingerprint AND d.failed_at >= :since
    ORDER BY d.failed_at DESC, d.run DESC
    LIMIT :most
  ) AS o
) AS hours
FROM (SELECT substr(:fingerprints, 8 * e.key + 1, 8) AS fingerprint FROM json_each(:rows) AS e) AS f

-- sample_dead
-- The newest runs of some fingerprints.
SELECT f.fingerprint, d.run
FROM (SELECT substr(:fingerprints, 8 * e.key + 1, 8) AS fingerprint FROM json_each(:rows) AS e) AS f
CROSS JOIN dead AS d ON d.run IN (
  SELECT o.run
  FROM dead AS o INDEXED BY dead_kinds
  WHERE o.namespace = :namespace AND o.discarded_at IS NULL AND o.fingerprint = f.fingerprint
  ORDER BY o.failed_at DESC, o.run DESC
  LIMIT :most
)

-- versions_of_dead
-- By which code the attempts of some runs were made.
SELECT a.run, a.code_version, NULL AS abilities
FROM json_each(:rows) AS e
CROSS JOIN attempts_{day} AS a ON a.run = substr(:ids, 16 * e.key + 1, 16)
