-- noted_flows
-- Workflow runs of which something is noted.
SELECT n.workflow FROM mainspring.notes AS n LIMIT :limit

-- notes_of
-- What is noted of one workflow run.
SELECT n.step, n.state, n.runs FROM mainspring.notes AS n WHERE n.workflow = :workflow

-- note_request
-- Note a request to a workflow run that is under way.
INSERT INTO mainspring.notes (workflow, step, state, runs)
SELECT f.run, -1, :state::smallint, 1 FROM mainspring.flows AS f WHERE f.run = :workflow

-- note_end
-- Note ends of a step.
INSERT INTO mainspring.notes (workflow, step, state, runs) VALUES (:workflow, :step, :state, :runs)

-- stale_flows
-- Live workflow runs that nothing has moved since.
SELECT f.run FROM mainspring.flows AS f WHERE f.run > :after AND f.touched_at < :before ORDER BY f.run LIMIT :limit

-- spec_of_version
-- A job as a version has it.
SELECT v.spec FROM mainspring.job_versions AS v WHERE v.job = :job AND v.version = :version

-- flow
-- How far a workflow run has come, live or over.
SELECT f.run, f.job, f.version, f.states, f.maps, f.requests, f.stage, f.began_at, f.finished_at, f.definition
FROM (
  SELECT l.run, l.job, l.version, l.states, l.maps, l.requests, l.stage, l.began_at, NULL AS finished_at, l.definition
  FROM mainspring.flows AS l
  WHERE l.run = :run
  UNION ALL
  SELECT p.run, p.job, p.version, p.states, p.maps, p.requests, p.stage, p.began_at, p.finished_at, p.definition
  FROM mainspring.flows_past AS p
  WHERE p.run = :run
) AS f
JOIN mainspring.jobs AS j ON j.id = f.job
WHERE j.namespace = :namespace
LIMIT 1

-- steps_of
-- The runs of a workflow run's steps, by step and item.
SELECT s.step, s.item, s.run
FROM mainspring.steps AS s
WHERE s.workflow = :workflow AND (s.step, s.item) > (:step, :item)
ORDER BY s.step, s.item
LIMIT :limit

-- place_of
-- The workflow run and the step whose run this is.
SELECT s.workflow, s.step FROM mainspring.steps AS s WHERE s.run = :run ORDER BY s.workflow LIMIT 1

-- stop_workflow
-- Have a workflow run whose deadline has come wait for its steps to be stopped.
UPDATE mainspring.runs AS r SET reason = 'stopping' WHERE r.id = :run AND r.reason = 'steps'

-- reopen_flow
-- Have a workflow run that was over under way again.
INSERT INTO mainspring.flows (run, job, version, states, maps, requests, stage, began_at, touched_at, definition)
SELECT p.run, p.job, p.version, p.states, p.maps, p.requests, p.stage, p.began_at, :now::timestamptz, p.definition
FROM mainspring.flows_past AS p
WHERE p.run = :run

-- forget_past_flow
-- Delete what `reopen_flow` copied.
DELETE FROM mainspring.flows_past AS p WHERE p.run = :run

-- forget_steps
-- Forget the runs that the steps of a workflow run had.
DELETE FROM mainspring.steps AS s WHERE s.workflow = :run

-- begin_handler_flow
-- A run whose handler waits.
INSERT INTO mainspring.flows (run, job, version, states, began_at, touched_at, definition)
SELECT r.id, r.job, j.version, :states, :now, :now, :definition
FROM mainspring.runs AS r
JOIN mainspring.jobs AS j ON j.id = r.job
WHERE r.id = :run

-- count_from
-- The instant from which the time of a run counts that waits.
UPDATE mainspring.runs AS r SET claimed_at = :now WHERE r.id = :run

-- go_on
-- Put a run back into its line whose handler has waited.
UPDATE mainspring.runs AS r
SET state = 1, reason = NULL, claimed_at = NULL
WHERE r.id = :run AND r.state = 0
RETURNING line, attempt

-- any_flow
-- Whether any workflow run is under way.
SELECT EXISTS (SELECT 1 FROM mainspring.flows) AS held

-- forget_step
-- Forget the runs that a step of a workflow run had.
DELETE FROM mainspring.steps AS s WHERE s.workflow = :workflow AND s.step = :step

-- share_step
-- Let a fork have the runs of a step of its origin.
INSERT INTO mainspring.steps (workflow, step, item, run)
SELECT :fork, :number::integer, s.item, s.run FROM mainspring.steps AS s WHERE s.workflow = :workflow AND s.step = :step

-- renumber_step
-- Give a step of a workflow run the number that it has in another version.
UPDATE mainspring.steps AS s SET step = :number WHERE s.workflow = :workflow AND s.step = :step

-- set_version
-- Have a workflow run go on by another version.
UPDATE mainspring.flows AS f SET version = :version, states = :states WHERE f.run = :run

-- lock_begins
-- Let one server at a time begin runs of a workflow that has a limit.
SELECT j.id FROM mainspring.jobs AS j WHERE j.id = :job FOR UPDATE

-- flows_under_way
-- How many runs of a workflow are under way, counted up to a number.
SELECT count(*) AS flows FROM (SELECT 1 AS one FROM mainspring.flows AS f WHERE f.job = :job LIMIT :most) AS counted
