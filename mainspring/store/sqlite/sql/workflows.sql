-- due_workflows
-- Due workflow runs of these lines, most urgent first.
SELECT
  r.id AS run, j.namespace, r.job, j.version, NULL AS states, NULL AS maps, 0 AS requests, 0 AS stage, r.priority,
  r.due_at,
  CASE WHEN r.input = x'' THEN (SELECT p.input FROM payloads AS p WHERE p.run = r.id) ELSE r.input END AS input,
  r.extra, r.deadline_at, r.attempt, :now AS began_at, j.spec, NULL AS definition
FROM json_each('[9,8,7,6,5,4,3,2,1,0]') AS p
CROSS JOIN json_each(:lines) AS l
CROSS JOIN runs AS r INDEXED BY runs_claimable
CROSS JOIN jobs AS j ON j.id = r.job
WHERE r.state = 1 AND r.line = l.value AND r.priority = p.value AND r.due_at <= :now
  AND (r.deadline_at IS NULL OR r.deadline_at > :now)
LIMIT :limit

-- flows_of
-- How far workflow runs have come, live or over.
SELECT l.run, l.job, l.version, l.states, l.maps, l.requests, l.stage, l.began_at, NULL AS finished_at, l.definition
FROM json_each(:rows) AS e
CROSS JOIN flows AS l ON l.run = substr(:ids, 16 * e.key + 1, 16)
UNION ALL
SELECT p.run, p.job, p.version, p.states, p.maps, p.requests, p.stage, p.began_at, p.finished_at, p.definition
FROM json_each(:rows) AS e
CROSS JOIN flows_past AS p ON p.run = substr(:ids, 16 * e.key + 1, 16)

-- lock_flows
-- Workflow runs that are under way.
SELECT
  f.run, j.namespace, f.job, f.version, f.states, f.maps, f.requests, f.stage, r.priority, r.due_at,
  CASE WHEN r.input = x'' THEN (SELECT p.input FROM payloads AS p WHERE p.run = r.id) ELSE r.input END AS input,
  r.deadline_at, f.began_at, r.extra, f.definition
FROM json_each(:rows) AS e
CROSS JOIN flows AS f ON f.run = substr(:ids, 16 * e.key + 1, 16)
CROSS JOIN runs AS r ON r.id = f.run
CROSS JOIN jobs AS j ON j.id = f.job

-- take_notes
-- Take away what is noted of these workflow runs.
DELETE FROM notes
WHERE workflow IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)
RETURNING workflow, step, state, runs

-- is_attempt
-- Whether a token is that of a run's attempt.
SELECT EXISTS (SELECT 1 FROM runs AS r WHERE r.id = :run AND r.token = :token) AS held

-- has_request
-- Whether a request to a workflow run has not been taken up yet.
SELECT EXISTS (SELECT 1 FROM notes AS n WHERE n.workflow = :run AND n.step = -1) AS held

-- take_note
-- Take away what is noted of a step.
DELETE FROM notes WHERE workflow = :workflow AND step = :step

-- runs_of_steps
-- The runs of some steps of a workflow run that are not over, nor told to end.
SELECT s.run
FROM json_each(:steps) AS e
CROSS JOIN steps AS s ON s.workflow = :workflow AND s.step = e.value
CROSS JOIN runs AS r ON r.id = s.run
WHERE r.reason IS NOT 'cancelling'
ORDER BY s.run
LIMIT :limit

-- live_steps
-- Runs of some steps of a workflow run that are not over, by step and item.
SELECT s.step, s.item, s.run
FROM json_each(:steps) AS e
CROSS JOIN steps AS s ON s.workflow = :workflow AND s.step = e.value
CROSS JOIN runs AS r ON r.id = s.run
ORDER BY s.step, s.item
LIMIT :limit

-- refuse_step
-- A step that failed without a run having started.
INSERT INTO history_{day} (
  id, line, job, priority, due_at, state, reason, attempt, failures, losses, created_at, finished_at, duration, extra, input
)
VALUES (:id, :line, :job, :priority, :due_at, 4, :code, 1, 1, 0, :now, :now, 0, :extra, :input)

-- mark_step
-- A step that succeeded because an operator says so.
INSERT INTO history_{day} (
  id, line, job, priority, due_at, state, reason, attempt, failures, losses, created_at, finished_at, duration, extra, input, result
)
VALUES (:id, :line, :job, :priority, :due_at, 3, 'marked', 1, 0, 0, :now, :now, 0, :extra, :input, :result)

-- record_end
-- Why a workflow run, or a step without a run, failed.
INSERT INTO attempts_{day} (run, number, token, outcome, started_at, ended_at, error, message, code, duration)
VALUES (:id, 1, :id, 1, :now, :now, :code, :message, :code, 0)
ON CONFLICT DO NOTHING

-- runs_of_pairs
-- The runs of these steps, by their workflow runs.
SELECT s.workflow, s.step, s.item, s.run
FROM json_each(:rows) AS e
CROSS JOIN steps AS s ON s.workflow = substr(:workflow, 16 * e.key + 1, 16) AND s.step = e.value ->> 'step'

