-- What is known of attempts that did not succeed: a stable code, how long the handler took, and of a lost one some of the runs
-- that its executor had at that time.
ALTER TABLE mainspring.attempts ADD COLUMN code text;
ALTER TABLE mainspring.attempts ADD COLUMN duration bigint;
ALTER TABLE mainspring.attempts ADD COLUMN beside uuid[];

-- When the first attempt of a run began; written when it comes back, so that a run which succeeds at once pays nothing.
ALTER TABLE mainspring.runs ADD COLUMN first_started_at timestamptz;

-- As before; a run that has been started has its deadline in the column, where until then the instant by which it had to
-- start may have stood. The wait of one that has not been started is negative.
CREATE FUNCTION mainspring.requeue_2(
  p_runs uuid[], p_tokens uuid[], p_states smallint[], p_due_at timestamptz[], p_reasons text[], p_failures smallint[],
  p_losses smallint[], p_deadlines timestamptz[], p_waits integer[]
) RETURNS bigint
LANGUAGE plpgsql
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_material = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  moved_count bigint;
BEGIN
  UPDATE mainspring.runs AS r
  SET state = e.state, token = NULL, session = NULL, claimed_at = NULL, due_at = coalesce(e.due_at, r.due_at),
      reason = e.reason, failures = r.failures + e.failures, losses = r.losses + e.losses, deadline_at = e.deadline_at,
      first_started_at = coalesce(
        r.first_started_at, CASE WHEN e.wait >= 0 THEN r.claimed_at + e.wait * interval '1 millisecond' END
      )
  FROM unnest(p_runs, p_tokens, p_states, p_due_at, p_reasons, p_failures, p_losses, p_deadlines, p_waits)
    AS e(id, token, state, due_at, reason, failures, losses, deadline_at, wait)
  WHERE r.id = e.id AND r.token = e.token;
  GET DIAGNOSTICS moved_count = ROW_COUNT;
  RETURN moved_count;
END $$;
DROP FUNCTION mainspring.requeue_1;

-- As before, with the code of the last failure.
CREATE FUNCTION mainspring.show_2(p_namespace text, p_runs uuid[], p_births timestamptz[], p_size integer)
RETURNS TABLE (
  id uuid, namespace text, job text, queue text, handler text, priority smallint, state smallint, reason text,
  attempt integer, failures smallint, losses smallint, due_at timestamptz, created_at timestamptz, started_at timestamptz,
  finished_at timestamptz, deadline_at timestamptz, executor text, key text, extra bytea, input bytea, result bytea,
  error text, message text, traceback text, code text, progress_token uuid, fraction real, note text
)
LANGUAGE plpgsql STABLE
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_material = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT x.id, l.namespace, j.name, l.queue, l.handler, x.priority, x.state, x.reason, x.attempt, x.failures, x.losses,
    x.due_at, x.created_at, x.started_at, x.finished_at, x.deadline_at, s.executor, x.key, x.extra,
    CASE WHEN octet_length(x.input) <= p_size THEN x.input END,
    CASE WHEN octet_length(x.result) <= p_size THEN x.result END,
    f.error, f.message, CASE WHEN octet_length(f.traceback) <= p_size THEN f.traceback END, f.code, p.token, p.fraction, p.note
  FROM unnest(p_runs, p_births) AS c(id, born)
  CROSS JOIN LATERAL (
    SELECT *
    FROM (
      SELECT r.id, r.line, r.job, r.priority, r.state, r.reason, r.attempt, r.failures, r.losses, r.due_at, r.created_at,
        r.claimed_at AS started_at, NULL::timestamptz AS finished_at, r.deadline_at, r.session, r.key, r.extra, r.input,
        NULL::bytea AS result
      FROM mainspring.runs AS r
      WHERE r.id = c.id
      UNION ALL
      SELECT h.id, h.line, h.job, h.priority, h.state, h.reason, h.attempt, h.failures, h.losses, h.due_at, h.created_at,
        h.started_at, h.finished_at, h.deadline_at, h.session, h.key, h.extra, h.input, h.result
      FROM mainspring.history AS h
      WHERE h.id = c.id AND h.finished_at >= c.born - interval '5 minutes' AND h.finished_at < c.born + interval '1 hour'
      UNION ALL
      SELECT h.id, h.line, h.job, h.priority, h.state, h.reason, h.attempt, h.failures, h.losses, h.due_at, h.created_at,
        h.started_at, h.finished_at, h.deadline_at, h.session, h.key, h.extra, h.input, h.result
      FROM mainspring.history AS h
      WHERE h.id = c.id
    ) AS u
    LIMIT 1
  ) AS x
  LEFT JOIN mainspring.lines AS l ON l.id = x.line
  LEFT JOIN mainspring.jobs AS j ON j.id = x.job
  LEFT JOIN mainspring.sessions AS s ON s.id = x.session
  LEFT JOIN mainspring.progress AS p ON p.run = x.id
  LEFT JOIN LATERAL (
    SELECT a.error, a.message, a.traceback, a.code
    FROM mainspring.attempts AS a
    WHERE a.run = x.id AND a.ended_at >= c.born - interval '5 minutes' AND a.error IS NOT NULL
      AND x.failures + x.losses > 0
    ORDER BY a.number DESC
    LIMIT 1
  ) AS f ON true
  WHERE l.namespace IS NOT DISTINCT FROM p_namespace;
