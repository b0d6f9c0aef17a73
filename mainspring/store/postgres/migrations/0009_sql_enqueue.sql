-- Runs that come with other people's transactions: they exist exactly if that transaction commits.
--
-- No server takes part, so this is the one place where the database's own clock counts. It is the clock that servers
-- follow. `enqueue` and `enqueue_many` are the door, for any role that is granted them; nothing else of the schema is.

-- Lines that a transaction needs and that nobody has made yet. They are made when it commits, not before: until then
-- nobody waits for it, and as all are made in one order, nobody deadlocks.
CREATE TABLE mainspring.lines_to_make (
  id integer PRIMARY KEY,
  namespace text NOT NULL,
  queue text NOT NULL,
  handler text NOT NULL
);

-- A call as it was written, and the run that it becomes.
CREATE TYPE mainspring.call AS (
  job json, input json, queue json, priority json, due_at json, delay json, key json, labels json, tags json,
  deadline json, deadline_in json
);
CREATE TYPE mainspring.called_run AS (
  id uuid, job integer, queue text, line integer, priority integer, due_at timestamptz, deadline_at timestamptz,
  key text, digest bytea, marks text[], extra bytea, input bytea
);

-- Wake the servers once this transaction has committed: lines by number, or all. A transaction that is to be prepared
-- cannot notify: it sets mainspring.hints to off, and its runs are found by the next poll.
CREATE FUNCTION mainspring.hint(p_lines text[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF p_lines <> '{}' AND current_setting('mainspring.hints', true) IS DISTINCT FROM 'off' THEN
    PERFORM pg_notify('mainspring_wake', 'sql:' || CASE
      WHEN '*' = ANY (p_lines) OR cardinality(p_lines) > 500 THEN '*' ELSE array_to_string(p_lines, ',') END);
  END IF;
END $$;

-- Make the lines of this transaction; the first row's turn does it for all.
CREATE FUNCTION mainspring.make_lines() RETURNS trigger
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
DECLARE
  wanted record;
  made integer;
BEGIN
  FOR wanted IN SELECT t.* FROM mainspring.lines_to_make AS t ORDER BY t.namespace, t.queue, t.handler LOOP
    INSERT INTO mainspring.lines (id, namespace, queue, handler, address) OVERRIDING SYSTEM VALUE
    VALUES (wanted.id, wanted.namespace, wanted.queue, wanted.handler, '')
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      -- Somebody made it meanwhile, under another number.
      SELECT l.id INTO STRICT made FROM mainspring.lines AS l
      WHERE l.namespace = wanted.namespace AND l.queue = wanted.queue AND l.handler = wanted.handler AND l.address = '';
      UPDATE mainspring.runs AS r SET line = made WHERE r.line = wanted.id AND r.state = 1;
      PERFORM mainspring.hint(ARRAY[made::text]);
    END IF;
    DELETE FROM mainspring.lines_to_make AS t WHERE t.id = wanted.id;
  END LOOP;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER lines_to_make_at_commit AFTER INSERT ON mainspring.lines_to_make
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION mainspring.make_lines();

-- The number of a line, which may be one that this transaction is going to make.
CREATE FUNCTION mainspring.line_for(p_namespace text, p_queue text, p_handler text) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  number integer;
BEGIN
  SELECT l.id INTO number FROM mainspring.lines AS l
  WHERE l.namespace = p_namespace AND l.queue = p_queue AND l.handler = p_handler AND l.address = '';
  IF NOT FOUND THEN
    SELECT t.id INTO number FROM mainspring.lines_to_make AS t
    WHERE t.namespace = p_namespace AND t.queue = p_queue AND t.handler = p_handler;
  END IF;
  IF NOT FOUND THEN
    INSERT INTO mainspring.lines_to_make (id, namespace, queue, handler)
    VALUES (nextval('mainspring.lines_id_seq'), p_namespace, p_queue, p_handler)
    RETURNING id INTO number;
  END IF;
  RETURN number;
END $$;

-- An id as servers make them (UUIDv7): time in steps of 1/4096 ms, then noise, whose variant a random UUID has already.
CREATE FUNCTION mainspring.run_id(p_tick bigint) RETURNS uuid
LANGUAGE plpgsql AS $$
BEGIN
  RETURN encode(
    int8send(((p_tick >> 12) << 16) | 28672 | (p_tick & 4095)) || substring(uuid_send(gen_random_uuid()) FROM 9), 'hex'
  );
END $$;

-- Give the key to the run, unless another has it: then say which, if that was asked for in the same way.
CREATE FUNCTION mainspring.holder_of(p_namespace text, p_run mainspring.called_run, p_now timestamptz) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
  holder record;
BEGIN
  INSERT INTO mainspring.keys (namespace, key, run, digest, created_at)
  VALUES (p_namespace, p_run.key, p_run.id, p_run.digest, p_now)
  ON CONFLICT DO NOTHING;
  IF FOUND THEN
    RETURN p_run.id;
  END IF;
  SELECT k.run, k.digest INTO STRICT holder FROM mainspring.keys AS k
  WHERE k.namespace = p_namespace AND k.key = p_run.key;
  IF holder.digest <> p_run.digest THEN
    RAISE EXCEPTION 'key ''%'': was used before with another job or input', p_run.key
      USING ERRCODE = 'MSKEY', DETAIL = json_build_object('kind', 'key', 'key', p_run.key);
  END IF;
  RETURN holder.run;
END $$;

-- A transaction may hold a key for as long as it likes. A server that is asked for the same key must not wait so long: all
-- whose runs it accepts together would.
CREATE FUNCTION mainspring.create_full_3(
  p_namespace text, p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamptz[],
  p_inputs bytea[], p_keys text[], p_digests bytea[], p_deadlines timestamptz[], p_extras bytea[], p_marked uuid[],
  p_marks text[], p_tokens uuid[], p_sessions uuid[], p_owners uuid[], p_seen_since timestamptz, p_now timestamptz
) RETURNS bigint
LANGUAGE plpgsql
SET lock_timeout = '500ms'
AS $$
BEGIN
  RETURN mainspring.create_full_2(
    p_namespace, p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_inputs, p_keys, p_digests, p_deadlines, p_extras,
    p_marked, p_marks, p_tokens, p_sessions, p_owners, p_seen_since, p_now
  );
EXCEPTION WHEN lock_not_available THEN
  RAISE EXCEPTION '%', left(array_to_string(p_keys, ', '), 300) USING ERRCODE = 'MSBSY';
END $$;

-- Refuse what a budget leaves no room for, going by the last count of the queues.
CREATE FUNCTION mainspring.check_budgets(p_namespace text, p_queues text[]) RETURNS void
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

CREATE FUNCTION mainspring.over_budget(p_kind text, p_key text, p_depth bigint, p_limit bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% ''%'' is over its budget: % of at most % runs wait there', p_kind, p_key, p_depth, p_limit
    USING ERRCODE = 'MSFUL',
      DETAIL = json_build_object('kind', p_kind, 'key', p_key, 'depth', p_depth, 'limit', p_limit);
END $$;

-- The run of one call, stored unless another holds its key; says which run that is.
CREATE FUNCTION mainspring.store_run(p_namespace text, p_run mainspring.called_run, p_now timestamptz) RETURNS uuid
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

-- Enqueue runs in this transaction, all or none. Calls look as they do in the API: [{"job": …, "input": {…}}, …].
CREATE FUNCTION mainspring.enqueue_many(calls json, namespace text DEFAULT 'default') RETURNS json
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
      'job', 'input', 'queue', 'priority', 'due_at', 'delay', 'key', 'labels', 'tags', 'deadline', 'deadline_in'
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

-- Enqueue a run in this transaction.
CREATE FUNCTION mainspring.enqueue(
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

REVOKE ALL ON FUNCTION mainspring.enqueue, mainspring.enqueue_many, mainspring.make_lines FROM PUBLIC;
