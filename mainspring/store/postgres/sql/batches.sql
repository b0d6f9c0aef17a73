-- mark_runs
-- Let runs be found by their marks.
INSERT INTO mainspring.marks (namespace, mark, run)
SELECT :namespace, t.mark, t.run
FROM unnest(:mark::text[], :run::uuid[]) AS t(mark, run)
ON CONFLICT DO NOTHING

-- ended_items
-- The items of a step that ended without success, by number after a place.
SELECT s.item, s.run, h.state
FROM mainspring.steps AS s
JOIN mainspring.history AS h ON h.id = s.run AND h.finished_at >= :since
WHERE s.workflow = :workflow AND s.step = :step AND s.item > :after AND h.state IN (4, 5)
ORDER BY s.item
LIMIT :limit

-- count_ends
-- How many runs of each step of a workflow run have ended in each state.
SELECT s.step, h.state, count(*) AS runs
FROM mainspring.steps AS s
JOIN mainspring.history AS h ON h.id = s.run AND h.finished_at >= :since
WHERE s.workflow = :workflow
GROUP BY s.step, h.state

-- retry_items
-- Move items that ended without success back into their lines; the lines, and how they had ended.
WITH moved AS (
  DELETE FROM mainspring.history AS h
  WHERE h.id = ANY (:ids::uuid[]) AND h.finished_at >= :since AND h.state IN (4, 5)
  RETURNING h.*
), back AS (
  INSERT INTO mainspring.runs (
    id, due_at, created_at, line, job, attempt, priority, state, failures, losses, deadline_at, key, extra, input
  )
  SELECT
    m.id, :now::timestamptz, m.created_at, m.line, m.job, m.attempt, m.priority, 1, 0, 0,
    CASE WHEN m.deadline_at > :now::timestamptz THEN m.deadline_at END, m.key, m.extra, m.input
  FROM moved AS m
  RETURNING id, line
)
SELECT b.id, b.line, m.state FROM back AS b JOIN moved AS m ON m.id = b.id

-- prune_batches
-- Delete a batch of names of batches that are neither live nor in the past any more.
DELETE FROM mainspring.batches AS b
WHERE b.ctid = ANY (ARRAY(
  SELECT o.ctid
  FROM mainspring.batches AS o
  WHERE o.run < $1
    AND NOT EXISTS (SELECT FROM mainspring.flows AS f WHERE f.run = o.run)
    AND NOT EXISTS (SELECT FROM mainspring.flows_past AS f WHERE f.run = o.run)
  LIMIT $2
))

-- violated_batches
-- Batches whose counts do not agree with their runs.
SELECT b.run::text AS example
FROM (
  SELECT c.run, convert_from(coalesce(f.maps, p.maps), 'UTF8')::jsonb -> '0' AS counts, p.run IS NOT NULL AS over
  FROM (SELECT o.run FROM mainspring.batches AS o ORDER BY o.run DESC LIMIT 100) AS c
  LEFT JOIN mainspring.flows AS f ON f.run = c.run
  LEFT JOIN mainspring.flows_past AS p ON p.run = c.run
  WHERE f.run IS NOT NULL OR p.run IS NOT NULL
) AS b
CROSS JOIN LATERAL (
  SELECT count(*) AS runs
  FROM (SELECT FROM mainspring.steps AS s WHERE s.workflow = b.run AND s.step = 0 LIMIT :look + 1) AS few
) AS known
WHERE (b.over AND (b.counts ->> 2)::integer + (b.counts ->> 3)::integer <> (b.counts ->> 0)::integer)
  OR (known.runs <= :look AND known.runs <> (b.counts ->> 0)::integer)
LIMIT :examples