END $$;
DROP FUNCTION mainspring.show_1;

-- A call may say within how many seconds its run has to start; what it does not say comes from the job.
ALTER TYPE mainspring.call ADD ATTRIBUTE start_within json;

-- The run of one call, checked as the API checks it.
CREATE OR REPLACE FUNCTION mainspring.run_called(
  p_namespace text, p_call mainspring.call, p_job jsonb, p_place text, p_id uuid, p_now timestamptz
) RETURNS mainspring.called_run
LANGUAGE plpgsql AS $$
DECLARE
  run mainspring.called_run;
  queue text := coalesce(mainspring.field_of(p_call.queue, 'string', p_place, 'queue'), p_job ->> 'queue');
  priority text := coalesce(mainspring.field_of(p_call.priority, 'number', p_place, 'priority'), p_job ->> 'priority');
  input text := coalesce(p_call.input, '{}');
  within float8 := coalesce(
    mainspring.field_of(p_call.start_within, 'number', p_place, 'start_within'), p_job ->> 'start_within'
  );
  start_by timestamptz;
  starting text;
BEGIN
  IF priority !~ '^[0-9]$' THEN
    PERFORM mainspring.refuse(
      p_place || 'priority', 'bad_priority', priority || ' is outside 0 (least urgent) to 9 (most urgent)'
    );
  END IF;
  PERFORM mainspring.check_text(queue, 100, p_place || 'queue', 'bad_queue');
  run.id := p_id;
  run.job := p_job ->> 'id';
  run.priority := priority;
  run.due_at := coalesce(mainspring.instant_of(p_call.due_at, p_call.delay, p_place, 'due_at', 'delay', p_now), p_now);
  run.deadline_at := mainspring.instant_of(
    p_call.deadline, p_call.deadline_in, p_place, 'deadline', 'deadline_in', p_now
  );
  IF run.deadline_at <= greatest(run.due_at, p_now) THEN
    PERFORM mainspring.refuse(p_place || 'deadline', 'bad_deadline', 'is not after the instant at which the run is due');
  ELSIF within <= 0 OR within > 3653 * 86400 THEN
    PERFORM mainspring.refuse(p_place || 'start_within', 'bad_start_within', 'is more than 0 and at most 10 years, in seconds');
  END IF;
  run.deadline_at := coalesce(
    run.deadline_at, greatest(run.due_at, p_now) + (p_job ->> 'deadline')::float8 * interval '1 second'
  );
  start_by := greatest(run.due_at, p_now) + within * interval '1 second';
  IF start_by < coalesce(run.deadline_at, 'infinity') THEN
    -- Until somebody has started it, the column holds this instant; the deadline is kept for afterwards.
    starting := concat_ws(',', '"start_by":' || to_json(start_by), '"ends_by":' || to_json(run.deadline_at));
    run.deadline_at := start_by;
  END IF;
  run.key := mainspring.field_of(p_call.key, 'string', p_place, 'key');
  IF NOT mainspring.is_visible(run.key, 255) THEN
    PERFORM mainspring.refuse(p_place || 'key', 'bad_key', 'needs 1 to 255 printable characters');
  END IF;
  run.digest := sha256(convert_to(p_job ->> 'name', 'UTF8') || '\x00' || convert_to(input, 'UTF8'));
  run.extra := convert_to('{' || concat_ws(',', starting, '"by":' || to_json('sql:' || session_user)) || '}', 'UTF8');
  IF p_call.tags IS NOT NULL OR p_call.labels IS NOT NULL THEN
    run.marks := mainspring.marks_of(p_call, p_place);
    run.extra := convert_to('{' || concat_ws(
      ',', '"labels":' || nullif(p_call.labels::text, '{}'),
      '"tags":' || nullif(to_json(ARRAY(SELECT m FROM unnest(run.marks) AS m WHERE m NOT LIKE '%=%'))::text, '[]'),
      starting, '"by":' || to_json('sql:' || session_user)
    ) || '}', 'UTF8');
  END IF;
  IF octet_length(input) > 262144 THEN
    PERFORM mainspring.refuse(
      p_place || 'input', 'input_too_large', octet_length(input) || ' bytes are over the limit of 262144'
    );
  ELSIF json_typeof(p_call.input) <> 'object' THEN
    PERFORM mainspring.refuse(p_place || 'input', 'bad_input', 'is not a JSON object');
  END IF;
  PERFORM mainspring.check_depth(input, p_place || 'input');
  IF p_job -> 'input' <> '{}' THEN
    SELECT '{' || string_agg(to_json(e.key) || ':' || e.value, ',') || '}' INTO input
    FROM (
      SELECT d.key, d.value::text FROM jsonb_each(p_job -> 'input') AS d WHERE p_call.input -> d.key IS NULL
      UNION ALL
      SELECT i.key, i.value::text FROM json_each(p_call.input) AS i
    ) AS e;
  END IF;
  PERFORM mainspring.check_arguments(input::json, p_job -> 'schema', p_place || 'input');
  run.input := convert_to(input, 'UTF8');
  run.queue := queue;
  run.line := mainspring.line_for(p_namespace, queue, p_job ->> 'handler');
  RETURN run;
