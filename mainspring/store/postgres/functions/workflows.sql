-- Lock workflow runs in the order of their ids, move runs of their steps to history as succeeded, and take up what is noted of
-- them: a row that says how many runs were moved, one for each workflow run that is under way, and one for each note.
CREATE OR REPLACE FUNCTION mainspring.take_steps_5(
  p_flows uuid[], p_runs uuid[], p_tokens uuid[], p_results bytea[], p_waits integer[], p_durations bigint[], p_now timestamptz,
  p_owners uuid[], p_whole uuid[], p_whole_parts integer[], p_count bigint, p_torn uuid[], p_torn_parts integer[]
) RETURNS TABLE (
  o_moved bigint, o_run uuid, o_namespace text, o_job integer, o_version integer, o_states bytea, o_maps bytea,
  o_requests smallint, o_stage smallint, o_priority smallint, o_due_at timestamptz, o_input bytea, o_deadline_at timestamptz,
  o_began_at timestamptz, o_extra bytea, o_definition bytea, o_step integer, o_state smallint, o_ended integer
)
LANGUAGE plpgsql
-- plan: nested
AS $$
BEGIN
  PERFORM f.run FROM mainspring.flows AS f WHERE f.run = ANY (p_flows) ORDER BY f.run FOR UPDATE;
  IF cardinality(p_whole) + cardinality(p_torn) > 0 THEN
    o_moved := mainspring.succeed_4(
      p_runs, p_owners, p_results, p_waits, p_durations, p_now, p_whole, p_whole_parts, '{}', '{}', p_count, 0, p_torn, p_torn_parts
    );
  END IF;
  -- As rows, too, if the bundles are not as the caller thinks.
  o_moved := coalesce(o_moved, mainspring.succeed_2(p_runs, p_tokens, p_results, p_waits, p_durations, p_now));
  RETURN NEXT;
  -- After the locks: what was noted while they were waited for is seen.
  RETURN QUERY
  SELECT
    NULL::bigint, f.run, j.namespace, f.job, f.version, f.states, f.maps, f.requests, f.stage, r.priority, r.due_at,
    mainspring.input_1(r.id, r.input), r.deadline_at, f.began_at, r.extra, f.definition, NULL::integer, NULL::smallint, NULL::integer
  FROM mainspring.flows AS f
  JOIN mainspring.runs AS r ON r.id = f.run
  JOIN mainspring.jobs AS j ON j.id = f.job
  WHERE f.run = ANY (p_flows)
  ORDER BY f.run;
  o_moved := NULL;
  FOR o_run, o_step, o_state, o_ended IN
    DELETE FROM mainspring.notes AS n WHERE n.workflow = ANY (p_flows) RETURNING n.workflow, n.step, n.state, n.runs
  LOOP
    RETURN NEXT;
  END LOOP;
END $$;

-- Create the runs of steps that begin, queued or born claimed; those with a part are born in bundles, as if they had been queued and
-- claimed together, and are never rows if all of a bundle succeed.
CREATE OR REPLACE FUNCTION mainspring.create_steps_2(
  p_runs uuid[], p_due timestamptz[], p_lines integer[], p_jobs integer[], p_priorities smallint[], p_tokens uuid[],
  p_sessions uuid[], p_extras bytea[], p_inputs bytea[], p_deadlines timestamptz[],
  p_workflows uuid[], p_steps integer[], p_items integer[], p_parts integer[], p_now timestamptz
) RETURNS void
LANGUAGE plpgsql
-- Without settings of its own, which cost more than its statements: none has a join.
AS $$
BEGIN
  IF cardinality(p_parts) > 0 THEN
    INSERT INTO mainspring.bundles (token, part, session, size, claimed_at, ids, held)
    SELECT t.token, t.part, t.session, count(*), p_now, array_agg(t.id), array_agg(ROW(
      t.id, t.due_at, p_now, NULL, t.line, t.job, 0, t.priority, 1, 0, 0, NULL, NULL, NULL, NULL, t.input, t.deadline_at, t.extra,
      NULL, NULL, NULL
    )::mainspring.runs)
    FROM unnest(
      p_runs, p_due, p_lines, p_jobs, p_priorities, p_tokens, p_sessions, p_extras, p_inputs, p_deadlines, p_parts
    ) AS t(id, due_at, line, job, priority, token, session, extra, input, deadline_at, part)
    WHERE t.part IS NOT NULL
    GROUP BY t.token, t.part, t.session;
  END IF;
  INSERT INTO mainspring.runs (
    id, due_at, created_at, claimed_at, line, job, attempt, priority, state, failures, losses, token, session, extra, input,
    deadline_at
  )
  SELECT
    t.id, t.due_at, p_now, CASE WHEN t.token IS NOT NULL THEN p_now END, t.line, t.job,
    CASE WHEN t.token IS NULL THEN 0 ELSE 1 END, t.priority, CASE WHEN t.token IS NULL THEN 1 ELSE 2 END, 0, 0,
    t.token, t.session, t.extra, t.input, t.deadline_at
  FROM unnest(
    p_runs, p_due, p_lines, p_jobs, p_priorities, p_tokens, p_sessions, p_extras, p_inputs, p_deadlines, p_parts
  ) AS t(id, due_at, line, job, priority, token, session, extra, input, deadline_at, part)
  WHERE t.part IS NULL;
  INSERT INTO mainspring.steps (workflow, step, item, run)
  SELECT t.workflow, t.step, t.item, t.run FROM unnest(p_workflows, p_steps, p_items, p_runs) AS t(workflow, step, item, run);
