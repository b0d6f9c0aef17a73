-- scan
-- Candidates in the order of their ids, so many, live and settled ones together: which match, and how far they reach.
SELECT
  (
    SELECT group_concat(hex(m.id), '')
    FROM (
      SELECT c.id
      FROM (
        SELECT id, line, job, state
        FROM all_runs
        WHERE id >= :low AND id < :high
        ORDER BY id {order}
        LIMIT :budget
      ) AS c
      WHERE c.line IN (SELECT value FROM json_each(:lines))
        AND c.job IN (SELECT value FROM json_each(:jobs))
        AND CASE WHEN c.state = 1 AND c.line IN (SELECT value FROM json_each(:parked)) THEN 0 ELSE c.state END
          IN (SELECT value FROM json_each(:states))
      LIMIT :more
    ) AS m
  ),
  (SELECT id FROM all_runs WHERE id >= :low AND id < :high ORDER BY id {order} LIMIT 1 OFFSET :budget - 1)

-- wanted
-- The numbers of the jobs and lines that a filter names.
SELECT
  (SELECT json_group_array(id) FROM jobs WHERE namespace = :namespace AND (:job IS NULL OR name = :job)),
  (SELECT json_group_array(id) FROM lines WHERE namespace = :namespace AND (:queue IS NULL OR queue = :queue))

-- find_live
-- Queued and waiting runs: step from one job, line and state that occurs to the next, and read the first runs of each.
WITH RECURSIVE place (job, at) AS (
  SELECT j.value, (
    SELECT r.line * 8 + r.state
    FROM runs AS r INDEXED BY runs_listed
    WHERE r.state < 2 AND r.job = j.value
    ORDER BY r.line, r.state
    LIMIT 1
  )
  FROM json_each(:jobs) AS j
  UNION ALL
  -- Not as one comparison of pairs: SQLite seeks by the first of the two only, and reads all runs of a line to leave it.
  SELECT p.job, coalesce((
    SELECT r.line * 8 + r.state
    FROM runs AS r INDEXED BY runs_listed
    WHERE r.state < 2 AND r.job = p.job AND r.line = p.at / 8 AND r.state > p.at % 8
    ORDER BY r.state
    LIMIT 1
  ), (
    SELECT r.line * 8 + r.state
    FROM runs AS r INDEXED BY runs_listed
    WHERE r.state < 2 AND r.job = p.job AND r.line > p.at / 8
    ORDER BY r.line, r.state
    LIMIT 1
  ))
  FROM place AS p
  WHERE p.at IS NOT NULL
)
SELECT group_concat((
  SELECT group_concat(hex(f.id), '')
  FROM (
    SELECT r.id
    FROM runs AS r INDEXED BY runs_listed
    WHERE r.state < 2 AND r.job = p.job AND r.line = p.at / 8 AND r.state = p.at % 8 AND r.id >= :low AND r.id < :high
    ORDER BY r.id {order}
    LIMIT :more
  ) AS f
), '')
FROM place AS p
WHERE p.at / 8 IN (SELECT value FROM json_each(:lines))
  AND CASE WHEN p.at % 8 = 1 AND p.at / 8 IN (SELECT value FROM json_each(:parked)) THEN 0 ELSE p.at % 8 END
    IN (SELECT value FROM json_each(:states))

-- find_held
-- Running runs.
SELECT group_concat(hex(f.id), '')
FROM (
  SELECT r.id
  FROM runs AS r INDEXED BY runs_held
  WHERE r.state = 2
    AND r.session IN (SELECT id FROM sessions WHERE namespace = :namespace AND NOT reclaimed)
    AND r.id >= :low AND r.id < :high
    AND r.line IN (SELECT value FROM json_each(:lines))
    AND r.job IN (SELECT value FROM json_each(:jobs))
  ORDER BY r.id {order}
  LIMIT :more
) AS f

-- day_ends
-- The lowest and the highest id that one day holds.
SELECT '{day}', (SELECT min(id) FROM history_{day}), (SELECT max(id) FROM history_{day})

-- find_on_day
-- Settled runs of one day: step from one job, line and state that occurs to the next, and read the first runs of each.
WITH RECURSIVE place (job, at) AS (
  SELECT j.value, (
    SELECT h.line * 8 + h.state
    FROM history_{day} AS h INDEXED BY history_{day}_listed
    WHERE h.job = j.value
    ORDER BY h.line, h.state
    LIMIT 1
  )
  FROM json_each(:jobs) AS j
  UNION ALL
  SELECT p.job, coalesce((
    SELECT h.line * 8 + h.state
    FROM history_{day} AS h INDEXED BY history_{day}_listed
    WHERE h.job = p.job AND h.line = p.at / 8 AND h.state > p.at % 8
    ORDER BY h.state
    LIMIT 1
  ), (
    SELECT h.line * 8 + h.state
    FROM history_{day} AS h INDEXED BY history_{day}_listed
    WHERE h.job = p.job AND h.line > p.at / 8
    ORDER BY h.line, h.state
    LIMIT 1
  ))
  FROM place AS p
  WHERE p.at IS NOT NULL
)
SELECT group_concat((
  SELECT group_concat(hex(f.id), '')
  FROM (
    SELECT h.id
    FROM history_{day} AS h INDEXED BY history_{day}_listed
    WHERE h.job = p.job AND h.line = p.at / 8 AND h.state = p.at % 8 AND h.id >= :low AND h.id < :high
    ORDER BY h.id {order}
    LIMIT :more
  ) AS f
), '')
FROM place AS p
WHERE p.at / 8 IN (SELECT value FROM json_each(:lines)) AND p.at % 8 IN (SELECT value FROM json_each(:states))

-- rarest_mark
-- Which of these marks the fewest runs have, as far as counting goes.
SELECT m.value
FROM json_each(:marks) AS m
ORDER BY (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM marks AS k
    WHERE k.namespace = :namespace AND k.mark = m.value AND k.run >= :low AND k.run < :high
    LIMIT :count
  )
), m.key
LIMIT 1

-- marked
-- So many candidates that have a mark: which of them have the others, and how far the candidates reach.
SELECT
  (
    SELECT group_concat(hex(c.run), '')
    FROM (
      SELECT k.run
      FROM marks AS k
      WHERE k.namespace = :namespace AND k.mark = :mark AND k.run >= :low AND k.run < :high
      ORDER BY k.run {order}
      LIMIT :budget
    ) AS c
    WHERE NOT EXISTS (
      SELECT 1
      FROM json_each(:marks) AS o
      WHERE NOT EXISTS (SELECT 1 FROM marks AS m WHERE m.namespace = :namespace AND m.mark = o.value AND m.run = c.run)
    )
  ),
  (
    SELECT k.run
    FROM marks AS k
    WHERE k.namespace = :namespace AND k.mark = :mark AND k.run >= :low AND k.run < :high
    ORDER BY k.run {order}
    LIMIT 1 OFFSET :budget - 1
  )

-- holder
-- The run that has a key.
SELECT run FROM keys WHERE namespace = :namespace AND key = :key

-- matching
-- Which of these runs match. Looked up before they are aggregated, or every day would be read from end to end.
WITH found AS MATERIALIZED (
  SELECT id, job, line, state
  FROM {where}
  WHERE id IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)
)
SELECT group_concat(hex(r.id), '')
FROM found AS r
WHERE r.line IN (SELECT value FROM json_each(:lines))
  AND r.job IN (SELECT value FROM json_each(:jobs))
  AND CASE WHEN r.state = 1 AND r.line IN (SELECT value FROM json_each(:parked)) THEN 0 ELSE r.state END
    IN (SELECT value FROM json_each(:states))
