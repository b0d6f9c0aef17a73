-- due_workflows
-- Lock due workflow runs of these lines, most urgent first.
SELECT
  r.id AS run, j.namespace, r.job, j.version, NULL::bytea AS states, NULL::bytea AS maps, 0 AS requests, 0 AS stage, r.priority,
  r.due_at, mainspring.input_1(r.id, r.input) AS input, r.extra, r.deadline_at, r.attempt, :now::timestamptz AS began_at, j.spec,
  NULL::bytea AS definition
FROM (
  SELECT p.priority, l.line
  FROM generate_series(9, 0, -1) AS p(priority)
  CROSS JOIN unnest(:lines::integer[]) AS l(line)
  ORDER BY p.priority DESC
) AS head
CROSS JOIN LATERAL (
  SELECT c.*
  FROM mainspring.runs AS c
  WHERE c.state = 1 AND c.line = head.line AND c.priority = head.priority AND c.due_at <= :now
    AND (c.deadline_at IS NULL OR c.deadline_at > :now)
  ORDER BY c.due_at, c.id
  LIMIT :limit
  FOR UPDATE SKIP LOCKED
) AS r
JOIN mainspring.jobs AS j ON j.id = r.job
LIMIT :limit

-- begin_flows
-- Workflow runs that begin.
INSERT INTO mainspring.flows (run, job, version, states, began_at, touched_at)
SELECT t.run, t.job, t.version, t.states, :now::timestamptz, :now::timestamptz
FROM unnest(:run::uuid[], :job::integer[], :version::integer[], :states::bytea[]) AS t(run, job, version, states)

-- wait_for_steps
-- Have workflow runs wait for their steps.
UPDATE mainspring.runs AS r
SET state = 0, reason = 'steps', attempt = r.attempt + 1, claimed_at = :now, deadline_at = t.deadline_at
FROM unnest(:run::uuid[], :deadline_at::timestamptz[]) AS t(run, deadline_at)
WHERE r.id = t.run

-- flows_of
-- How far workflow runs have come, live or over.
SELECT f.run, f.job, f.version, f.states, f.maps, f.requests, f.stage, f.began_at, f.finished_at, f.definition
FROM (
  SELECT l.run, l.job, l.version, l.states, l.maps, l.requests, l.stage, l.began_at, NULL AS finished_at, l.definition
  FROM mainspring.flows AS l
  WHERE l.run = ANY (:ids::uuid[])
  UNION ALL
  SELECT p.run, p.job, p.version, p.states, p.maps, p.requests, p.stage, p.began_at, p.finished_at, p.definition
  FROM mainspring.flows_past AS p
  WHERE p.run = ANY (:ids::uuid[])
) AS f

-- lock_flows
-- Lock workflow runs that are under way, in one order for all.
SELECT
  f.run, j.namespace, f.job, f.version, f.states, f.maps, f.requests, f.stage, r.priority, r.due_at,
  mainspring.input_1(r.id, r.input) AS input, r.deadline_at, f.began_at, r.extra, f.definition
FROM mainspring.flows AS f
JOIN mainspring.runs AS r ON r.id = f.run
JOIN mainspring.jobs AS j ON j.id = f.job
WHERE f.run = ANY (:ids::uuid[])
ORDER BY f.run
FOR UPDATE OF f

-- take_notes
-- Take away what is noted of these workflow runs.
DELETE FROM mainspring.notes AS n WHERE n.workflow = ANY (:ids::uuid[]) RETURNING n.workflow, n.step, n.state, n.runs

-- runs_of_steps
-- The runs of some steps of a workflow run that are not over, nor told to end.
SELECT s.run
FROM mainspring.steps AS s
JOIN mainspring.runs AS r ON r.id = s.run
WHERE s.workflow = :workflow AND s.step = ANY (:steps::integer[]) AND r.reason IS DISTINCT FROM 'cancelling'
UNION ALL
SELECT s.run
FROM mainspring.bundles AS b
CROSS JOIN LATERAL unnest(b.ids) AS held(id)
JOIN mainspring.steps AS s ON s.run = held.id
WHERE s.workflow = :workflow AND s.step = ANY (:steps::integer[])
ORDER BY run
LIMIT :limit

-- live_steps
-- Runs of some steps of a workflow run that are not over, by step and item.
SELECT s.step, s.item, s.run
FROM mainspring.steps AS s
WHERE s.workflow = :workflow AND s.step = ANY (:steps::integer[])
  AND EXISTS (SELECT FROM mainspring.live AS r WHERE r.id = s.run)
ORDER BY s.step, s.item
LIMIT :limit

-- refuse_step
-- A step that failed without a run having started.
INSERT INTO mainspring.history (
  id, due_at, created_at, finished_at, duration, line, job, attempt, priority, state, failures, losses, reason, extra, input
)
VALUES (:id, :due_at, :now, :now, 0, :line, :job, 1, :priority, 4, 1, 0, :code, :extra, :input)

-- mark_step
-- A step that succeeded because an operator says so.
INSERT INTO mainspring.history (
  id, due_at, created_at, finished_at, duration, line, job, attempt, priority, state, failures, losses, reason, extra, input, result
)
VALUES (:id, :due_at, :now, :now, 0, :line, :job, 1, :priority, 3, 0, 0, 'marked', :extra, :input, :result)

-- record_end
-- Why a workflow run, or a step without a run, failed.
INSERT INTO mainspring.attempts (run, number, outcome, token, started_at, ended_at, error, message, code, duration)
VALUES (:id, 1, 1, :id, :now, :now, :code, :message, :code, 0)