END $$;

-- Write how far workflow runs have come, and create the runs of steps that begin, queued or born claimed; how many of the sessions
-- that are to have them are live.
CREATE OR REPLACE FUNCTION mainspring.write_steps_2(
  p_flows uuid[], p_states bytea[], p_maps bytea[], p_requests smallint[], p_stages smallint[],
  p_runs uuid[], p_due timestamptz[], p_lines integer[], p_jobs integer[], p_priorities smallint[], p_tokens uuid[],
  p_sessions uuid[], p_extras bytea[], p_inputs bytea[], p_deadlines timestamptz[],
  p_workflows uuid[], p_steps integer[], p_items integer[], p_owners uuid[], p_now timestamptz
) RETURNS bigint
LANGUAGE plpgsql
-- plan: nested
AS $$
DECLARE
  live_count bigint := 0;
BEGIN
  UPDATE mainspring.flows AS f
  SET states = t.states, maps = t.maps, requests = t.requests, stage = t.stage, touched_at = p_now
  FROM unnest(p_flows, p_states, p_maps, p_requests, p_stages) AS t(run, states, maps, requests, stage)
  WHERE f.run = t.run;
  IF cardinality(p_runs) = 0 THEN
    RETURN 0;
  END IF;
  IF cardinality(p_owners) > 0 THEN
    PERFORM s.id FROM mainspring.sessions AS s WHERE s.id = ANY (p_owners) AND s.state = 0 FOR KEY SHARE;
    GET DIAGNOSTICS live_count = ROW_COUNT;
  END IF;
  PERFORM mainspring.create_steps_2(
    p_runs, p_due, p_lines, p_jobs, p_priorities, p_tokens, p_sessions, p_extras, p_inputs, p_deadlines, p_workflows, p_steps,
    p_items, '{}', p_now
  );
  RETURN live_count;
END $$;

-- Write moves that were decided from memory: if every workflow run is still as it was and every attempt is still the run's own, move
-- the attempts to history as succeeded, write what follows, and move the workflow runs that have succeeded with that to the past;
-- otherwise nothing is done, and MSFLW is raised.
CREATE OR REPLACE FUNCTION mainspring.hop_4(
  p_was_states bytea[], p_was_maps bytea[], p_was_requests smallint[], p_was_stages smallint[], p_versions integer[],
  p_ended uuid[], p_ended_tokens uuid[], p_results bytea[], p_waits integer[], p_durations bigint[],
  p_flows uuid[], p_states bytea[], p_maps bytea[], p_requests smallint[], p_stages smallint[],
  p_runs uuid[], p_due timestamptz[], p_lines integer[], p_jobs integer[], p_priorities smallint[], p_tokens uuid[],
  p_sessions uuid[], p_extras bytea[], p_inputs bytea[], p_deadlines timestamptz[],
  p_workflows uuid[], p_steps integer[], p_items integer[], p_owners uuid[], p_over uuid[], p_over_results bytea[], p_now timestamptz,
  p_parts integer[], p_whole uuid[], p_whole_parts integer[], p_count bigint, p_torn uuid[], p_torn_parts integer[]
) RETURNS void
LANGUAGE plpgsql
-- plan: nested
AS $$
DECLARE
  bundled CONSTANT boolean := cardinality(p_whole) + cardinality(p_torn) > 0;
  forgetful CONSTANT boolean := EXISTS (SELECT FROM mainspring.jobs AS j WHERE j.forgets > 0);
  limited CONSTANT boolean := EXISTS (SELECT FROM mainspring.gates) OR EXISTS (SELECT FROM mainspring.lanes);
  found_count bigint;