-- results_of
-- How runs ended on one day, and their results.
SELECT
  h.id, h.state, h.reason, h.result,
  CASE WHEN h.input = x'' THEN (SELECT p.input FROM payloads AS p WHERE p.run = h.id) ELSE h.input END AS input
FROM json_each(:rows) AS e
CROSS JOIN history_{day} AS h ON h.id = substr(:ids, 16 * e.key + 1, 16)

-- begin_flows
-- Workflow runs that begin.
INSERT INTO flows (run, job, version, states, began_at, touched_at)
SELECT
  substr(:run, 16 * e.key + 1, 16), e.value ->> 'job', e.value ->> 'version',
  coalesce(substr(:states, (e.value ->> '$.states[0]') + 1, e.value ->> '$.states[1]'), x''), :now, :now
FROM json_each(:rows) AS e

-- wait_for_steps
-- Have workflow runs wait for their steps.
UPDATE runs
SET state = 0, reason = 'steps', attempt = attempt + 1, claimed_at = :now, deadline_at = e.value ->> 'deadline_at'
FROM json_each(:rows) AS e
WHERE runs.id = substr(:run, 16 * e.key + 1, 16)

-- save_flows
-- Write how far workflow runs have come.
UPDATE flows
SET
  states = coalesce(substr(:states, (e.value ->> '$.states[0]') + 1, e.value ->> '$.states[1]'), x''),
  maps = CASE WHEN e.value ->> 'maps' IS NOT NULL
    THEN substr(:maps, (e.value ->> '$.maps[0]') + 1, e.value ->> '$.maps[1]') END,
  requests = e.value ->> 'requests',
  stage = e.value ->> 'stage',
  touched_at = :now
FROM json_each(:rows) AS e
WHERE flows.run = substr(:run, 16 * e.key + 1, 16)

-- enter_steps
-- Enter the runs of steps.
INSERT INTO steps (workflow, step, item, run)
SELECT
  substr(:workflow, 16 * e.key + 1, 16), e.value ->> 'step', e.value ->> 'item', substr(:run, 16 * e.key + 1, 16)
FROM json_each(:rows) AS e

-- end_workflow_runs
-- Move workflow runs that waited for their steps to history.
INSERT INTO history_{day} (
  id, line, job, priority, due_at, state, reason, attempt, failures, losses, token, created_at, started_at, finished_at, duration,
  deadline_at, key, extra, input, result
)
SELECT
  r.id, r.line, r.job, r.priority, r.due_at, e.value ->> 'state', e.value ->> 'reason', r.attempt,
  r.failures + (e.value ->> 'failures'), r.losses, r.id, r.created_at, r.claimed_at, :now, :now - r.claimed_at, r.deadline_at,
  r.key, r.extra, r.input,
  CASE WHEN e.value ->> 'result' IS NOT NULL
    THEN substr(:result, (e.value ->> '$.result[0]') + 1, e.value ->> '$.result[1]') END
FROM json_each(:rows) AS e
CROSS JOIN runs AS r ON r.id = substr(:run, 16 * e.key + 1, 16)
WHERE r.state = 0
;
DELETE FROM runs
WHERE state = 0 AND id IN (SELECT substr(:run, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)
;
INSERT INTO finished (at, ids)
VALUES (:now, :run)

-- keep_flows
-- Copy how far workflow runs have come to the past.
INSERT INTO flows_past (run, job, version, states, maps, requests, stage, began_at, finished_at, definition)
SELECT f.run, f.job, f.version, f.states, f.maps, f.requests, f.stage, f.began_at, :now, f.definition
FROM json_each(:rows) AS e
CROSS JOIN flows AS f ON f.run = substr(:ids, 16 * e.key + 1, 16)

-- remove_flows
-- Delete what `keep_flows` copied.
DELETE FROM flows
WHERE run IN (SELECT substr(:ids, 16 * e.key + 1, 16) FROM json_each(:rows) AS e)

-- prune_flows
-- Delete a batch of flows of workflow runs that are not in history any more.
DELETE FROM flows_past
WHERE run IN (
  SELECT p.run
  FROM flows_past AS p
  WHERE p.run < :first AND NOT EXISTS (SELECT 1 FROM all_runs AS r WHERE r.id = p.run)
  LIMIT :batch
)

-- prune_steps
-- Delete a batch of places of steps whose workflow runs are neither live nor in the past any more.
DELETE FROM steps
WHERE (workflow, step, item) IN (
  SELECT p.workflow, p.step, p.item
  FROM steps AS p
  WHERE p.workflow < :first
    AND NOT EXISTS (SELECT 1 FROM flows AS f WHERE f.run = p.workflow)
    AND NOT EXISTS (SELECT 1 FROM flows_past AS f WHERE f.run = p.workflow)
  LIMIT :batch
)

-- prune_votes
-- Delete a batch of answers to approvals whose runs are neither live nor in history any more.
DELETE FROM votes
WHERE (run, actor) IN (
  SELECT v.run, v.actor
  FROM votes AS v
  WHERE v.run < :first AND NOT EXISTS (SELECT 1 FROM all_runs AS r WHERE r.id = v.run)
  LIMIT :batch
)
