-- What the migrations make together; rebuilt by `make schema`, never edited.

CREATE SCHEMA mainspring;

CREATE TYPE mainspring.call AS (
	job json,
	input json,
	queue json,
	priority json,
	due_at json,
	delay json,
	key json,
	labels json,
	tags json,
	deadline json,
	deadline_in json,
	start_within json
);

CREATE TYPE mainspring.called_run AS (
	id uuid,
	job integer,
	queue text,
	line integer,
	priority integer,
	due_at timestamp with time zone,
	deadline_at timestamp with time zone,
	key text,
	digest bytea,
	marks text[],
	extra bytea,
	input bytea
);

CREATE FUNCTION mainspring.advance_triggers_1(p_triggers bigint[], p_next_due timestamp with time zone[], p_act_at timestamp with time zone[], p_last_fire_at timestamp with time zone[], p_fired bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  UPDATE mainspring.triggers AS t
  SET next_due = m.next_due, act_at = m.act_at, last_fire_at = m.last_fire_at, fired = m.fired, touched = false
  FROM unnest(p_triggers, p_next_due, p_act_at, p_last_fire_at, p_fired) AS m(id, next_due, act_at, last_fire_at, fired)
  WHERE t.id = m.id;
END $$;

CREATE FUNCTION mainspring.backfill_1(p_backfill uuid, p_trigger bigint, p_rerun boolean, p_fire_at timestamp with time zone[], p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamp with time zone[], p_deadlines timestamp with time zone[], p_extras bytea[], p_inputs bytea[], p_now timestamp with time zone) RETURNS SETOF uuid
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  made uuid[];
BEGIN
  WITH entered AS (
    INSERT INTO mainspring.fires (trigger, fire_at, run)
    SELECT p_trigger, t.fire_at, t.run FROM unnest(p_fire_at, p_runs) AS t(fire_at, run)
    ON CONFLICT DO NOTHING
    RETURNING fires.run
  )
  SELECT coalesce(array_agg(e.run), '{}') INTO made FROM entered AS e;
  IF p_rerun THEN
    made := p_runs;
  END IF;
  INSERT INTO mainspring.backfill_fires (backfill, run, trigger, fire_at)
  SELECT p_backfill, t.run, p_trigger, t.fire_at
  FROM unnest(p_fire_at, p_runs) AS t(fire_at, run)
  WHERE t.run = ANY (made);
  INSERT INTO mainspring.runs (
    id, due_at, created_at, line, job, attempt, priority, state, failures, losses, deadline_at, extra, input
  )
  SELECT t.id, t.due_at, p_now, t.line, t.job, 0, t.priority, 1, 0, 0, t.deadline_at, t.extra, t.input
  FROM unnest(p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_deadlines, p_extras, p_inputs)
    AS t(id, job, line, priority, due_at, deadline_at, extra, input)
  WHERE t.id = ANY (made);
  RETURN QUERY SELECT t.id FROM unnest(made) AS t(id);
END $$;

CREATE FUNCTION mainspring.check_arguments(p_input json, p_schema jsonb, p_field text) RETURNS void
    LANGUAGE plpgsql
    AS $_$
DECLARE
  properties CONSTANT jsonb := coalesce(p_schema -> 'properties', '{}');
  closed CONSTANT boolean := p_schema -> 'additionalProperties' = 'false';
  required jsonb := coalesce(p_schema -> 'required', '[]');
  given record;
  wanted jsonb;
BEGIN
  FOR given IN SELECT e.key AS name, e.value, json_typeof(e.value) AS type FROM json_each(p_input) AS e LOOP
    IF closed AND NOT properties ? given.name THEN
      PERFORM mainspring.refuse(p_field, 'bad_arguments', 'Object contains unknown field `' || given.name || '`');
    END IF;
    required := required - given.name;
    wanted := properties -> given.name -> 'type';
    IF jsonb_typeof(wanted) = 'string' AND wanted <> to_jsonb(given.type)
      AND NOT (wanted = '"integer"' AND given.type = 'number' AND given.value::text ~ '^-?[0-9]+$')
    THEN
      PERFORM mainspring.refuse(
        p_field || '.' || given.name, 'bad_arguments', 'Expected `' || (wanted #>> '{}') || '`, got `' || given.type || '`'
      );
    END IF;
  END LOOP;
  IF required <> '[]' THEN
    PERFORM mainspring.refuse(p_field, 'bad_arguments', 'Object missing required field `' || (required ->> 0) || '`');
  END IF;
END $_$;

CREATE FUNCTION mainspring.check_budgets(p_namespace text, p_queues text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION mainspring.check_depth(p_input text, p_field text) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  brackets text := translate(p_input, '{}', '[]');
BEGIN
  IF char_length(brackets) - char_length(replace(brackets, '[', '')) <= 64 THEN
    RETURN;
  END IF;
  brackets := regexp_replace(regexp_replace(brackets, '"(?:[^"\\]|\\.)*"', '', 'g'), '[^][]', '', 'g');
  FOR level IN 1..64 LOOP
    brackets := replace(brackets, '[]', '');
  END LOOP;
  IF brackets <> '' THEN
    PERFORM mainspring.refuse(p_field, 'input_too_deep', 'is nested deeper than 64 levels');
  END IF;
END $$;

CREATE FUNCTION mainspring.check_text(p_value text, p_max integer, p_field text, p_code text) RETURNS void
    LANGUAGE plpgsql
    AS $_$
BEGIN
  IF NOT mainspring.is_visible(p_value, p_max) THEN
    PERFORM mainspring.refuse(p_field, p_code, 'needs 1 to ' || p_max || ' printable characters');
  ELSIF p_value ~ '^ | $' THEN
    PERFORM mainspring.refuse(p_field, p_code, 'begins or ends with a space');
  ELSIF p_value ~ '[^\u0001-\u007f]' AND p_value IS NOT NFC NORMALIZED THEN
    PERFORM mainspring.refuse(p_field, p_code, 'is not in Unicode''s composed form (NFC)');
  END IF;
END $_$;

CREATE FUNCTION mainspring.claim_4(p_lines integer[], p_since timestamp with time zone[], p_slots uuid[], p_sessions uuid[], p_token uuid, p_now timestamp with time zone) RETURNS TABLE(o_session uuid, o_runs bytea, o_lines bytea, o_jobs bytea, o_attempts bytea, o_inputs bytea[], o_extras bytea[], o_deadlines timestamp with time zone[], o_reached timestamp with time zone)
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  live uuid[];
  slots uuid[] := p_slots;
BEGIN
  -- Expiring a session waits for this lock, so no claim can slip in behind its reclaim.
  live := ARRAY(SELECT s.id FROM mainspring.sessions AS s WHERE s.id = ANY (p_sessions) AND s.state = 0 FOR KEY SHARE);
  IF cardinality(live) < cardinality(p_sessions) THEN
    slots := ARRAY(SELECT t.slot FROM unnest(p_slots) WITH ORDINALITY AS t(slot, turn) WHERE t.slot = ANY (live) ORDER BY t.turn);
  END IF;
  -- The locked row is found again by its place, which is cheaper than by its id. Should another transaction have
  -- moved it between this statement's snapshot and its lock, it stays queued for the next claim.
  RETURN QUERY
  WITH picked AS MATERIALIZED (
    SELECT q.place, row_number() OVER () AS position
    FROM (
      SELECT r.place
      FROM (
        SELECT p.priority, l.line, coalesce(l.since, '-infinity') AS since
        FROM generate_series(9, 0, -1) AS p(priority)
        CROSS JOIN unnest(p_lines, p_since) WITH ORDINALITY AS l(line, since, turn)
        ORDER BY p.priority DESC, l.turn
      ) AS head
      CROSS JOIN LATERAL (
        SELECT c.ctid AS place
        FROM mainspring.runs AS c
        WHERE c.state = 1 AND c.line = head.line AND c.priority = head.priority
          AND c.due_at >= head.since AND c.due_at <= p_now
          AND (c.deadline_at IS NULL OR c.deadline_at > p_now)
        ORDER BY c.due_at, c.id
        LIMIT cardinality(slots)
        FOR UPDATE SKIP LOCKED
      ) AS r
      LIMIT cardinality(slots)
    ) AS q
  ), claimed AS (
    UPDATE mainspring.runs AS r
    SET state = 2, attempt = r.attempt + 1, session = slots[picked.position], token = p_token, claimed_at = p_now
    FROM picked
    WHERE r.ctid = picked.place
    RETURNING r.session, picked.position, r.id, r.line, r.job, r.attempt, r.input, r.deadline_at, r.due_at,
      CASE WHEN r.extra NOT LIKE '{"by":%' THEN r.extra END AS extra
  )
  SELECT c.session, string_agg(uuid_send(c.id), ''), string_agg(int4send(c.line), ''), string_agg(int4send(c.job), ''),
    string_agg(int4send(c.attempt), ''), array_agg(c.input),
    CASE WHEN bool_or(c.extra IS NOT NULL) THEN array_agg(c.extra) END,
    CASE WHEN bool_or(c.deadline_at IS NOT NULL) THEN array_agg(c.deadline_at) END,
    max(c.due_at) FILTER (WHERE c.position = cardinality(slots))
  FROM (SELECT * FROM claimed ORDER BY claimed.session, claimed.position) AS c
  GROUP BY c.session;
END $$;

CREATE FUNCTION mainspring.claim_bundled_1(p_lines integer[], p_since timestamp with time zone[], p_slots uuid[], p_sessions uuid[], p_token uuid, p_now timestamp with time zone, p_size integer) RETURNS TABLE(o_session uuid, o_runs bytea, o_lines bytea, o_jobs bytea, o_attempts bytea, o_inputs bytea[], o_extras bytea[], o_deadlines timestamp with time zone[], o_reached timestamp with time zone, o_part integer, o_size integer)
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  live uuid[];
  slots uuid[] := p_slots;
  stretch CONSTANT bigint := p_size * cardinality(p_sessions);
  places tid[];
BEGIN
  -- Expiring a session waits for this lock, so no claim can slip in behind its reclaim.
  live := ARRAY(SELECT s.id FROM mainspring.sessions AS s WHERE s.id = ANY (p_sessions) AND s.state = 0 FOR KEY SHARE);
  IF cardinality(live) < cardinality(p_sessions) THEN
    slots := ARRAY(SELECT t.slot FROM unnest(p_slots) WITH ORDINALITY AS t(slot, turn) WHERE t.slot = ANY (live) ORDER BY t.turn);
  END IF;
  places := ARRAY(
    SELECT r.place
    FROM (
      SELECT p.priority, l.line, coalesce(l.since, '-infinity') AS since
      FROM generate_series(9, 0, -1) AS p(priority)
      CROSS JOIN unnest(p_lines, p_since) WITH ORDINALITY AS l(line, since, turn)
      ORDER BY p.priority DESC, l.turn
    ) AS head
    CROSS JOIN LATERAL (
      SELECT c.ctid AS place
      FROM mainspring.runs AS c
      WHERE c.state = 1 AND c.line = head.line AND c.priority = head.priority
        AND c.due_at >= head.since AND c.due_at <= p_now
        AND (c.deadline_at IS NULL OR c.deadline_at > p_now)
      ORDER BY c.due_at, c.id
      LIMIT cardinality(slots)
      FOR UPDATE SKIP LOCKED
    ) AS r
    LIMIT cardinality(slots)
  );
  -- Everything about a bundle is gathered in one pass over what was taken: all its columns are in the same order.
  RETURN QUERY
  WITH taken AS (
    DELETE FROM mainspring.runs AS r
    USING unnest(places) WITH ORDINALITY AS p(place, position)
    WHERE r.ctid = p.place
    RETURNING p.position, slots[p.position] AS session, r AS run, r.id, r.line, r.job, r.attempt, r.input, r.deadline_at,
      r.due_at, CASE WHEN r.extra NOT LIKE '{"by":%' THEN r.extra END AS extra
  ), packed AS MATERIALIZED (
    SELECT t.session, min(t.position)::integer AS part, count(*)::integer AS size, array_agg(t.id) AS ids,
      array_agg(t.run) AS held, string_agg(uuid_send(t.id), '') AS runs, string_agg(int4send(t.line), '') AS lines,
      string_agg(int4send(t.job), '') AS jobs, string_agg(int4send(t.attempt + 1), '') AS attempts, array_agg(t.input) AS inputs,
      CASE WHEN count(t.extra) > 0 THEN array_agg(t.extra) END AS extras,
      CASE WHEN count(t.deadline_at) > 0 THEN array_agg(t.deadline_at) END AS deadlines,
      max(t.due_at) FILTER (WHERE t.position = cardinality(slots)) AS reached
    FROM taken AS t
    GROUP BY t.session, (t.position - 1) / stretch
  ), bundled AS (
    INSERT INTO mainspring.bundles (token, part, session, size, claimed_at, ids, held)
    SELECT p_token, p.part, p.session, p.size, p_now, p.ids, p.held
    FROM packed AS p
  )
  SELECT p.session, p.runs, p.lines, p.jobs, p.attempts, p.inputs, p.extras, p.deadlines, p.reached, p.part, p.size
  FROM packed AS p
  ORDER BY p.session, p.part;
END $$;

CREATE FUNCTION mainspring.count_fires_1(p_triggers bigint[], p_fires bigint[], p_now timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  UPDATE mainspring.triggers AS t SET fired = t.fired + c.fires, last_fire_at = greatest(t.last_fire_at, p_now)
  FROM unnest(p_triggers, p_fires) AS c(id, fires)
  WHERE t.id = c.id;
END $$;

CREATE FUNCTION mainspring.create_3(p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamp with time zone[], p_inputs bytea[], p_extra bytea, p_now timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO mainspring.runs (
    id, due_at, created_at, line, job, attempt, priority, state, failures, losses, extra, input
  )
  SELECT t.id, t.due_at, p_now, t.line, t.job, 0, t.priority, 1, 0, 0, p_extra, t.input
  FROM unnest(p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_inputs) AS t(id, job, line, priority, due_at, input);
END $$;

CREATE FUNCTION mainspring.create_claimed_3(p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamp with time zone[], p_inputs bytea[], p_extra bytea, p_tokens uuid[], p_sessions uuid[], p_owners uuid[], p_now timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  live_count bigint;
BEGIN
  PERFORM s.id FROM mainspring.sessions AS s WHERE s.id = ANY (p_owners) AND s.state = 0 FOR KEY SHARE;
  GET DIAGNOSTICS live_count = ROW_COUNT;
  IF live_count < cardinality(p_owners) THEN
    RAISE EXCEPTION 'a session that was to run these is gone' USING ERRCODE = 'MSLST';
  END IF;
  INSERT INTO mainspring.runs (
    id, due_at, created_at, claimed_at, line, job, attempt, priority, state, failures, losses, token, session,
    extra, input
  )
  SELECT
    t.id, t.due_at, p_now, CASE WHEN t.token IS NULL THEN NULL ELSE p_now END, t.line, t.job,
    CASE WHEN t.token IS NULL THEN 0 ELSE 1 END, t.priority, CASE WHEN t.token IS NULL THEN 1 ELSE 2 END, 0, 0,
    t.token, t.session, p_extra, t.input
  FROM unnest(p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_inputs, p_tokens, p_sessions)
    AS t(id, job, line, priority, due_at, input, token, session);
END $$;

CREATE FUNCTION mainspring.create_full_2(p_namespace text, p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamp with time zone[], p_inputs bytea[], p_keys text[], p_digests bytea[], p_deadlines timestamp with time zone[], p_extras bytea[], p_marked uuid[], p_marks text[], p_tokens uuid[], p_sessions uuid[], p_owners uuid[], p_seen_since timestamp with time zone, p_now timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  made_count bigint;
  live_count bigint;
  taken text;
BEGIN
  PERFORM s.id FROM mainspring.sessions AS s WHERE s.id = ANY (p_owners) AND s.state = 0 FOR KEY SHARE;
  GET DIAGNOSTICS live_count = ROW_COUNT;
  IF live_count < cardinality(p_owners) THEN
    RAISE EXCEPTION 'a session that was to run these is gone' USING ERRCODE = 'MSLST';
  END IF;
  WITH given AS MATERIALIZED (
    SELECT *
    FROM unnest(
      p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_inputs, p_keys, p_digests, p_deadlines, p_extras, p_tokens,
      p_sessions
    ) AS t(id, job, line, priority, due_at, input, key, digest, deadline_at, extra, token, session)
  ), won AS (
    INSERT INTO mainspring.keys (namespace, key, run, digest, created_at)
    SELECT p_namespace, g.key, g.id, g.digest, p_now FROM given AS g WHERE g.key IS NOT NULL
    ON CONFLICT DO NOTHING
    RETURNING run
  )
  INSERT INTO mainspring.runs (
    id, due_at, created_at, claimed_at, line, job, attempt, priority, state, failures, losses, token, session,
    deadline_at, key, extra, input
  )
  SELECT
    g.id, g.due_at, p_now, CASE WHEN g.token IS NULL THEN NULL ELSE p_now END, g.line, g.job,
    CASE WHEN g.token IS NULL THEN 0 ELSE 1 END, g.priority, CASE WHEN g.token IS NULL THEN 1 ELSE 2 END, 0, 0,
    g.token, g.session, g.deadline_at, g.key, g.extra, g.input
  FROM given AS g
  WHERE (g.key IS NULL OR g.id IN (SELECT w.run FROM won AS w))
    AND (p_seen_since IS NULL OR NOT EXISTS (
      SELECT FROM mainspring.history AS h WHERE h.id = g.id AND h.finished_at >= p_seen_since
    ) AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE g.id = ANY (b.ids))
      AND NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = g.id))
  ON CONFLICT (id) DO NOTHING;
  GET DIAGNOSTICS made_count = ROW_COUNT;
  IF made_count < cardinality(p_runs) THEN
    SELECT k.key INTO taken
    FROM unnest(p_keys, p_digests) AS t(key, digest)
    JOIN mainspring.keys AS k ON k.namespace = p_namespace AND k.key = t.key
    WHERE k.digest <> t.digest
    LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION '%', taken USING ERRCODE = 'MSKEY';
    END IF;
  END IF;
  IF cardinality(p_marks) > 0 THEN
    INSERT INTO mainspring.marks (namespace, mark, run)
    SELECT p_namespace, t.mark, t.run
    FROM unnest(p_marks, p_marked) AS t(mark, run)
    WHERE EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = t.run)
      OR EXISTS (SELECT FROM mainspring.bundles AS b WHERE t.run = ANY (b.ids))
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN made_count;
END $$;

CREATE FUNCTION mainspring.create_full_3(p_namespace text, p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamp with time zone[], p_inputs bytea[], p_keys text[], p_digests bytea[], p_deadlines timestamp with time zone[], p_extras bytea[], p_marked uuid[], p_marks text[], p_tokens uuid[], p_sessions uuid[], p_owners uuid[], p_seen_since timestamp with time zone, p_now timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    SET lock_timeout TO '500ms'
    AS $$
DECLARE
  place text;
BEGIN
  RETURN mainspring.create_full_2(
    p_namespace, p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_inputs, p_keys, p_digests, p_deadlines, p_extras,
    p_marked, p_marks, p_tokens, p_sessions, p_owners, p_seen_since, p_now
  );
EXCEPTION WHEN lock_not_available THEN
  GET STACKED DIAGNOSTICS place = PG_EXCEPTION_CONTEXT;
  IF place ~ '\(\d+,\d+\)[^\n]*keys' THEN
    RAISE EXCEPTION '%', left(array_to_string(p_keys, ', '), 300) USING ERRCODE = 'MSBSY';
  END IF;
  RAISE;
END $$;

CREATE FUNCTION mainspring.delete_triggers_1(p_triggers bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  DELETE FROM mainspring.triggers AS t WHERE t.id = ANY (p_triggers);
END $$;

CREATE TABLE mainspring.triggers (
    id bigint NOT NULL,
    fired bigint DEFAULT 0 NOT NULL,
    next_due timestamp with time zone,
    act_at timestamp with time zone,
    last_fire_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    paused_at timestamp with time zone,
    revision integer NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    touched boolean DEFAULT false NOT NULL,
    namespace text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    job text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    calendar text NOT NULL COLLATE pg_catalog."C",
    cohort text NOT NULL COLLATE pg_catalog."C",
    owner text NOT NULL COLLATE pg_catalog."C",
    paused_by text,
    paused_reason text,
    pending uuid[],
    held timestamp with time zone[],
    spec bytea NOT NULL,
    applied bytea,
    asked timestamp with time zone[],
    ruled_at timestamp with time zone
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05');

CREATE FUNCTION mainspring.due_triggers_1(p_now timestamp with time zone, p_limit bigint) RETURNS SETOF mainspring.triggers
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  RETURN QUERY
  SELECT t.* FROM mainspring.triggers AS t
  WHERE t.act_at <= p_now
  ORDER BY t.act_at
  LIMIT p_limit
  FOR UPDATE SKIP LOCKED;
END $$;

CREATE FUNCTION mainspring.ended_runs_1(p_runs uuid[], p_since timestamp with time zone) RETURNS TABLE(run uuid, state smallint, finished_at timestamp with time zone)
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT p.run, h.state, h.finished_at
  FROM unnest(p_runs) AS p(run)
  LEFT JOIN LATERAL (
    SELECT c.state, c.finished_at FROM mainspring.history AS c WHERE c.id = p.run AND c.finished_at >= p_since LIMIT 1
  ) AS h ON true
  WHERE NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = p.run)
    AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE p.run = ANY (b.ids));
END $$;

CREATE FUNCTION mainspring.enqueue(job text, input jsonb DEFAULT '{}'::jsonb, queue text DEFAULT NULL::text, priority integer DEFAULT NULL::integer, due_at timestamp with time zone DEFAULT NULL::timestamp with time zone, key text DEFAULT NULL::text, labels jsonb DEFAULT NULL::jsonb, tags text[] DEFAULT NULL::text[], deadline timestamp with time zone DEFAULT NULL::timestamp with time zone, namespace text DEFAULT 'default'::text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $$
DECLARE
  call CONSTANT json := json_build_object(
    'job', job, 'input', input, 'queue', queue, 'priority', priority, 'due_at', due_at, 'key', key, 'labels', labels,
    'tags', tags, 'deadline', deadline
  );
BEGIN
  RETURN mainspring.enqueue_many(json_build_array(call), namespace) -> 0 ->> 'id';
END $$;

CREATE FUNCTION mainspring.enqueue_many(calls json, namespace text DEFAULT 'default'::text) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
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

CREATE FUNCTION mainspring.field_of(p_value json, p_type text, p_place text, p_name text) RETURNS text
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF json_typeof(p_value) <> p_type THEN
    PERFORM mainspring.refuse(
      p_place || p_name, 'bad_' || p_name, 'expected ' || p_type || ', got ' || json_typeof(p_value)
    );
  END IF;
  RETURN p_value #>> '{}';
END $$;

CREATE FUNCTION mainspring.find_marked_1(p_namespace text, p_mark text, p_others text[], p_job text, p_queue text, p_states smallint[], p_parked integer[], p_low uuid, p_high uuid, p_newest boolean, p_size integer, OUT runs uuid[], OUT reach uuid) RETURNS record
    LANGUAGE plpgsql STABLE
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  IF p_newest THEN
    runs := ARRAY(
      SELECT k.run FROM mainspring.marks AS k
      WHERE k.namespace = p_namespace AND k.mark = p_mark AND k.run >= p_low AND k.run < p_high
      ORDER BY k.run DESC
      LIMIT p_size
    );
  ELSE
    runs := ARRAY(
      SELECT k.run FROM mainspring.marks AS k
      WHERE k.namespace = p_namespace AND k.mark = p_mark AND k.run >= p_low AND k.run < p_high
      ORDER BY k.run ASC
      LIMIT p_size
    );
  END IF;
  reach := runs[p_size];
  IF cardinality(p_others) > 0 THEN
    runs := ARRAY(
      SELECT c.id
      FROM unnest(runs) AS c(id)
      WHERE cardinality(p_others) = (
        SELECT count(*) FROM mainspring.marks AS m
        WHERE m.namespace = p_namespace AND m.mark = ANY (p_others) AND m.run = c.id
      )
    );
  END IF;
  IF p_states IS NOT NULL THEN
    runs := mainspring.matching_2(runs, p_namespace, p_job, p_queue, p_states, p_parked);
  END IF;
END $$;

CREATE FUNCTION mainspring.find_on_days_2(p_jobs integer[], p_places bigint[], p_days timestamp with time zone[], p_lows uuid[], p_highs uuid[], p_low uuid, p_high uuid, p_newest boolean, p_limit integer) RETURNS uuid[]
    LANGUAGE plpgsql STABLE
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  runs uuid[] := '{}';
  low uuid := p_low;
  high uuid := p_high;
  day_start timestamptz;
  day_end timestamptz;
BEGIN
  FOR turn IN 1 .. cardinality(p_days) LOOP
    CONTINUE WHEN p_lows[turn] >= high OR p_highs[turn] <= low;
    day_start := p_days[turn];
    day_end := day_start + interval '24 hours';
    IF p_newest THEN
      runs := ARRAY(
        WITH RECURSIVE place AS (
          SELECT j.id AS job, f.line, f.state, width_bucket(f.line * 8::bigint + f.state, p_places) AS turn
          FROM unnest(p_jobs) AS j(id)
          CROSS JOIN LATERAL (
            SELECT h.line, h.state FROM mainspring.history AS h
            WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = j.id
              AND (h.line, h.state) >= ((p_places[1] / 8)::integer, (p_places[1] % 8)::smallint)
            ORDER BY h.line, h.state
            LIMIT 1
          ) AS f
          UNION ALL
          SELECT p.job, f.line, f.state, width_bucket(f.line * 8::bigint + f.state, p_places)
          FROM place AS p
          CROSS JOIN LATERAL (
            SELECT h.line, h.state FROM mainspring.history AS h
            WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = p.job
              AND (h.line, h.state) >= ((p_places[p.turn + 1] / 8)::integer, (p_places[p.turn + 1] % 8)::smallint)
            ORDER BY h.line, h.state
            LIMIT 1
          ) AS f
          WHERE p.turn < cardinality(p_places)
        )
        SELECT f.id
        FROM place AS p
        CROSS JOIN LATERAL (
          SELECT h.id FROM mainspring.history AS h
          WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = p.job AND h.line = p.line
            AND h.state = p.state AND h.id >= low AND h.id < high
          ORDER BY h.id DESC
          LIMIT p_limit
        ) AS f
        WHERE p_places[p.turn] = p.line * 8::bigint + p.state
        UNION ALL
        SELECT r.id FROM unnest(runs) AS r(id)
        ORDER BY id DESC
        LIMIT p_limit
      );
      low := coalesce(runs[p_limit], low);
    ELSE
      runs := ARRAY(
        WITH RECURSIVE place AS (
          SELECT j.id AS job, f.line, f.state, width_bucket(f.line * 8::bigint + f.state, p_places) AS turn
          FROM unnest(p_jobs) AS j(id)
          CROSS JOIN LATERAL (
            SELECT h.line, h.state FROM mainspring.history AS h
            WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = j.id
              AND (h.line, h.state) >= ((p_places[1] / 8)::integer, (p_places[1] % 8)::smallint)
            ORDER BY h.line, h.state
            LIMIT 1
          ) AS f
          UNION ALL
          SELECT p.job, f.line, f.state, width_bucket(f.line * 8::bigint + f.state, p_places)
          FROM place AS p
          CROSS JOIN LATERAL (
            SELECT h.line, h.state FROM mainspring.history AS h
            WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = p.job
              AND (h.line, h.state) >= ((p_places[p.turn + 1] / 8)::integer, (p_places[p.turn + 1] % 8)::smallint)
            ORDER BY h.line, h.state
            LIMIT 1
          ) AS f
          WHERE p.turn < cardinality(p_places)
        )
        SELECT f.id
        FROM place AS p
        CROSS JOIN LATERAL (
          SELECT h.id FROM mainspring.history AS h
          WHERE h.finished_at >= day_start AND h.finished_at < day_end AND h.job = p.job AND h.line = p.line
            AND h.state = p.state AND h.id >= low AND h.id < high
          ORDER BY h.id ASC
          LIMIT p_limit
        ) AS f
        WHERE p_places[p.turn] = p.line * 8::bigint + p.state
        UNION ALL
        SELECT r.id FROM unnest(runs) AS r(id)
        ORDER BY id ASC
        LIMIT p_limit
      );
      high := coalesce(runs[p_limit], high);
    END IF;
  END LOOP;
  RETURN runs;
END $$;

CREATE FUNCTION mainspring.finish_2(p_runs uuid[], p_tokens uuid[], p_states smallint[], p_reasons text[], p_waits integer[], p_durations bigint[], p_failures smallint[], p_losses smallint[], p_now timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  moved_count bigint;
BEGIN
  WITH moved AS (
    DELETE FROM mainspring.runs AS r
    USING unnest(p_runs, p_tokens, p_states, p_reasons, p_waits, p_durations, p_failures, p_losses)
      AS e(id, token, state, reason, wait, duration, failures, losses)
    WHERE r.id = e.id AND r.token = e.token
    RETURNING
      r.*, e.state AS final, e.reason AS why, e.wait, e.duration, e.failures AS failed, e.losses AS lost
  )
  INSERT INTO mainspring.history (
    id, due_at, created_at, started_at, finished_at, duration, line, job, attempt, priority, state,
    failures, losses, token, session, reason, deadline_at, key, extra, input
  )
  SELECT
    m.id, m.due_at, m.created_at, m.claimed_at + m.wait * interval '1 millisecond', p_now, m.duration, m.line, m.job,
    m.attempt, m.priority, m.final, m.failures + m.failed, m.losses + m.lost, m.token, m.session, m.why, m.deadline_at,
    m.key, m.extra, m.input
  FROM moved AS m;
  GET DIAGNOSTICS moved_count = ROW_COUNT;
  RETURN moved_count;
END $$;

CREATE FUNCTION mainspring.finished_1(p_since timestamp with time zone, p_until timestamp with time zone, p_edges bigint[]) RETURNS TABLE(o_minute timestamp with time zone, o_line integer, o_job integer, o_state smallint, o_wait integer, o_duration integer, o_runs bigint, o_wait_sum bigint, o_wait_max bigint, o_duration_sum bigint, o_duration_max bigint)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_indexscan TO 'off'
    SET enable_sort TO 'off'
    SET max_parallel_workers_per_gather TO '0'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  edges interval[] := ARRAY(SELECT e * interval '1 microsecond' FROM unnest(p_edges) AS e);
BEGIN
  RETURN QUERY
  SELECT date_bin('1 minute', f.finished_at, 'epoch'), f.line, f.job, f.state, width_bucket(f.wait, edges),
    width_bucket(f.duration, p_edges), count(*), (extract(epoch FROM sum(f.wait)) * 1000000)::bigint,
    (extract(epoch FROM max(f.wait)) * 1000000)::bigint, sum(f.duration)::bigint, max(f.duration)
  FROM (
    SELECT h.finished_at, h.line, h.job, h.state,
      CASE WHEN h.started_at IS NOT NULL THEN greatest(h.started_at - greatest(h.due_at, h.created_at), interval '0') END
        AS wait,
      CASE WHEN h.started_at IS NOT NULL THEN h.duration END AS duration
    FROM mainspring.history AS h
    WHERE h.finished_at >= p_since AND h.finished_at < p_until
  ) AS f
  GROUP BY 1, 2, 3, 4, 5, 6;
END $$;

CREATE FUNCTION mainspring.fire_1(p_triggers bigint[], p_fire_at timestamp with time zone[], p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamp with time zone[], p_deadlines timestamp with time zone[], p_extras bytea[], p_inputs bytea[], p_now timestamp with time zone) RETURNS SETOF uuid
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  fired uuid[];
BEGIN
  WITH entered AS (
    INSERT INTO mainspring.fires (trigger, fire_at, run)
    SELECT t.trigger, t.fire_at, t.run FROM unnest(p_triggers, p_fire_at, p_runs) AS t(trigger, fire_at, run)
    ON CONFLICT DO NOTHING
    RETURNING fires.run
  )
  SELECT array_agg(e.run) INTO fired FROM entered AS e;
  IF coalesce(cardinality(fired), 0) = cardinality(p_runs) THEN
    INSERT INTO mainspring.runs (
      id, due_at, created_at, line, job, attempt, priority, state, failures, losses, deadline_at, extra, input
    )
    SELECT t.id, t.due_at, p_now, t.line, t.job, 0, t.priority, 1, 0, 0, t.deadline_at, t.extra, t.input
    FROM unnest(p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_deadlines, p_extras, p_inputs)
      AS t(id, job, line, priority, due_at, deadline_at, extra, input);
    RETURN;
  END IF;
  INSERT INTO mainspring.runs (
    id, due_at, created_at, line, job, attempt, priority, state, failures, losses, deadline_at, extra, input
  )
  SELECT t.id, t.due_at, p_now, t.line, t.job, 0, t.priority, 1, 0, 0, t.deadline_at, t.extra, t.input
  FROM unnest(p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_deadlines, p_extras, p_inputs)
    AS t(id, job, line, priority, due_at, deadline_at, extra, input)
  WHERE t.id = ANY (fired);
  RETURN QUERY SELECT t.id FROM unnest(p_runs) AS t(id) WHERE fired IS NULL OR t.id <> ALL (fired);
END $$;

CREATE FUNCTION mainspring.followed_triggers_1(p_after bigint, p_until bigint, p_limit bigint) RETURNS SETOF mainspring.triggers
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  RETURN QUERY
  SELECT t.* FROM mainspring.triggers AS t
  WHERE t.pending IS NOT NULL AND t.id > p_after AND t.id <= p_until AND EXISTS (
    SELECT FROM unnest(t.pending) AS p(run)
    WHERE NOT EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = p.run)
      AND NOT EXISTS (SELECT FROM mainspring.bundles AS b WHERE p.run = ANY (b.ids))
  )
  ORDER BY t.id
  LIMIT p_limit
  FOR UPDATE OF t SKIP LOCKED;
END $$;

CREATE FUNCTION mainspring.hint(p_lines text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF p_lines <> '{}' AND current_setting('mainspring.hints', true) IS DISTINCT FROM 'off' THEN
    PERFORM pg_notify('mainspring_wake', 'sql:' || CASE
      WHEN '*' = ANY (p_lines) OR cardinality(p_lines) > 500 THEN '*' ELSE array_to_string(p_lines, ',') END);
  END IF;
END $$;

CREATE FUNCTION mainspring.hold_triggers_1(p_namespace text, p_names text[]) RETURNS SETOF mainspring.triggers
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  RETURN QUERY
  SELECT t.*
  FROM unnest(p_names) AS w(name)
  CROSS JOIN LATERAL (
    SELECT c.* FROM mainspring.triggers AS c WHERE c.namespace = p_namespace AND c.name = w.name LIMIT 1 FOR UPDATE
  ) AS t;
END $$;

CREATE FUNCTION mainspring.holder_of(p_namespace text, p_run mainspring.called_run, p_now timestamp with time zone) RETURNS uuid
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION mainspring.instant_of(p_instant json, p_seconds json, p_place text, p_name text, p_name_seconds text, p_now timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    AS $_$
DECLARE
  written text := mainspring.field_of(p_instant, 'string', p_place, p_name);
  seconds float8 := mainspring.field_of(p_seconds, 'number', p_place, p_name_seconds);
  instant timestamptz;
BEGIN
  IF seconds NOT BETWEEN 0 AND 3653 * 86400 OR seconds IS NOT NULL AND written IS NOT NULL THEN
    PERFORM mainspring.refuse(
      p_place || p_name_seconds, 'bad_' || p_name, 'is from 0 to 10 years, in seconds, and instead of ' || p_name
    );
  ELSIF written !~ '^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d(:?\d\d)?)$' THEN
    PERFORM mainspring.refuse(p_place || p_name, 'bad_' || p_name, 'needs the form of 2030-01-01T09:00:00Z');
  END IF;
  IF written IS NOT NULL THEN
    BEGIN
      instant := written;
    EXCEPTION WHEN datetime_field_overflow OR invalid_datetime_format THEN
      PERFORM mainspring.refuse(p_place || p_name, 'bad_' || p_name, 'is no instant: ' || written);
    END;
  END IF;
  instant := coalesce(instant, p_now + seconds * interval '1 second');
  IF instant < '1900-01-01T00:00:00Z' OR instant >= '3000-01-01T00:00:00Z' THEN
    PERFORM mainspring.refuse(p_place || p_name, 'bad_' || p_name, 'lies outside the years 1900 to 2999');
  ELSIF instant > p_now + interval '3653 days' THEN
    PERFORM mainspring.refuse(p_place || p_name, 'bad_' || p_name, 'is more than 10 years ahead');
  END IF;
  RETURN instant;
END $_$;

CREATE FUNCTION mainspring.is_visible(p_value text, p_max integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  RETURN char_length(p_value) BETWEEN 1 AND p_max AND p_value !~ (
    '[\u0001-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180e\u2000-\u200f\u2028-\u202f'
    '\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]'
  );
END $$;

CREATE FUNCTION mainspring.job_called(p_namespace text, p_name text) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
DECLARE
  job record;
  spec jsonb;
BEGIN
  SELECT j.id, j.spec INTO job FROM mainspring.jobs AS j
  WHERE j.namespace = p_namespace AND j.name = p_name AND j.deleted_at IS NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'unknown job ''%'': no executor has registered it in namespace ''%'' yet', p_name, p_namespace
      USING ERRCODE = 'MSJOB', DETAIL = json_build_object('kind', 'job', 'key', p_name);
  END IF;
  spec := convert_from(job.spec, 'UTF8');
  RETURN spec || jsonb_build_object(
    'id', job.id,
    'schema', convert_from(decode(spec ->> 'schema', 'base64'), 'UTF8')::jsonb,
    'input', coalesce(convert_from(decode(spec ->> 'input', 'base64'), 'UTF8'), '{}')::jsonb
  );
END $$;

CREATE FUNCTION mainspring.line_for(p_namespace text, p_queue text, p_handler text) RETURNS integer
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION mainspring.make_lines() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
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

CREATE FUNCTION mainspring.marks_of(p_call mainspring.call, p_place text) RETURNS text[]
    LANGUAGE plpgsql
    AS $_$
DECLARE
  given record;
  marks text[] := '{}';
BEGIN
  PERFORM mainspring.field_of(p_call.tags, 'array', p_place, 'tags');
  PERFORM mainspring.field_of(p_call.labels, 'object', p_place, 'labels');
  FOR given IN
    SELECT 'tags' AS field, json_typeof(t.value) AS type, t.value #>> '{}' AS text, 100 AS most, t.value #>> '{}' AS mark,
      t.value #>> '{}' NOT LIKE '%=%' AS good
    FROM json_array_elements(p_call.tags) AS t
    UNION ALL
    SELECT 'labels', json_typeof(l.value), l.value #>> '{}', 200, l.key || '=' || (l.value #>> '{}'),
      l.key ~ '^[a-z0-9._/-]{1,63}$'
    FROM json_each(p_call.labels) AS l
  LOOP
    IF given.type <> 'string' OR NOT given.good THEN
      PERFORM mainspring.refuse(
        p_place || given.field, 'bad_' || given.field, coalesce(given.mark, 'null') || ' is not one: a tag is text without '
        '''='', a label is text under a key of a-z, 0-9, ''.'', ''_'', ''/'', ''-'''
      );
    END IF;
    PERFORM mainspring.check_text(given.text, given.most, p_place || given.field, 'bad_' || given.field);
    IF given.mark <> ALL (marks) THEN
      marks := marks || given.mark;
    END IF;
  END LOOP;
  IF 20 < ANY (SELECT count(*) FROM unnest(marks) AS m GROUP BY m LIKE '%=%') THEN
    PERFORM mainspring.refuse(p_place || 'tags', 'bad_tags', 'are more than 20, or labels are');
  END IF;
  RETURN marks;
END $_$;

CREATE FUNCTION mainspring.matching_2(p_runs uuid[], p_namespace text, p_job text, p_queue text, p_states smallint[], p_parked integer[]) RETURNS uuid[]
    LANGUAGE plpgsql STABLE
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  IF 2 >= ALL (p_states) THEN
    RETURN ARRAY(
      SELECT r.id
      FROM unnest(p_runs) AS c(id)
      CROSS JOIN LATERAL (
        SELECT f.id, f.job, f.line, f.state FROM mainspring.runs AS f WHERE f.id = c.id
        UNION ALL
        SELECT f.id, f.job, f.line, 2
        FROM mainspring.bundles AS b
        CROSS JOIN LATERAL unnest(b.held) AS f
        WHERE c.id = ANY (b.ids) AND f.id = c.id
      ) AS r
      WHERE CASE WHEN r.state = 1 AND r.line = ANY (p_parked) THEN 0 ELSE r.state END = ANY (p_states)
        AND (p_job IS NULL OR r.job = (SELECT j.id FROM mainspring.jobs AS j WHERE j.namespace = p_namespace AND j.name = p_job))
        AND (
          SELECT l.namespace = p_namespace AND (p_queue IS NULL OR l.queue = p_queue)
          FROM mainspring.lines AS l
          WHERE l.id = r.line
        )
    );
  END IF;
  RETURN ARRAY(
    SELECT c.id
    FROM (
      SELECT u.id, to_timestamp(('x' || left(translate(u.id::text, '-', ''), 12))::bit(48)::bigint / 1000.0::float8) AS born
      FROM unnest(p_runs) AS u(id)
      OFFSET 0
    ) AS c
    CROSS JOIN LATERAL (
      SELECT f.job, f.line, f.state
      FROM (
        SELECT r.job, r.line, CASE WHEN r.state = 1 AND r.line = ANY (p_parked) THEN 0 ELSE r.state END AS state
        FROM mainspring.runs AS r
        WHERE r.id = c.id
        UNION ALL
        SELECT h.job, h.line, h.state
        FROM mainspring.history AS h
        WHERE h.id = c.id AND h.finished_at >= c.born - interval '5 minutes' AND h.finished_at < c.born + interval '1 hour'
        UNION ALL
        SELECT r.job, r.line, 2
        FROM mainspring.bundles AS b
        CROSS JOIN LATERAL unnest(b.held) AS r
        WHERE c.id = ANY (b.ids) AND r.id = c.id
        UNION ALL
        SELECT h.job, h.line, h.state
        FROM mainspring.history AS h
        WHERE h.id = c.id
      ) AS f
      LIMIT 1
    ) AS x
    WHERE x.state = ANY (p_states)
      AND (p_job IS NULL OR x.job = (SELECT j.id FROM mainspring.jobs AS j WHERE j.namespace = p_namespace AND j.name = p_job))
      AND (
        SELECT l.namespace = p_namespace AND (p_queue IS NULL OR l.queue = p_queue)
        FROM mainspring.lines AS l
        WHERE l.id = x.line
      )
  );
END $$;

CREATE FUNCTION mainspring.over_budget(p_kind text, p_key text, p_depth bigint, p_limit bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION '% ''%'' is over its budget: % of at most % runs wait there', p_kind, p_key, p_depth, p_limit
    USING ERRCODE = 'MSFUL',
      DETAIL = json_build_object('kind', p_kind, 'key', p_key, 'depth', p_depth, 'limit', p_limit);
END $$;

CREATE FUNCTION mainspring.pending_runs_1(p_limit bigint) RETURNS SETOF uuid
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  RETURN QUERY
  SELECT p.run
  FROM mainspring.triggers AS t CROSS JOIN LATERAL unnest(t.pending) AS p(run)
  WHERE t.pending IS NOT NULL
  LIMIT p_limit;
END $$;

CREATE FUNCTION mainspring.refuse(p_field text, p_code text, p_reason text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION '%: %', p_field, p_reason
    USING ERRCODE = 'MSINP', DETAIL = json_build_object('field', p_field, 'code', p_code, 'detail', p_reason);
END $$;

CREATE FUNCTION mainspring.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;

CREATE FUNCTION mainspring.renew_1(p_sessions uuid[], p_loads bytea[], p_lease_until timestamp with time zone) RETURNS SETOF uuid
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  RETURN QUERY
  UPDATE mainspring.sessions AS s
  SET lease_until = greatest(s.lease_until, p_lease_until), load = coalesce(b.load, s.load)
  FROM unnest(p_sessions, p_loads) AS b(id, load)
  WHERE s.id = b.id AND s.state <> 2
  RETURNING s.id;
END $$;

CREATE FUNCTION mainspring.requeue_2(p_runs uuid[], p_tokens uuid[], p_states smallint[], p_due_at timestamp with time zone[], p_reasons text[], p_failures smallint[], p_losses smallint[], p_deadlines timestamp with time zone[], p_waits integer[]) RETURNS bigint
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
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

CREATE FUNCTION mainspring.rewrite_triggers_2(p_triggers bigint[], p_jobs text[], p_kinds text[], p_calendars text[], p_cohorts text[], p_owners text[], p_specs bytea[], p_applied bytea[], p_revisions integer[], p_next_due timestamp with time zone[], p_act_at timestamp with time zone[], p_pending text[], p_held text[], p_fired bigint[], p_failures integer[], p_last_fire_at timestamp with time zone[], p_paused_at timestamp with time zone[], p_paused_by text[], p_paused_reasons text[], p_asked text[], p_updated_at timestamp with time zone[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  UPDATE mainspring.triggers AS t
  SET job = m.job, kind = m.kind, calendar = m.calendar, cohort = m.cohort, owner = m.owner, spec = m.spec,
      applied = m.applied, revision = m.revision, next_due = m.next_due, act_at = m.act_at, pending = m.pending::uuid[],
      held = m.held::timestamptz[], fired = m.fired, failures = m.failures, last_fire_at = m.last_fire_at,
      paused_at = m.paused_at, paused_by = m.paused_by, paused_reason = m.paused_reason, asked = m.asked::timestamptz[],
      updated_at = m.updated_at, touched = false
  FROM unnest(
    p_triggers, p_jobs, p_kinds, p_calendars, p_cohorts, p_owners, p_specs, p_applied, p_revisions, p_next_due, p_act_at,
    p_pending, p_held, p_fired, p_failures, p_last_fire_at, p_paused_at, p_paused_by, p_paused_reasons, p_asked,
    p_updated_at
  ) AS m(
    id, job, kind, calendar, cohort, owner, spec, applied, revision, next_due, act_at, pending, held, fired, failures,
    last_fire_at, paused_at, paused_by, paused_reason, asked, updated_at
  )
  WHERE t.id = m.id;
END $$;

CREATE FUNCTION mainspring.run_called(p_namespace text, p_call mainspring.call, p_job jsonb, p_place text, p_id uuid, p_now timestamp with time zone) RETURNS mainspring.called_run
    LANGUAGE plpgsql
    AS $_$
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
END $_$;

CREATE FUNCTION mainspring.run_id(p_tick bigint) RETURNS uuid
    LANGUAGE plpgsql
    AS $$
BEGIN
  RETURN encode(
    int8send(((p_tick >> 12) << 16) | 28672 | (p_tick & 4095)) || substring(uuid_send(gen_random_uuid()) FROM 9), 'hex'
  );
END $$;

CREATE FUNCTION mainspring.settle(run uuid, token uuid, result json DEFAULT 'null'::json) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  settled_at CONSTANT timestamptz := clock_timestamp();
BEGIN
  IF octet_length(settle.result::text) > 1048576 THEN
    PERFORM mainspring.refuse(
      'result', 'result_too_large', octet_length(settle.result::text) || ' bytes are over the limit of 1048576'
    );
  END IF;
  PERFORM mainspring.unbundle_under_1(ARRAY[settle.token])
  WHERE EXISTS (SELECT FROM mainspring.bundles AS b WHERE b.token = settle.token);
  WITH moved AS (
    DELETE FROM mainspring.runs AS r WHERE r.id = settle.run AND r.token = settle.token RETURNING r.*
  )
  INSERT INTO mainspring.history (
    id, due_at, created_at, started_at, finished_at, duration, line, job, attempt, priority, state,
    failures, losses, token, session, deadline_at, key, extra, input, result
  )
  SELECT
    m.id, m.due_at, m.created_at, m.claimed_at, settled_at,
    greatest(extract(epoch FROM settled_at - m.claimed_at) * 1000000, 0)::bigint, m.line, m.job,
    m.attempt, m.priority, 3, m.failures, m.losses, m.token, m.session, m.deadline_at, m.key, m.extra, m.input,
    convert_to(settle.result::text, 'UTF8')
  FROM moved AS m;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'this attempt does not own run % any more', settle.run USING ERRCODE = 'MSLST';
  END IF;
  RETURN settle.run;
END $$;

CREATE FUNCTION mainspring.show_2(p_namespace text, p_runs uuid[], p_births timestamp with time zone[], p_size integer) RETURNS TABLE(id uuid, namespace text, job text, queue text, handler text, priority smallint, state smallint, reason text, attempt integer, failures smallint, losses smallint, due_at timestamp with time zone, created_at timestamp with time zone, started_at timestamp with time zone, finished_at timestamp with time zone, deadline_at timestamp with time zone, executor text, key text, extra bytea, input bytea, result bytea, error text, message text, traceback text, code text, progress_token uuid, fraction real, note text)
    LANGUAGE plpgsql STABLE
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
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
      SELECT r.id, r.line, r.job, r.priority, 2::smallint, r.reason, r.attempt + 1, r.failures, r.losses, r.due_at, r.created_at,
        b.claimed_at, NULL, r.deadline_at, b.session, r.key, r.extra, r.input, NULL
      FROM mainspring.bundles AS b
      CROSS JOIN LATERAL unnest(b.held) AS r
      WHERE c.id = ANY (b.ids) AND r.id = c.id
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

CREATE FUNCTION mainspring.store_run(p_namespace text, p_run mainspring.called_run, p_now timestamp with time zone) RETURNS uuid
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION mainspring.subscribers_1(p_namespace text, p_types text[], p_limit bigint) RETURNS SETOF mainspring.triggers
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  RETURN QUERY
  SELECT t.*
  FROM (
    SELECT s.trigger
    FROM unnest(p_types) AS w(type)
    CROSS JOIN LATERAL (
      SELECT c.trigger FROM mainspring.subscriptions AS c
      WHERE c.namespace = p_namespace AND c.type = w.type
      ORDER BY c.trigger
      LIMIT p_limit
    ) AS s
    ORDER BY s.trigger
    LIMIT p_limit
  ) AS f
  CROSS JOIN LATERAL (SELECT c.* FROM mainspring.triggers AS c WHERE c.id = f.trigger LIMIT 1) AS t
  ORDER BY f.trigger;
END $$;

CREATE FUNCTION mainspring.succeed_2(p_runs uuid[], p_tokens uuid[], p_results bytea[], p_waits integer[], p_durations bigint[], p_now timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  wanted_count CONSTANT bigint := cardinality(array_remove(p_tokens, NULL));
  moved_count bigint;
  found_count bigint := 0;
BEGIN
  FOR look IN 1..2 LOOP
    WITH moved AS (
      DELETE FROM mainspring.runs AS r
      USING unnest(p_runs, p_tokens, p_results, p_waits, p_durations) AS e(id, token, result, wait, duration)
      WHERE e.token IS NOT NULL AND r.id = e.id AND r.token = e.token
      RETURNING r.*, e.result, e.wait, e.duration
    )
    INSERT INTO mainspring.history (
      id, due_at, created_at, started_at, finished_at, duration, line, job, attempt, priority, state,
      failures, losses, token, session, deadline_at, key, extra, input, result
    )
    SELECT
      m.id, m.due_at, m.created_at, m.claimed_at + m.wait * interval '1 millisecond', p_now, m.duration, m.line, m.job,
      m.attempt, m.priority, 3, m.failures, m.losses, m.token, m.session, m.deadline_at, m.key,
      m.extra, m.input, m.result
    FROM moved AS m;
    GET DIAGNOSTICS moved_count = ROW_COUNT;
    found_count := found_count + moved_count;
    EXIT WHEN found_count >= wanted_count OR look = 2;
    -- Look again even if there is nothing to undo: somebody else may have done it since the first look.
    PERFORM mainspring.unbundle_under_1(p_tokens);
  END LOOP;
  RETURN found_count;
END $$;

CREATE FUNCTION mainspring.succeed_3(p_runs uuid[], p_tokens uuid[], p_results bytea[], p_waits integer[], p_durations bigint[], p_now timestamp with time zone, p_whole uuid[], p_whole_parts integer[], p_count bigint, p_torn uuid[], p_torn_parts integer[]) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
  bundled_count bigint := 0;
BEGIN
  IF cardinality(p_whole) > 0 AND cardinality(p_torn) > 0 THEN
    -- In one order for all, not the whole ones before the torn ones.
    PERFORM FROM mainspring.bundles AS b
    JOIN unnest(p_whole || p_torn, p_whole_parts || p_torn_parts) AS t(token, part) ON t.token = b.token AND t.part = b.part
    ORDER BY b.token, b.part
    FOR UPDATE OF b;
  END IF;
  IF cardinality(p_whole) > 0 THEN
    bundled_count := mainspring.succeed_bundles_1(
      p_runs, p_tokens, p_results, p_waits, p_durations, p_now, p_whole, p_whole_parts, p_count
    );
    IF bundled_count IS NULL THEN
      RETURN NULL;
    END IF;
  END IF;
  PERFORM mainspring.unbundle_1(p_torn, p_torn_parts) WHERE cardinality(p_torn) > 0;
  IF bundled_count < cardinality(p_runs) THEN
    bundled_count := bundled_count + mainspring.succeed_2(p_runs, p_tokens, p_results, p_waits, p_durations, p_now);
  END IF;
  RETURN bundled_count;
END $$;

CREATE FUNCTION mainspring.succeed_bundles_1(p_runs uuid[], p_owners uuid[], p_results bytea[], p_waits integer[], p_durations bigint[], p_now timestamp with time zone, p_tokens uuid[], p_parts integer[], p_count bigint) RETURNS bigint
    LANGUAGE plpgsql
    SET enable_nestloop TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_hashjoin TO 'on'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  found_count bigint;
  moved_count bigint;
BEGIN
  SELECT sum(f.size) INTO found_count
  FROM (
    SELECT b.size
    FROM mainspring.bundles AS b
    JOIN unnest(p_tokens, p_parts) AS t(token, part) ON t.token = b.token AND t.part = b.part
    ORDER BY b.token, b.part
    FOR UPDATE OF b
  ) AS f;
  IF found_count IS DISTINCT FROM p_count THEN
    RETURN NULL;
  END IF;
  WITH opened AS (
    DELETE FROM mainspring.bundles AS b
    USING unnest(p_tokens, p_parts) AS t(token, part)
    WHERE b.token = t.token AND b.part = t.part
    RETURNING b.token, b.session, b.claimed_at, b.held
  )
  INSERT INTO mainspring.history (
    id, due_at, created_at, started_at, finished_at, duration, line, job, attempt, priority, state,
    failures, losses, token, session, deadline_at, key, extra, input, result
  )
  SELECT
    h.id, h.due_at, h.created_at, h.began_at + e.wait * interval '1 millisecond', p_now, e.duration, h.line, h.job,
    h.attempt + 1, h.priority, 3, h.failures, h.losses, h.owner, h.holder, h.deadline_at, h.key, h.extra, h.input, e.result
  FROM (
    SELECT r.*, o.token AS owner, o.session AS holder, o.claimed_at AS began_at
    FROM opened AS o
    CROSS JOIN LATERAL unnest(o.held) AS r
    OFFSET 0
  ) AS h
  JOIN (
    -- Not in FROM, where all of it would be written down first.
    SELECT t.id, t.result, t.wait, t.duration
    FROM (
      SELECT unnest(p_runs) AS id, unnest(p_owners) AS token, unnest(p_results) AS result, unnest(p_waits) AS wait,
        unnest(p_durations) AS duration
    ) AS t
    WHERE t.token IS NULL
  ) AS e ON e.id = h.id;
  GET DIAGNOSTICS moved_count = ROW_COUNT;
  IF moved_count <> p_count THEN
    RAISE EXCEPTION 'bundles of % runs had outcomes for %', p_count, moved_count;
  END IF;
  RETURN moved_count;
END $$;

CREATE FUNCTION mainspring.summarize_1(p_day text) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  day regclass := to_regclass('mainspring.history_' || p_day);
  index regclass;
BEGIN
  SELECT i.indexrelid INTO index
  FROM pg_catalog.pg_index AS i
  JOIN pg_catalog.pg_inherits AS p ON p.inhrelid = i.indexrelid
  WHERE i.indrelid = day AND p.inhparent = 'mainspring.history_finished'::regclass;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  EXECUTE format('LOCK TABLE %s IN SHARE UPDATE EXCLUSIVE MODE NOWAIT', day);
  RETURN brin_summarize_new_values(index);
EXCEPTION WHEN lock_not_available THEN
  RETURN 0;
END $$;

CREATE FUNCTION mainspring.survey_1(p_now timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    SET max_parallel_workers_per_gather TO '0'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  UPDATE mainspring.surveys SET taken_at = p_now WHERE id = 1 AND (taken_at IS NULL OR taken_at <= p_now);
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  WITH found AS MATERIALIZED (
    SELECT r.line,
      count(*) FILTER (WHERE r.state = 1 AND r.due_at <= p_now) AS queued,
      count(*) FILTER (WHERE r.state = 1 AND r.due_at > p_now) AS later,
      count(*) FILTER (WHERE r.state = 0) AS waiting,
      count(*) FILTER (WHERE r.state = 2) AS running,
      min(r.due_at) FILTER (WHERE r.state = 1 AND r.due_at <= p_now) AS oldest_at
    FROM mainspring.live AS r
    GROUP BY r.line
  ), emptied AS (
    DELETE FROM mainspring.depths AS d WHERE NOT EXISTS (SELECT FROM found AS f WHERE f.line = d.line)
  )
  INSERT INTO mainspring.depths AS d (line, queued, later, waiting, running, oldest_at)
  SELECT f.line, f.queued, f.later, f.waiting, f.running, f.oldest_at FROM found AS f
  ON CONFLICT (line) DO UPDATE
  SET queued = excluded.queued, later = excluded.later, waiting = excluded.waiting, running = excluded.running,
      oldest_at = excluded.oldest_at
  WHERE (d.queued, d.later, d.waiting, d.running, d.oldest_at)
    IS DISTINCT FROM (excluded.queued, excluded.later, excluded.waiting, excluded.running, excluded.oldest_at);
  RETURN true;
END $$;

CREATE FUNCTION mainspring.unbundle_1(p_tokens uuid[], p_parts integer[]) RETURNS bigint
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  loose_count bigint;
BEGIN
  IF p_tokens IS NULL THEN
    RETURN 0;
  END IF;
  -- In one order for all, so that nobody waits for somebody who waits for him.
  PERFORM FROM mainspring.bundles AS b
  JOIN unnest(p_tokens, p_parts) AS t(token, part) ON t.token = b.token AND t.part = b.part
  ORDER BY b.token, b.part
  FOR UPDATE OF b;
  WITH undone AS (
    DELETE FROM mainspring.bundles AS b
    USING unnest(p_tokens, p_parts) AS t(token, part)
    WHERE b.token = t.token AND b.part = t.part
    RETURNING b.*
  )
  INSERT INTO mainspring.runs (
    id, due_at, created_at, claimed_at, line, job, attempt, priority, state, failures, losses, token, session, reason, key,
    input, deadline_at, extra, cancel_reason, first_started_at
  )
  SELECT
    h.id, h.due_at, h.created_at, u.claimed_at, h.line, h.job, h.attempt + 1, h.priority, 2, h.failures, h.losses, u.token,
    u.session, h.reason, h.key, h.input, h.deadline_at, h.extra, h.cancel_reason, h.first_started_at
  FROM undone AS u
  CROSS JOIN LATERAL unnest(u.held) AS h;
  GET DIAGNOSTICS loose_count = ROW_COUNT;
  RETURN loose_count;
END $$;

CREATE FUNCTION mainspring.unbundle_under_1(p_tokens uuid[]) RETURNS bigint
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  RETURN (
    SELECT mainspring.unbundle_1(array_agg(b.token), array_agg(b.part))
    FROM mainspring.bundles AS b
    WHERE b.token = ANY (p_tokens)
  );
END $$;

CREATE FUNCTION mainspring.waiting_until_1(p_after bigint, p_look bigint) RETURNS bigint
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  RETURN (
    SELECT t.id FROM mainspring.triggers AS t
    WHERE t.pending IS NOT NULL AND t.id > p_after
    ORDER BY t.id
    OFFSET p_look - 1
    LIMIT 1
  );
END $$;

CREATE FUNCTION mainspring.withdraw_2(p_triggers bigint[], p_last_at timestamp with time zone[], p_since timestamp with time zone, p_now timestamp with time zone) RETURNS TABLE(trigger bigint, fire_at timestamp with time zone, run uuid, last_at timestamp with time zone)
    LANGUAGE plpgsql
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
  triggers bigint[];
  instants timestamptz[];
  runs uuid[];
BEGIN
  SELECT array_agg(f.trigger ORDER BY f.run), array_agg(f.fire_at ORDER BY f.run), array_agg(f.run ORDER BY f.run)
  INTO triggers, instants, runs
  FROM unnest(p_triggers, p_last_at) AS w(trigger, last_at)
  CROSS JOIN LATERAL (
    SELECT c.* FROM mainspring.fires AS c
    WHERE c.trigger = w.trigger AND c.fire_at > p_since AND c.fire_at <= w.last_at
    OFFSET 0
  ) AS f;
  -- In the order of their ids, as everybody locks runs.
  SELECT array_agg(p.trigger), array_agg(p.fire_at), array_agg(p.run) INTO triggers, instants, runs
  FROM (
    SELECT w.trigger, w.fire_at, w.run
    FROM unnest(triggers, instants, runs) AS w(trigger, fire_at, run)
    CROSS JOIN LATERAL (
      SELECT c.id FROM mainspring.runs AS c
      WHERE c.id = w.run AND c.state + 0 = 1 AND c.attempt = 0 AND (w.fire_at > p_now OR c.created_at < w.fire_at)
      LIMIT 1
      FOR UPDATE
    ) AS r
  ) AS p;
  IF runs IS NULL THEN
    RETURN;
  END IF;
  DELETE FROM mainspring.runs AS r WHERE r.id = ANY (runs);
  DELETE FROM mainspring.marks AS m WHERE m.run = ANY (runs);
  DELETE FROM mainspring.fires AS f USING unnest(triggers, instants) AS w(trigger, fire_at)
  WHERE f.trigger = w.trigger AND f.fire_at = w.fire_at;
  RETURN QUERY
  SELECT w.trigger, w.fire_at, w.run,
    (SELECT f.fire_at FROM mainspring.fires AS f WHERE f.trigger = w.trigger ORDER BY f.fire_at DESC LIMIT 1)
  FROM unnest(triggers, instants, runs) AS w(trigger, fire_at, run);
END $$;

CREATE TABLE mainspring.access (
    one boolean NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT access_one_check CHECK (one)
);

CREATE TABLE mainspring.attempts (
    run uuid NOT NULL,
    number integer NOT NULL,
    outcome smallint NOT NULL,
    token uuid NOT NULL,
    session uuid,
    started_at timestamp with time zone,
    ended_at timestamp with time zone NOT NULL,
    error text,
    message text,
    traceback text,
    code text,
    duration bigint,
    beside uuid[]
)
PARTITION BY RANGE (ended_at);

CREATE TABLE mainspring.attendance (
    one boolean DEFAULT true NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT attendance_one_check CHECK (one)
);

CREATE TABLE mainspring.audit (
    "position" bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    token text NOT NULL,
    namespace text NOT NULL,
    act text NOT NULL,
    kind text NOT NULL,
    key text NOT NULL,
    details bytea NOT NULL
);

ALTER TABLE mainspring.audit ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME mainspring.audit_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE mainspring.backfill_fires (
    backfill uuid NOT NULL,
    run uuid NOT NULL,
    trigger bigint NOT NULL,
    fire_at timestamp with time zone NOT NULL
);

CREATE TABLE mainspring.backfills (
    id uuid NOT NULL,
    version integer NOT NULL,
    live boolean NOT NULL,
    namespace text NOT NULL COLLATE pg_catalog."C",
    trigger_name text NOT NULL COLLATE pg_catalog."C",
    body bytea NOT NULL
);

CREATE TABLE mainspring.runs (
    id uuid NOT NULL,
    due_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    claimed_at timestamp with time zone,
    line integer NOT NULL,
    job integer NOT NULL,
    attempt integer NOT NULL,
    priority smallint NOT NULL,
    state smallint NOT NULL,
    failures smallint NOT NULL,
    losses smallint NOT NULL,
    token uuid,
    session uuid,
    reason text,
    key text,
    input bytea NOT NULL,
    deadline_at timestamp with time zone,
    extra bytea,
    cancel_reason text,
    first_started_at timestamp with time zone
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE mainspring.bundles (
    token uuid NOT NULL,
    part integer NOT NULL,
    session uuid NOT NULL,
    size integer NOT NULL,
    claimed_at timestamp with time zone NOT NULL,
    ids uuid[] NOT NULL,
    held mainspring.runs[] NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.0', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY mainspring.bundles ALTER COLUMN ids SET STORAGE EXTERNAL;
ALTER TABLE ONLY mainspring.bundles ALTER COLUMN held SET STORAGE EXTERNAL;

CREATE TABLE mainspring.calendar_versions (
    calendar integer NOT NULL,
    version integer NOT NULL,
    author text NOT NULL,
    note text NOT NULL,
    at timestamp with time zone NOT NULL,
    spec bytea NOT NULL,
    computed bytea NOT NULL
);

CREATE TABLE mainspring.calendars (
    id integer NOT NULL,
    namespace text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    deleted boolean NOT NULL
);

ALTER TABLE mainspring.calendars ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME mainspring.calendars_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE mainspring.cordons (
    namespace text NOT NULL,
    executor text NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    reason text NOT NULL,
    drain_at timestamp with time zone,
    grace double precision NOT NULL
);

CREATE TABLE mainspring.dead (
    run uuid NOT NULL,
    namespace text NOT NULL,
    line integer NOT NULL,
    job integer NOT NULL,
    fingerprint bytea NOT NULL,
    failed_at timestamp with time zone NOT NULL,
    reason text,
    error text NOT NULL,
    message text NOT NULL,
    discarded_at timestamp with time zone,
    discarded_by text,
    discard_reason text
);

CREATE TABLE mainspring.depths (
    line integer NOT NULL,
    queued bigint NOT NULL,
    later bigint NOT NULL,
    waiting bigint NOT NULL,
    running bigint NOT NULL,
    oldest_at timestamp with time zone
)
WITH (fillfactor='50');

CREATE TABLE mainspring.event_counts (
    told bigint NOT NULL,
    matched bigint NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    namespace text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    unmatched bigint DEFAULT 0 NOT NULL
);

CREATE TABLE mainspring.fires (
    trigger bigint NOT NULL,
    fire_at timestamp with time zone NOT NULL,
    run uuid NOT NULL
)
PARTITION BY RANGE (fire_at);

CREATE TABLE mainspring.fires_default (
    trigger bigint NOT NULL,
    fire_at timestamp with time zone NOT NULL,
    run uuid NOT NULL
);

CREATE TABLE mainspring.history (
    id uuid NOT NULL,
    due_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone NOT NULL,
    duration bigint NOT NULL,
    line integer NOT NULL,
    job integer NOT NULL,
    attempt integer NOT NULL,
    priority smallint NOT NULL,
    state smallint NOT NULL,
    failures smallint NOT NULL,
    losses smallint NOT NULL,
    token uuid,
    session uuid,
    reason text,
    key text,
    input bytea NOT NULL,
    result bytea,
    deadline_at timestamp with time zone,
    extra bytea
)
PARTITION BY RANGE (finished_at);

CREATE TABLE mainspring.hooks (
    trigger bigint NOT NULL,
    made_at timestamp with time zone NOT NULL,
    old_until timestamp with time zone,
    id text NOT NULL COLLATE pg_catalog."C",
    auth text NOT NULL,
    secret bytea NOT NULL,
    old_secret bytea
);

CREATE TABLE mainspring.job_versions (
    job integer NOT NULL,
    version integer NOT NULL,
    origin text NOT NULL,
    author text NOT NULL,
    code_version text NOT NULL,
    note text NOT NULL,
    at timestamp with time zone NOT NULL,
    spec bytea NOT NULL
);

CREATE TABLE mainspring.jobs (
    id integer NOT NULL,
    namespace text NOT NULL,
    name text NOT NULL,
    spec bytea NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    code bytea,
    deleted_at timestamp with time zone
);

ALTER TABLE mainspring.jobs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME mainspring.jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE mainspring.keys (
    namespace text NOT NULL,
    key text NOT NULL,
    run uuid NOT NULL,
    digest bytea NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE mainspring.lines (
    id integer NOT NULL,
    namespace text NOT NULL,
    queue text NOT NULL,
    handler text NOT NULL,
    address text NOT NULL
);

ALTER TABLE mainspring.lines ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME mainspring.lines_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE mainspring.lines_to_make (
    id integer NOT NULL,
    namespace text NOT NULL,
    queue text NOT NULL,
    handler text NOT NULL
);

CREATE VIEW mainspring.live AS
 SELECT r.id,
    r.due_at,
    r.created_at,
    r.claimed_at,
    r.line,
    r.job,
    r.attempt,
    r.priority,
    r.state,
    r.failures,
    r.losses,
    r.token,
    r.session,
    r.reason,
    r.key,
    r.input,
    r.deadline_at,
    r.extra,
    r.cancel_reason,
    r.first_started_at
   FROM mainspring.runs r
UNION ALL
 SELECT h.id,
    h.due_at,
    h.created_at,
    b.claimed_at,
    h.line,
    h.job,
    (h.attempt + 1) AS attempt,
    h.priority,
    (2)::smallint AS state,
    h.failures,
    h.losses,
    b.token,
    b.session,
    h.reason,
    h.key,
    h.input,
    h.deadline_at,
    h.extra,
    h.cancel_reason,
    h.first_started_at
   FROM (mainspring.bundles b
     CROSS JOIN LATERAL unnest(b.held) h(id, due_at, created_at, claimed_at, line, job, attempt, priority, state, failures, losses, token, session, reason, key, input, deadline_at, extra, cancel_reason, first_started_at));

CREATE SEQUENCE mainspring.log_positions
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE mainspring.logs (
    "position" bigint DEFAULT nextval('mainspring.log_positions'::regclass) NOT NULL,
    stored_at timestamp with time zone NOT NULL,
    run uuid NOT NULL,
    token uuid NOT NULL,
    seq integer NOT NULL,
    at bigint NOT NULL,
    level smallint NOT NULL,
    message text NOT NULL
)
PARTITION BY RANGE (stored_at);

CREATE TABLE mainspring.marks (
    namespace text NOT NULL,
    mark text NOT NULL,
    run uuid NOT NULL
);

CREATE TABLE mainspring.memories (
    run uuid NOT NULL,
    kind smallint NOT NULL,
    name text NOT NULL,
    attempt integer NOT NULL,
    turn bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    value bytea
)
WITH (fillfactor='70');

CREATE TABLE mainspring.namespaces (
    name text NOT NULL,
    description text NOT NULL,
    created_at timestamp with time zone
);

CREATE TABLE mainspring.progress (
    run uuid NOT NULL,
    token uuid NOT NULL,
    fraction real NOT NULL,
    note text NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE mainspring.queues (
    namespace text NOT NULL,
    queue text NOT NULL,
    paused_at timestamp with time zone,
    paused_by text,
    pause_reason text,
    max_queued bigint
);

CREATE TABLE mainspring.rolled (
    id smallint NOT NULL,
    until timestamp with time zone,
    CONSTRAINT rolled_id_check CHECK ((id = 1))
)
WITH (fillfactor='50');

CREATE TABLE mainspring.rollups (
    step smallint NOT NULL,
    at timestamp with time zone NOT NULL,
    line integer NOT NULL,
    job integer NOT NULL,
    state smallint NOT NULL,
    runs bigint NOT NULL,
    wait_sum bigint NOT NULL,
    wait_max bigint NOT NULL,
    duration_sum bigint NOT NULL,
    duration_max bigint NOT NULL,
    waits bytea NOT NULL,
    durations bytea NOT NULL
)
WITH (fillfactor='70');

CREATE TABLE mainspring.servers (
    id uuid NOT NULL,
    name text NOT NULL,
    lease_until timestamp with time zone NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE mainspring.sessions (
    id uuid NOT NULL,
    namespace text NOT NULL,
    executor text NOT NULL,
    server uuid NOT NULL,
    state smallint NOT NULL,
    lease_until timestamp with time zone NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    reclaimed boolean NOT NULL,
    abilities bytea NOT NULL,
    specs jsonb DEFAULT '{}'::jsonb NOT NULL,
    load bytea,
    seal bytea DEFAULT '\x'::bytea NOT NULL
)
WITH (fillfactor='50', toast_tuple_target='256');
ALTER TABLE ONLY mainspring.sessions ALTER COLUMN load SET STORAGE PLAIN;

CREATE TABLE mainspring.skips (
    trigger bigint NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    at timestamp with time zone NOT NULL,
    reason text NOT NULL
);

CREATE TABLE mainspring.subscriptions (
    trigger bigint NOT NULL,
    namespace text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE mainspring.surveys (
    id smallint NOT NULL,
    begun_at timestamp with time zone,
    taken_at timestamp with time zone,
    CONSTRAINT surveys_id_check CHECK ((id = 1))
)
WITH (fillfactor='50');

CREATE TABLE mainspring.suspensions (
    run uuid NOT NULL,
    reason text NOT NULL,
    resume_at timestamp with time zone
);

CREATE TABLE mainspring.sweeps (
    id uuid NOT NULL,
    namespace text NOT NULL,
    live boolean NOT NULL,
    version integer NOT NULL,
    body bytea NOT NULL
);

CREATE TABLE mainspring.tokens (
    id text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    namespace text NOT NULL,
    queues text[] NOT NULL,
    digest bytea NOT NULL,
    replaced_digest bytea,
    replaced_until timestamp with time zone,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    rotated_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    version bigint NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE mainspring.triggers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME mainspring.triggers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.mainspring_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE ONLY mainspring.fires ATTACH PARTITION mainspring.fires_default DEFAULT;

ALTER TABLE ONLY mainspring.access
    ADD CONSTRAINT access_pkey PRIMARY KEY (one);

ALTER TABLE ONLY mainspring.attendance
    ADD CONSTRAINT attendance_pkey PRIMARY KEY (one);

ALTER TABLE ONLY mainspring.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY ("position");

ALTER TABLE ONLY mainspring.backfill_fires
    ADD CONSTRAINT backfill_fires_pkey PRIMARY KEY (backfill, fire_at);

ALTER TABLE ONLY mainspring.backfills
    ADD CONSTRAINT backfills_pkey PRIMARY KEY (id);

ALTER TABLE ONLY mainspring.bundles
    ADD CONSTRAINT bundles_pkey PRIMARY KEY (token, part);

ALTER TABLE ONLY mainspring.calendar_versions
    ADD CONSTRAINT calendar_versions_pkey PRIMARY KEY (calendar, version);

ALTER TABLE ONLY mainspring.calendars
    ADD CONSTRAINT calendars_pkey PRIMARY KEY (id);

ALTER TABLE ONLY mainspring.cordons
    ADD CONSTRAINT cordons_pkey PRIMARY KEY (namespace, executor);

ALTER TABLE ONLY mainspring.dead
    ADD CONSTRAINT dead_pkey PRIMARY KEY (run);

ALTER TABLE ONLY mainspring.depths
    ADD CONSTRAINT depths_pkey PRIMARY KEY (line);

ALTER TABLE ONLY mainspring.event_counts
    ADD CONSTRAINT event_counts_pkey PRIMARY KEY (namespace, type);

ALTER TABLE ONLY mainspring.fires
    ADD CONSTRAINT fires_pkey PRIMARY KEY (trigger, fire_at);

ALTER TABLE ONLY mainspring.fires_default
    ADD CONSTRAINT fires_default_pkey PRIMARY KEY (trigger, fire_at);

ALTER TABLE ONLY mainspring.hooks
    ADD CONSTRAINT hooks_id_key UNIQUE (id);

ALTER TABLE ONLY mainspring.hooks
    ADD CONSTRAINT hooks_pkey PRIMARY KEY (trigger);

ALTER TABLE ONLY mainspring.job_versions
    ADD CONSTRAINT job_versions_pkey PRIMARY KEY (job, version);

ALTER TABLE ONLY mainspring.jobs
    ADD CONSTRAINT jobs_namespace_name_key UNIQUE (namespace, name);

ALTER TABLE ONLY mainspring.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY mainspring.keys
    ADD CONSTRAINT keys_pkey PRIMARY KEY (namespace, key);

ALTER TABLE ONLY mainspring.lines
    ADD CONSTRAINT lines_namespace_queue_handler_address_key UNIQUE (namespace, queue, handler, address);

ALTER TABLE ONLY mainspring.lines
    ADD CONSTRAINT lines_pkey PRIMARY KEY (id);

ALTER TABLE ONLY mainspring.lines_to_make
    ADD CONSTRAINT lines_to_make_pkey PRIMARY KEY (id);

ALTER TABLE ONLY mainspring.marks
    ADD CONSTRAINT marks_pkey PRIMARY KEY (namespace, mark, run);

ALTER TABLE ONLY mainspring.memories
    ADD CONSTRAINT memories_pkey PRIMARY KEY (run, kind, name);

ALTER TABLE ONLY mainspring.namespaces
    ADD CONSTRAINT namespaces_pkey PRIMARY KEY (name);

ALTER TABLE ONLY mainspring.progress
    ADD CONSTRAINT progress_pkey PRIMARY KEY (run);

ALTER TABLE ONLY mainspring.queues
    ADD CONSTRAINT queues_pkey PRIMARY KEY (namespace, queue);

ALTER TABLE ONLY mainspring.rolled
    ADD CONSTRAINT rolled_pkey PRIMARY KEY (id);

ALTER TABLE ONLY mainspring.rollups
    ADD CONSTRAINT rollups_pkey PRIMARY KEY (step, at, line, job, state);

ALTER TABLE ONLY mainspring.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (id) WITH (fillfactor='50');

ALTER TABLE ONLY mainspring.servers
    ADD CONSTRAINT servers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY mainspring.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY mainspring.subscriptions
    ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (trigger);

ALTER TABLE ONLY mainspring.surveys
    ADD CONSTRAINT surveys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY mainspring.suspensions
    ADD CONSTRAINT suspensions_pkey PRIMARY KEY (run);

ALTER TABLE ONLY mainspring.sweeps
    ADD CONSTRAINT sweeps_pkey PRIMARY KEY (id);

ALTER TABLE ONLY mainspring.tokens
    ADD CONSTRAINT tokens_digest_key UNIQUE (digest);

ALTER TABLE ONLY mainspring.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY mainspring.triggers
    ADD CONSTRAINT triggers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mainspring_migrations
    ADD CONSTRAINT mainspring_migrations_pkey PRIMARY KEY (version);

CREATE INDEX attempts_run ON ONLY mainspring.attempts USING btree (run);

CREATE INDEX audit_actor ON mainspring.audit USING btree (actor, at, "position");

CREATE INDEX audit_actor_kind ON mainspring.audit USING btree (actor, kind, at, "position");

CREATE INDEX audit_at ON mainspring.audit USING btree (at, "position");

CREATE INDEX audit_key ON mainspring.audit USING btree (key, at, "position");

CREATE INDEX audit_kind ON mainspring.audit USING btree (kind, at, "position");

CREATE INDEX audit_namespace ON mainspring.audit USING btree (namespace, at, "position");

CREATE INDEX audit_namespace_actor ON mainspring.audit USING btree (namespace, actor, at, "position");

CREATE INDEX audit_namespace_kind ON mainspring.audit USING btree (namespace, kind, at, "position");

CREATE INDEX backfill_fires_trigger ON mainspring.backfill_fires USING btree (trigger, fire_at, run);

CREATE INDEX backfills_listed ON mainspring.backfills USING btree (namespace, id);

CREATE INDEX backfills_live ON mainspring.backfills USING btree (id) WHERE live;

CREATE UNIQUE INDEX calendars_name ON mainspring.calendars USING btree (namespace, name);

CREATE INDEX dead_age ON mainspring.dead USING brin (failed_at);

CREATE INDEX dead_kinds ON mainspring.dead USING btree (namespace, fingerprint, failed_at, run) WHERE (discarded_at IS NULL);

CREATE INDEX dead_listed ON mainspring.dead USING btree (((namespace || ''::text)), failed_at, run) WHERE (discarded_at IS NULL);

CREATE INDEX history_finished ON ONLY mainspring.history USING brin (finished_at);

CREATE INDEX history_id ON ONLY mainspring.history USING btree (id);

CREATE INDEX history_listed ON ONLY mainspring.history USING btree (job, line, state, id);

CREATE INDEX history_troubled ON ONLY mainspring.history USING btree (id) WHERE (state > 3);

CREATE INDEX keys_age ON mainspring.keys USING btree (created_at);

CREATE INDEX logs_run ON ONLY mainspring.logs USING btree (run, "position");

CREATE INDEX logs_seq ON ONLY mainspring.logs USING btree (run, token, seq);

CREATE INDEX marks_run ON mainspring.marks USING btree (run);

CREATE INDEX runs_cancelling ON mainspring.runs USING btree (session) WHERE ((state = 2) AND (reason = 'cancelling'::text));

CREATE INDEX runs_claimable ON mainspring.runs USING btree (line, priority, due_at, id) WHERE (state = 1);

CREATE INDEX runs_deadline ON mainspring.runs USING btree (deadline_at) WHERE (deadline_at IS NOT NULL);

CREATE INDEX runs_held ON mainspring.runs USING btree (session, id) WHERE (state = 2);

CREATE INDEX runs_listed ON mainspring.runs USING btree (job, line, state, id) WHERE (state < 2);

CREATE INDEX runs_suspending ON mainspring.runs USING btree (session) WHERE ((state = 2) AND (reason = 'suspending'::text));

CREATE INDEX sessions_executor ON mainspring.sessions USING btree (namespace, executor);

CREATE INDEX sessions_open ON mainspring.sessions USING btree (id) WHERE (NOT reclaimed);

CREATE INDEX skips_age ON mainspring.skips USING brin (at);

CREATE INDEX skips_trigger ON mainspring.skips USING btree (trigger, last_at);

CREATE INDEX subscriptions_type ON mainspring.subscriptions USING btree (namespace, type, trigger);

CREATE INDEX suspensions_resume ON mainspring.suspensions USING btree (resume_at) WHERE (resume_at IS NOT NULL);

CREATE INDEX sweeps_listed ON mainspring.sweeps USING btree (namespace, id);

CREATE INDEX sweeps_live ON mainspring.sweeps USING btree (id) WHERE live;

CREATE INDEX tokens_age ON mainspring.tokens USING btree (created_at, id);

CREATE INDEX tokens_version ON mainspring.tokens USING btree (version);

CREATE INDEX triggers_act ON mainspring.triggers USING btree (act_at) WHERE (act_at IS NOT NULL);

CREATE INDEX triggers_calendar ON mainspring.triggers USING btree (namespace, calendar, name) WHERE (calendar <> ''::text);

CREATE INDEX triggers_called ON mainspring.triggers USING btree (namespace, kind, name) WHERE (kind = ANY (ARRAY['webhook'::text, 'event'::text]));

CREATE INDEX triggers_cohort ON mainspring.triggers USING btree (namespace, cohort, name) WHERE (cohort <> ''::text);

CREATE INDEX triggers_job ON mainspring.triggers USING btree (job, namespace, name);

CREATE UNIQUE INDEX triggers_name ON mainspring.triggers USING btree (namespace, name);

CREATE INDEX triggers_owner ON mainspring.triggers USING btree (namespace, owner, name) WHERE (owner <> ''::text);

CREATE INDEX triggers_paused ON mainspring.triggers USING btree (namespace, name) WHERE (paused_at IS NOT NULL);

CREATE INDEX triggers_pending ON mainspring.triggers USING btree (id) WHERE (pending IS NOT NULL);

CREATE INDEX triggers_stuck ON mainspring.triggers USING btree (id) WHERE ((next_due IS NOT NULL) AND (paused_at IS NULL) AND ((act_at IS NULL) OR (act_at > next_due)));

ALTER INDEX mainspring.fires_pkey ATTACH PARTITION mainspring.fires_default_pkey;

CREATE TRIGGER audit_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON mainspring.audit FOR EACH STATEMENT EXECUTE FUNCTION mainspring.refuse_change();

CREATE CONSTRAINT TRIGGER lines_to_make_at_commit AFTER INSERT ON mainspring.lines_to_make DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION mainspring.make_lines();

ALTER TABLE ONLY mainspring.backfill_fires
    ADD CONSTRAINT backfill_fires_backfill_fkey FOREIGN KEY (backfill) REFERENCES mainspring.backfills(id) ON DELETE CASCADE;

ALTER TABLE ONLY mainspring.calendar_versions
    ADD CONSTRAINT calendar_versions_calendar_fkey FOREIGN KEY (calendar) REFERENCES mainspring.calendars(id);

ALTER TABLE ONLY mainspring.hooks
    ADD CONSTRAINT hooks_trigger_fkey FOREIGN KEY (trigger) REFERENCES mainspring.triggers(id) ON DELETE CASCADE;

ALTER TABLE ONLY mainspring.job_versions
    ADD CONSTRAINT job_versions_job_fkey FOREIGN KEY (job) REFERENCES mainspring.jobs(id);

ALTER TABLE ONLY mainspring.subscriptions
    ADD CONSTRAINT subscriptions_trigger_fkey FOREIGN KEY (trigger) REFERENCES mainspring.triggers(id) ON DELETE CASCADE;
