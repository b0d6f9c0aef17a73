-- mark_runs
-- Let runs be found by their marks.
INSERT INTO marks (namespace, mark, run)
SELECT :namespace, e.value ->> 'mark', substr(:run, 16 * e.key + 1, 16)
FROM json_each(:rows) AS e
WHERE true
ON CONFLICT DO NOTHING

-- ended_items
-- The items of a step that ended without success on one day, by number after a place.
SELECT s.item, s.run, h.state
FROM steps AS s
CROSS JOIN history_{day} AS h ON h.id = s.run
WHERE s.workflow = :workflow AND s.step = :step AND s.item > :after AND h.state IN (4, 5)
ORDER BY s.item
LIMIT :limit

-- count_ends
-- How many runs of each step of a workflow run have ended in each state on one day.
SELECT s.step, h.state, count(*) AS runs
FROM steps AS s
CROSS JOIN history_{day} AS h ON h.id = s.run
WHERE s.workflow = :workflow
GROUP BY s.step, h.state

-- retry_items
-- Move items that ended without success on one day back into their lines; the lines, and how they had ended.
SELECT h.id, h.line, h.state
FROM json_each(:rows) AS e
CROSS JOIN history_{day} AS h ON h.id = substr(:ids, 16 * e.key + 1, 16)
WHERE h.state IN (4, 5)
;
INSERT INTO runs (
  id, line, job, priority, due_at, state, attempt, failures, losses, created_at, deadline_at, key, extra, input
)
SELECT
  h.id, h.line, h.job, h.priority, :now, 1, h.attempt, 0, 0, h.created_at,
  CASE WHEN h.deadline_at > :now THEN h.deadline_at END, h.key, h.extra, h.input
FROM json_each(:rows) AS e
CROSS JOIN history_{day} AS h ON h.id = substr(:ids, 16 * e.key + 1, 16)
WHERE h.state IN (4, 5)
;
DELETE FROM history_{day}
WHERE state IN (4, 5) AND id IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)

-- prune_batches
-- Delete a batch of names of batches that are neither live nor in the past any more.
DELETE FROM batches
WHERE run IN (
  SELECT o.run
  FROM batches AS o
  WHERE o.run < :first
    AND NOT EXISTS (SELECT 1 FROM flows AS f WHERE f.run = o.run)
    AND NOT EXISTS (SELECT 1 FROM flows_past AS f WHERE f.run = o.run)
  LIMIT :batch
)

-- violated_batches
-- Batches whose counts do not agree with their runs.
SELECT b.run AS example
FROM (
  SELECT
    c.run, CAST(coalesce(f.maps, p.maps) AS TEXT) -> '$.0' AS counts, p.run IS NOT NULL AS over,
    (SELECT count(*) FROM (SELECT 1 FROM steps AS s WHERE s.workflow = c.run AND s.step = 0 LIMIT :look + 1)) AS runs
  FROM (SELECT o.run FROM batches AS o ORDER BY o.run DESC LIMIT 100) AS c
  LEFT JOIN flows AS f ON f.run = c.run
  LEFT JOIN flows_past AS p ON p.run = c.run
  WHERE f.run IS NOT NULL OR p.run IS NOT NULL
) AS b
WHERE (b.over AND (b.counts ->> 2) + (b.counts ->> 3) <> (b.counts ->> 0))
  OR (b.runs <= :look AND b.runs <> (b.counts ->> 0))
LIMIT :examples
