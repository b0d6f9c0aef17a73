-- Runs that come with callers' own transactions: they exist exactly if that transaction commits.
--
-- No server takes part, so this is the one place where the database's own clock counts. It is the clock that servers follow.
-- `enqueue` and `enqueue_many` are for any role that is granted them; nothing else of the schema is.

-- Enqueue a run in this transaction.
CREATE OR REPLACE FUNCTION mainspring.enqueue(
  job text, input jsonb DEFAULT '{}', queue text DEFAULT NULL, priority integer DEFAULT NULL,
  due_at timestamptz DEFAULT NULL, key text DEFAULT NULL, labels jsonb DEFAULT NULL, tags text[] DEFAULT NULL,
  deadline timestamptz DEFAULT NULL, namespace text DEFAULT 'default'
) RETURNS uuid
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
AS $$
DECLARE
  call CONSTANT json := json_build_object(
    'job', job, 'input', input, 'queue', queue, 'priority', priority, 'due_at', due_at, 'key', key, 'labels', labels,
    'tags', tags, 'deadline', deadline
  );
BEGIN
  RETURN mainspring.enqueue_many(json_build_array(call), namespace) -> 0 ->> 'id';
END $$;
REVOKE ALL ON FUNCTION mainspring.enqueue FROM PUBLIC;

-- Enqueue runs in this transaction, all or none. Calls look as they do in the API: [{"job": …, "input": {…}}, …].
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
      'start_within', 'traceparent'
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
REVOKE ALL ON FUNCTION mainspring.enqueue_many FROM PUBLIC;

-- A job's definition in effect, its JSON parts opened.
CREATE OR REPLACE FUNCTION mainspring.job_called(p_namespace text, p_name text) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  job record;
  spec jsonb;
BEGIN
  SELECT j.id, j.spec, j.own_line INTO job FROM mainspring.jobs AS j
  WHERE j.namespace = p_namespace AND j.name = p_name AND j.deleted_at IS NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'unknown job ''%'': no executor has registered it in namespace ''%'' yet', p_name, p_namespace
      USING ERRCODE = 'MSJOB', DETAIL = json_build_object('kind', 'job', 'key', p_name);
  END IF;
  spec := convert_from(job.spec, 'UTF8');
  RETURN spec || jsonb_build_object(
    'id', job.id,
    'line', CASE WHEN job.own_line THEN p_name ELSE '' END,
    'handler', CASE
      WHEN spec ->> 'workflow' <> '' OR spec #>> '{policy,slices}' IS NOT NULL
        OR spec #>> '{policy,route,strategy}' = 'broadcast' THEN 'workflow'
      ELSE spec ->> 'handler'
    END,
    'schema', convert_from(decode(spec ->> 'schema', 'base64'), 'UTF8')::jsonb,
    'input', coalesce(convert_from(decode(spec ->> 'input', 'base64'), 'UTF8'), '{}')::jsonb
  );
END $$;

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
  trace text := mainspring.field_of(p_call.traceparent, 'string', p_place, 'traceparent');
