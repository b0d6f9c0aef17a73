-- name_batch
-- Enter a batch under its name, unless another one has it.
INSERT INTO mainspring.batches (run, namespace, name) VALUES (:run, :namespace, :name) ON CONFLICT DO NOTHING

-- named_batch
-- The batch of a name.
SELECT b.run FROM mainspring.batches AS b WHERE b.namespace = :namespace AND b.name = :name

-- begin_batch
-- The run of a batch, which waits for its items from the beginning.
INSERT INTO mainspring.runs (
  id, due_at, created_at, claimed_at, line, job, attempt, priority, state, reason, failures, losses, deadline_at, extra, input
)
VALUES (:id, :now, :now, :now, :line, :job, 1, :priority, 0, 'steps', 0, 0, :deadline_at, :extra, :input)

-- begin_batch_flow
-- How far a batch has come that begins.
INSERT INTO mainspring.flows (run, job, version, states, maps, began_at, touched_at, definition)
VALUES (:run, :job, :version, :states, :maps, :now, :now, :definition)

-- batches
-- The batches of a namespace, newest first.
SELECT
  b.run, coalesce(f.job, p.job) AS job, coalesce(f.version, p.version) AS version, coalesce(f.states, p.states) AS states,
  coalesce(f.maps, p.maps) AS maps, coalesce(f.requests, p.requests) AS requests, coalesce(f.stage, p.stage) AS stage,
  coalesce(f.began_at, p.began_at) AS began_at, p.finished_at, coalesce(f.definition, p.definition) AS definition
FROM mainspring.batches AS b
LEFT JOIN mainspring.flows AS f ON f.run = b.run
LEFT JOIN mainspring.flows_past AS p ON p.run = b.run
WHERE b.namespace = :namespace AND b.run < :before AND (f.run IS NOT NULL OR p.run IS NOT NULL)
ORDER BY b.run DESC
LIMIT :limit