-- runs_of_pairs
-- The runs of these steps, by their workflow runs.
SELECT s.workflow, s.step, s.item, s.run
FROM unnest(:workflow::uuid[], :step::integer[]) AS t(workflow, step)
JOIN mainspring.steps AS s ON s.workflow = t.workflow AND s.step = t.step

-- results_of
-- How runs ended, and their results.
SELECT h.id, h.state, h.reason, h.result, mainspring.input_1(h.id, h.input) AS input
FROM mainspring.history AS h
WHERE h.id = ANY (:ids::uuid[]) AND h.finished_at >= :since

-- enter_steps
-- Enter the runs of steps.
INSERT INTO mainspring.steps (workflow, step, item, run)
SELECT t.workflow, t.step, t.item, t.run
FROM unnest(:workflow::uuid[], :step::integer[], :item::integer[], :run::uuid[]) AS t(workflow, step, item, run)

-- take_steps
-- Lock workflow runs, move runs of their steps to history as succeeded, and take up what is noted.
SELECT
  t.o_moved AS moved, t.o_run AS run, t.o_namespace AS namespace, t.o_job AS job, t.o_version AS version, t.o_states AS states,
  t.o_maps AS maps, t.o_requests AS requests, t.o_stage AS stage, t.o_priority AS priority, t.o_due_at AS due_at,
  t.o_input AS input, t.o_deadline_at AS deadline_at, t.o_began_at AS began_at, t.o_extra AS extra, t.o_definition AS definition,
  t.o_run AS workflow, t.o_step AS step, t.o_state AS state, t.o_ended AS runs
FROM mainspring.take_steps_5(
  :flows, :runs, :tokens, :results, :waits, :durations, :now, :owners, :whole, :whole_parts, :count, :torn, :torn_parts
) AS t

-- write_steps
-- Write how far workflow runs have come, and create the runs of steps that begin.
SELECT mainspring.write_steps_2(
  :flows, :states, :maps, :requests, :stages, :runs, :due, :lines, :jobs, :priorities, :tokens, :sessions, :extras, :inputs,
  :deadlines, :workflows, :steps, :items, :owners, :now
) AS living

-- hop
-- Write moves that were decided from memory, with the successes that they follow from.
SELECT mainspring.hop_4(
  :was_states, :was_maps, :was_requests, :was_stages, :versions, :ended, :ended_tokens, :results, :waits, :durations, :flows,
  :states, :maps, :requests, :stages, :runs, :due, :lines, :jobs, :priorities, :tokens, :sessions, :extras, :inputs, :deadlines,
  :workflows, :steps, :items, :owners, :over, :over_results, :now, :parts, :whole, :whole_parts, :count, :torn, :torn_parts
)

-- end_workflow_runs
-- Move workflow runs that waited for their steps to history.
WITH moved AS (
  DELETE FROM mainspring.runs AS r
  USING unnest(:run::uuid[], :state::smallint[], :reason::text[], :failures::smallint[], :result::bytea[])
    AS t(run, state, reason, failures, result)
  WHERE r.id = t.run AND r.token IS NULL
  RETURNING r.*, t.state AS final, t.reason AS why, t.failures AS failed, t.result
)
INSERT INTO mainspring.history (
  id, due_at, created_at, started_at, finished_at, duration, line, job, attempt, priority, state, failures, losses, reason,
  token, deadline_at, key, extra, input, result
)
SELECT
  m.id, m.due_at, m.created_at, m.claimed_at, :now::timestamptz,
  greatest(extract(epoch FROM :now::timestamptz - m.claimed_at) * 1000000, 0)::bigint, m.line, m.job, m.attempt, m.priority,
  m.final, m.failures + m.failed, m.losses, m.why, m.id, m.deadline_at, m.key, m.extra, m.input, m.result
FROM moved AS m

-- keep_flows
-- Copy how far workflow runs have come to the past.
INSERT INTO mainspring.flows_past (run, job, version, states, maps, requests, stage, began_at, finished_at, definition)
SELECT f.run, f.job, f.version, f.states, f.maps, f.requests, f.stage, f.began_at, :now::timestamptz, f.definition
FROM mainspring.flows AS f
WHERE f.run = ANY (:ids::uuid[])

-- remove_flows
-- Delete what `keep_flows` copied.
DELETE FROM mainspring.flows AS f WHERE f.run = ANY (:ids::uuid[])

-- prune_flows
-- Delete a batch of flows of workflow runs that are not in history any more.
DELETE FROM mainspring.flows_past AS f
WHERE f.ctid = ANY (ARRAY(
  SELECT p.ctid
  FROM mainspring.flows_past AS p
  WHERE p.run < $1 AND NOT EXISTS (SELECT FROM mainspring.history AS h WHERE h.id = p.run)
  LIMIT $2
))

-- prune_steps
-- Delete a batch of places of steps whose workflow runs are neither live nor in the past any more.
DELETE FROM mainspring.steps AS s
WHERE s.ctid = ANY (ARRAY(
  SELECT p.ctid
  FROM mainspring.steps AS p
  WHERE p.workflow < $1
    AND NOT EXISTS (SELECT FROM mainspring.flows AS f WHERE f.run = p.workflow)
    AND NOT EXISTS (SELECT FROM mainspring.flows_past AS f WHERE f.run = p.workflow)
  LIMIT $2
))

-- prune_votes
-- Delete a batch of answers to approvals whose runs are neither live nor in history any more.
DELETE FROM mainspring.votes AS v
WHERE v.ctid = ANY (ARRAY(
  SELECT o.ctid
  FROM mainspring.votes AS o
  WHERE o.run < $1
    AND NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = o.run)
    AND NOT EXISTS (SELECT FROM mainspring.history AS h WHERE h.id = o.run)
  LIMIT $2
))