BEGIN
  IF trace !~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$' THEN
    PERFORM mainspring.refuse(p_place || 'traceparent', 'bad_traceparent', 'is no W3C trace context');
  END IF;
  -- Kept only if it is sampled, as the API keeps it.
  trace := CASE WHEN right(trace, 1) ~ '[13579bdf]' THEN '"traceparent":' || to_json(trace) END;
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
  run.extra := convert_to('{' || concat_ws(',', starting, trace, '"by":' || to_json('sql:' || session_user)) || '}', 'UTF8');
  IF p_call.tags IS NOT NULL OR p_call.labels IS NOT NULL THEN
    run.marks := mainspring.marks_of(p_call, p_place);
    run.extra := convert_to('{' || concat_ws(
      ',', '"labels":' || nullif(p_call.labels::text, '{}'),
      '"tags":' || nullif(to_json(ARRAY(SELECT m FROM unnest(run.marks) AS m WHERE m NOT LIKE '%=%'))::text, '[]'),
      starting, trace, '"by":' || to_json('sql:' || session_user)
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
  run.line := mainspring.line_for(p_namespace, queue, p_job ->> 'handler', p_job ->> 'line');
  RETURN run;
END $$;

-- Store the run of one call, unless another run holds its key; returns the run that holds it.
CREATE OR REPLACE FUNCTION mainspring.store_run(p_namespace text, p_run mainspring.called_run, p_now timestamptz) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
  holder uuid := p_run.id;
BEGIN
  IF p_run.key IS NOT NULL THEN
    holder := mainspring.holder_of(p_namespace, p_run, p_now);
  END IF;
  IF holder = p_run.id THEN
    INSERT INTO mainspring.runs (
      id, due_at, created_at, line, job, attempt, priority, state, failures, losses, deadline_at, key, extra, input
    )
    VALUES (
      p_run.id, p_run.due_at, p_now, p_run.line, p_run.job, 0, p_run.priority, 1, 0, 0, p_run.deadline_at, p_run.key,
      p_run.extra, p_run.input
    );
    IF p_run.marks IS NOT NULL THEN
      INSERT INTO mainspring.marks (namespace, mark, run)
      SELECT p_namespace, m.mark, p_run.id FROM unnest(p_run.marks) AS m(mark);
    END IF;
  END IF;
  RETURN holder;
END $$;

-- Give the key to the run, unless another has it: then return that one, if it was asked for in the same way. A key that was pruned
-- between the insert and the look has no holder any more: the run takes it after all.
CREATE OR REPLACE FUNCTION mainspring.holder_of(p_namespace text, p_run mainspring.called_run, p_now timestamptz)
RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
  holder record;
BEGIN
  LOOP
    INSERT INTO mainspring.keys (namespace, key, run, digest, created_at)
    VALUES (p_namespace, p_run.key, p_run.id, p_run.digest, p_now)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
      RETURN p_run.id;
    END IF;
    SELECT k.run, k.digest INTO holder FROM mainspring.keys AS k
    WHERE k.namespace = p_namespace AND k.key = p_run.key;
    EXIT WHEN FOUND;
  END LOOP;
  IF holder.digest <> p_run.digest THEN
    RAISE EXCEPTION 'key ''%'': was used before with another job or input', p_run.key
      USING ERRCODE = 'MSKEY', DETAIL = json_build_object('kind', 'key', 'key', p_run.key);
  END IF;
  RETURN holder.run;
END $$;

-- The number of a line, which may be one that this transaction is going to make.
CREATE OR REPLACE FUNCTION mainspring.line_for(
  p_namespace text, p_queue text, p_handler text, p_job text
) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  number integer;
BEGIN
  SELECT l.id INTO number FROM mainspring.lines AS l
  WHERE l.namespace = p_namespace AND l.queue = p_queue AND l.handler = p_handler AND l.address = '' AND l.job = p_job;
  IF NOT FOUND THEN
    SELECT t.id INTO number FROM mainspring.lines_to_make AS t
    WHERE t.namespace = p_namespace AND t.queue = p_queue AND t.handler = p_handler AND t.job = p_job;
  END IF;
  IF NOT FOUND THEN
    INSERT INTO mainspring.lines_to_make (id, namespace, queue, handler, job)
    VALUES (nextval('mainspring.lines_id_seq'), p_namespace, p_queue, p_handler, p_job)
    RETURNING id INTO number;
  END IF;
  RETURN number;
END $$;

-- An id as servers make them (UUIDv7): time in steps of 1/4096 ms, then noise, whose variant a random UUID has already.
CREATE OR REPLACE FUNCTION mainspring.run_id(p_tick bigint) RETURNS uuid
LANGUAGE plpgsql AS $$
BEGIN
  RETURN encode(
    int8send(((p_tick >> 12) << 16) | 28672 | (p_tick & 4095)) || substring(uuid_send(gen_random_uuid()) FROM 9), 'hex'
  );
END $$;

-- Refuse runs for which a budget leaves no room, going by the last count of the queues.
CREATE OR REPLACE FUNCTION mainspring.check_budgets(p_namespace text, p_queues text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  rule record;
  wanted bigint;
  depth bigint;
BEGIN
  FOR rule IN
    SELECT q.queue, q.max_queued AS most FROM mainspring.queues AS q
    WHERE q.namespace = p_namespace AND q.max_queued IS NOT NULL AND (q.queue = '' OR q.queue = ANY (p_queues))
  LOOP
    SELECT count(*) INTO wanted FROM unnest(p_queues) AS w(queue) WHERE rule.queue IN ('', w.queue);
    SELECT coalesce(sum(d.queued + d.later + d.waiting), 0) INTO depth
    FROM mainspring.lines AS l JOIN mainspring.depths AS d ON d.line = l.id
    WHERE l.namespace = p_namespace AND rule.queue IN ('', l.queue);
    IF depth + wanted > rule.most THEN
      PERFORM mainspring.over_budget(
        CASE rule.queue WHEN '' THEN 'namespace' ELSE 'queue' END, coalesce(nullif(rule.queue, ''), p_namespace),
        depth, rule.most
      );
    END IF;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION mainspring.over_budget(p_kind text, p_key text, p_depth bigint, p_limit bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% ''%'' is over its budget: % of at most % runs wait there', p_kind, p_key, p_depth, p_limit
    USING ERRCODE = 'MSFUL',
      DETAIL = json_build_object('kind', p_kind, 'key', p_key, 'depth', p_depth, 'limit', p_limit);
END $$;

-- Wake the servers once this transaction has committed: lines by number, or all. A transaction that is to be prepared
-- cannot notify: it sets mainspring.hints to off, and its runs are found by the next poll.
CREATE OR REPLACE FUNCTION mainspring.hint(p_lines text[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF p_lines <> '{}' AND current_setting('mainspring.hints', true) IS DISTINCT FROM 'off' THEN
    PERFORM pg_notify('mainspring_wake', 'sql:' || CASE
      WHEN '*' = ANY (p_lines) OR cardinality(p_lines) > 500 THEN '*' ELSE array_to_string(p_lines, ',') END);
  END IF;
END $$;