END $$;

-- As before, with the new field.
CREATE OR REPLACE FUNCTION mainspring.enqueue_many(calls json, namespace text DEFAULT 'default') RETURNS json
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  called_at CONSTANT timestamptz := clock_timestamp();
  tick CONSTANT bigint := floor(extract(epoch FROM called_at) * 4096000);
  many CONSTANT boolean := json_array_length(calls) > 1;
  given record;
  call mainspring.call;
  job jsonb;
  run mainspring.called_run;
  holder uuid;
  answers json[] := '{}';
  queues text[] := '{}';
  lines text[] := '{}';
  place text := '';
  wrong text;
BEGIN
  FOR given IN
    SELECT c.value, c.ordinality AS turn FROM json_array_elements(calls) WITH ORDINALITY AS c
    ORDER BY c.value ->> 'key', c.ordinality  -- in one order, so that nobody deadlocks over keys
  LOOP
    IF many THEN
      place := 'runs[' || given.turn - 1 || '].';
    END IF;
    SELECT k.name INTO wrong FROM json_object_keys(given.value) AS k(name)
    WHERE k.name NOT IN (
      'job', 'input', 'queue', 'priority', 'due_at', 'delay', 'key', 'labels', 'tags', 'deadline', 'deadline_in',
      'start_within'
    );
    IF FOUND THEN
      PERFORM mainspring.refuse(place || wrong, 'unknown_field', 'is not a field of a run');
    END IF;
    call := json_populate_record(NULL::mainspring.call, given.value);
    IF call.job IS NULL THEN
      PERFORM mainspring.refuse(place || 'job', 'missing_field', 'is missing');
    ELSIF job ->> 'name' IS DISTINCT FROM call.job #>> '{}' THEN
      job := mainspring.job_called(enqueue_many.namespace, mainspring.field_of(call.job, 'string', place, 'job'));
    END IF;
    run := mainspring.run_called(enqueue_many.namespace, call, job, place, mainspring.run_id(tick + given.turn), called_at);
    holder := mainspring.store_run(enqueue_many.namespace, run, called_at);
    answers[given.turn] := json_build_object('id', holder, 'existing', holder <> run.id);
    IF holder = run.id THEN
      queues := queues || run.queue;
      -- What falls due before the next poll makes the servers look ahead.
      IF run.due_at <= called_at + interval '2 seconds' AND run.line::text <> ALL (lines) THEN
        lines := lines || CASE WHEN run.due_at > called_at THEN '*' ELSE run.line::text END;
      END IF;
    END IF;
  END LOOP;
  PERFORM mainspring.check_budgets(enqueue_many.namespace, queues);
  PERFORM mainspring.hint(lines);
  RETURN array_to_json(answers);
END $$;