BEGIN
  -- Flows, then bundles, then runs, then sessions: the order of all who lock them. What takes up a cancel has the flow when it
  -- undoes the bundles of its steps.
  -- The ids come in their order and lead the loop, so flows are locked in one order by all. A lock that had to be waited for is
  -- followed by another look at the row, which then differs.
  UPDATE mainspring.flows AS f
  SET states = t.states, maps = t.maps, requests = t.requests, stage = t.stage, touched_at = p_now
  FROM unnest(
    p_flows, p_states, p_maps, p_requests, p_stages, p_was_states, p_was_maps, p_was_requests, p_was_stages, p_versions
  ) AS t(run, states, maps, requests, stage, was_states, was_maps, was_requests, was_stage, version)
  WHERE f.run = t.run AND f.states = t.was_states AND f.maps IS NOT DISTINCT FROM t.was_maps AND f.requests = t.was_requests
    AND f.stage = t.was_stage AND f.version = t.version;
  GET DIAGNOSTICS found_count = ROW_COUNT;
  IF found_count < cardinality(p_flows) THEN
    RAISE EXCEPTION 'a workflow run has moved' USING ERRCODE = 'MSFLW';
  END IF;
  -- Of bundles that are known none but the torn ones are undone: their mates have the same token.
  PERFORM mainspring.unbundle_under_1(p_ended_tokens)
  WHERE NOT bundled AND EXISTS (SELECT FROM mainspring.bundles AS b WHERE b.token = ANY (p_ended_tokens));
  -- A request that was answered holds from then on: nothing begins before it has been taken up.
  IF EXISTS (SELECT FROM mainspring.notes AS n WHERE n.workflow = ANY (p_flows) AND n.step = -1) THEN
    RAISE EXCEPTION 'a request waits' USING ERRCODE = 'MSFLW';
  END IF;
  -- The workflow runs know these ends: the trigger on history need not note them. Not by SET of the function, which only a superuser
  -- may write for a parameter of our own.
  PERFORM set_config('mainspring.notes', 'off', true);
  IF bundled THEN
    found_count := mainspring.succeed_4(
      p_ended, p_ended_tokens, p_results, p_waits, p_durations, p_now, p_whole, p_whole_parts, '{}', '{}', p_count, 0, p_torn,
      p_torn_parts
    );
  ELSIF forgetful OR limited THEN
    found_count := mainspring.succeed_2(p_ended, p_ended_tokens, p_results, p_waits, p_durations, p_now);
  ELSE
    WITH moved AS (
      DELETE FROM mainspring.runs AS r
      USING unnest(p_ended, p_ended_tokens, p_results, p_waits, p_durations) AS e(id, token, result, wait, duration)
      WHERE r.id = e.id AND r.token = e.token
      RETURNING r.*, e.result, e.wait, e.duration
    )
    INSERT INTO mainspring.history (
      {kept}, input, started_at, finished_at, duration, attempt, state, failures, losses, token, session, result
    )
    SELECT
      {m.kept}, m.input, m.claimed_at + m.wait * interval '1 millisecond', p_now, m.duration, m.attempt, 3, m.failures, m.losses,
      m.token, m.session, m.result
    FROM moved AS m;
    GET DIAGNOSTICS found_count = ROW_COUNT;
  END IF;
  IF coalesce(found_count, 0) < cardinality(p_ended) THEN
    RAISE EXCEPTION 'an attempt was given up' USING ERRCODE = 'MSFLW';
  END IF;
  PERFORM set_config('mainspring.notes', 'on', true);
  IF cardinality(p_owners) > 0 THEN
    PERFORM s.id FROM mainspring.sessions AS s WHERE s.id = ANY (p_owners) AND s.state = 0 FOR KEY SHARE;
    GET DIAGNOSTICS found_count = ROW_COUNT;
    IF found_count < cardinality(p_owners) THEN
      RAISE EXCEPTION 'a session is gone' USING ERRCODE = 'MSFLW';
    END IF;
  END IF;
  PERFORM mainspring.create_steps_2(
    p_runs, p_due, p_lines, p_jobs, p_priorities, p_tokens, p_sessions, p_extras, p_inputs, p_deadlines, p_workflows, p_steps,
    p_items, p_parts, p_now
  ) WHERE cardinality(p_runs) > 0;
  PERFORM mainspring.end_flows_1(p_over, p_over_results, p_now) WHERE cardinality(p_over) > 0;
END $$;

-- Move workflow runs that have succeeded to the past. One that is a step itself leaves a note for its own workflow run.
CREATE OR REPLACE FUNCTION mainspring.end_flows_1(p_runs uuid[], p_results bytea[], p_now timestamptz) RETURNS void
LANGUAGE plpgsql
-- plan: nested
AS $$
BEGIN
  WITH gone AS (
    DELETE FROM mainspring.flows AS f WHERE f.run = ANY (p_runs) RETURNING f.*
  )
  INSERT INTO mainspring.flows_past (run, job, version, states, maps, requests, stage, began_at, finished_at, definition)
  SELECT g.run, g.job, g.version, g.states, g.maps, g.requests, g.stage, g.began_at, p_now, g.definition FROM gone AS g;
  WITH moved AS (
    DELETE FROM mainspring.runs AS r
    USING unnest(p_runs, p_results) AS t(run, result)
    WHERE r.id = t.run AND r.token IS NULL
    RETURNING r.*, t.result
  )
  INSERT INTO mainspring.history (
    {kept}, input, started_at, finished_at, duration, attempt, state, failures, losses, token, result
  )
  SELECT
    {m.kept}, m.input, m.claimed_at, p_now, greatest(extract(epoch FROM p_now - m.claimed_at) * 1000000, 0)::bigint, m.attempt, 3,
    m.failures, m.losses, m.id, m.result
  FROM moved AS m;
END $$;
