-- What the migrations make together; rebuilt by `make schema`, never edited.

CREATE SCHEMA mainspring;

CREATE FUNCTION mainspring.claim_1(p_lines integer[], p_slots uuid[], p_sessions uuid[], p_token uuid, p_now timestamp with time zone) RETURNS TABLE(o_session uuid, o_runs bytea, o_lines bytea, o_jobs bytea, o_attempts bytea, o_inputs bytea[])
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
        SELECT p.priority, l.line
        FROM generate_series(9, 0, -1) AS p(priority)
        CROSS JOIN unnest(p_lines) WITH ORDINALITY AS l(line, turn)
        ORDER BY p.priority DESC, l.turn
      ) AS head
      CROSS JOIN LATERAL (
        SELECT c.ctid AS place
        FROM mainspring.runs AS c
        WHERE c.state = 1 AND c.line = head.line AND c.priority = head.priority AND c.due_at <= p_now
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
    RETURNING r.session, picked.position, r.id, r.line, r.job, r.attempt, r.input
  )
  SELECT c.session, string_agg(uuid_send(c.id), ''), string_agg(int4send(c.line), ''), string_agg(int4send(c.job), ''),
    string_agg(int4send(c.attempt), ''), array_agg(c.input)
  FROM (SELECT * FROM claimed ORDER BY claimed.session, claimed.position) AS c
  GROUP BY c.session;
END $$;

CREATE FUNCTION mainspring.create_1(p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamp with time zone[], p_inputs bytea[], p_now timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
  made_count bigint;
BEGIN
  INSERT INTO mainspring.runs (
    id, due_at, created_at, line, job, attempt, priority, state, failures, losses, input
  )
  SELECT t.id, t.due_at, p_now, t.line, t.job, 0, t.priority, 1, 0, 0, t.input
  FROM unnest(p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_inputs) AS t(id, job, line, priority, due_at, input)
  ON CONFLICT (id) DO NOTHING;
  GET DIAGNOSTICS made_count = ROW_COUNT;
  RETURN made_count;
END $$;

CREATE FUNCTION mainspring.create_claimed_1(p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamp with time zone[], p_inputs bytea[], p_tokens uuid[], p_sessions uuid[], p_owners uuid[], p_now timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  made_count bigint;
  live_count bigint;
BEGIN
  PERFORM s.id FROM mainspring.sessions AS s WHERE s.id = ANY (p_owners) AND s.state = 0 FOR KEY SHARE;
  GET DIAGNOSTICS live_count = ROW_COUNT;
  IF live_count < cardinality(p_owners) THEN
    RAISE EXCEPTION 'a session that was to run these is gone' USING ERRCODE = 'MSLST';
  END IF;
  INSERT INTO mainspring.runs (
    id, due_at, created_at, claimed_at, line, job, attempt, priority, state, failures, losses, token, session, input
  )
  SELECT
    t.id, t.due_at, p_now, CASE WHEN t.token IS NULL THEN NULL ELSE p_now END, t.line, t.job,
    CASE WHEN t.token IS NULL THEN 0 ELSE 1 END, t.priority, CASE WHEN t.token IS NULL THEN 1 ELSE 2 END, 0, 0,
    t.token, t.session, t.input
  FROM unnest(p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_inputs, p_tokens, p_sessions)
    AS t(id, job, line, priority, due_at, input, token, session)
  ON CONFLICT (id) DO NOTHING;
  GET DIAGNOSTICS made_count = ROW_COUNT;
  RETURN made_count;
END $$;

CREATE FUNCTION mainspring.create_full_1(p_namespace text, p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamp with time zone[], p_inputs bytea[], p_keys text[], p_digests bytea[], p_tokens uuid[], p_sessions uuid[], p_owners uuid[], p_seen_since timestamp with time zone, p_now timestamp with time zone) RETURNS bigint
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
    FROM unnest(p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_inputs, p_keys, p_digests, p_tokens, p_sessions)
      AS t(id, job, line, priority, due_at, input, key, digest, token, session)
  ), won AS (
    INSERT INTO mainspring.keys (namespace, key, run, digest, created_at)
    SELECT p_namespace, g.key, g.id, g.digest, p_now FROM given AS g WHERE g.key IS NOT NULL
    ON CONFLICT DO NOTHING
    RETURNING run
  )
  INSERT INTO mainspring.runs (
    id, due_at, created_at, claimed_at, line, job, attempt, priority, state, failures, losses, token, session, key, input
  )
  SELECT
    g.id, g.due_at, p_now, CASE WHEN g.token IS NULL THEN NULL ELSE p_now END, g.line, g.job,
    CASE WHEN g.token IS NULL THEN 0 ELSE 1 END, g.priority, CASE WHEN g.token IS NULL THEN 1 ELSE 2 END, 0, 0,
    g.token, g.session, g.key, g.input
  FROM given AS g
  WHERE (g.key IS NULL OR g.id IN (SELECT w.run FROM won AS w))
    AND (p_seen_since IS NULL OR NOT EXISTS (
      SELECT FROM mainspring.history AS h WHERE h.id = g.id AND h.finished_at >= p_seen_since
    ))
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
  RETURN made_count;
END $$;

CREATE FUNCTION mainspring.finish_1(p_runs uuid[], p_tokens uuid[], p_states smallint[], p_reasons text[], p_waits integer[], p_durations bigint[], p_failures smallint[], p_losses smallint[], p_now timestamp with time zone) RETURNS bigint
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
    failures, losses, token, session, reason, key, input
  )
  SELECT
    m.id, m.due_at, m.created_at, m.claimed_at + m.wait * interval '1 millisecond', p_now, m.duration, m.line, m.job,
    m.attempt, m.priority, m.final, m.failures + m.failed, m.losses + m.lost, m.token, m.session, m.why, m.key, m.input
  FROM moved AS m;
  GET DIAGNOSTICS moved_count = ROW_COUNT;
  RETURN moved_count;
END $$;

CREATE FUNCTION mainspring.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;

CREATE FUNCTION mainspring.requeue_1(p_runs uuid[], p_tokens uuid[], p_states smallint[], p_due_at timestamp with time zone[], p_reasons text[], p_failures smallint[], p_losses smallint[]) RETURNS bigint
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
      reason = e.reason, failures = r.failures + e.failures, losses = r.losses + e.losses
  FROM unnest(p_runs, p_tokens, p_states, p_due_at, p_reasons, p_failures, p_losses)
    AS e(id, token, state, due_at, reason, failures, losses)
  WHERE r.id = e.id AND r.token = e.token;
  GET DIAGNOSTICS moved_count = ROW_COUNT;
  RETURN moved_count;
END $$;

CREATE FUNCTION mainspring.succeed_1(p_runs uuid[], p_tokens uuid[], p_results bytea[], p_waits integer[], p_durations bigint[], p_now timestamp with time zone) RETURNS bigint
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
    USING unnest(p_runs, p_tokens, p_results, p_waits, p_durations) AS e(id, token, result, wait, duration)
    WHERE r.id = e.id AND r.token = e.token
    RETURNING r.*, e.result, e.wait, e.duration
  )
  INSERT INTO mainspring.history (
    id, due_at, created_at, started_at, finished_at, duration, line, job, attempt, priority, state,
    failures, losses, token, session, key, input, result
  )
  SELECT
    m.id, m.due_at, m.created_at, m.claimed_at + m.wait * interval '1 millisecond', p_now, m.duration, m.line, m.job,
    m.attempt, m.priority, 3, m.failures, m.losses, m.token, m.session, m.key, m.input, m.result
  FROM moved AS m;
  GET DIAGNOSTICS moved_count = ROW_COUNT;
  RETURN moved_count;
END $$;

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
    traceback text
)
PARTITION BY RANGE (ended_at);

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
    result bytea
)
PARTITION BY RANGE (finished_at);

CREATE TABLE mainspring.jobs (
    id integer NOT NULL,
    namespace text NOT NULL,
    name text NOT NULL,
    spec bytea NOT NULL,
    updated_at timestamp with time zone NOT NULL
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

CREATE SEQUENCE mainspring.log_positions
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 100;

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

CREATE TABLE mainspring.progress (
    run uuid NOT NULL,
    token uuid NOT NULL,
    fraction real NOT NULL,
    note text NOT NULL,
    at timestamp with time zone NOT NULL
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
    input bytea NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

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
    abilities bytea NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.mainspring_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE ONLY mainspring.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY ("position");

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

ALTER TABLE ONLY mainspring.progress
    ADD CONSTRAINT progress_pkey PRIMARY KEY (run);

ALTER TABLE ONLY mainspring.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (id) WITH (fillfactor='50');

ALTER TABLE ONLY mainspring.servers
    ADD CONSTRAINT servers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY mainspring.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mainspring_migrations
    ADD CONSTRAINT mainspring_migrations_pkey PRIMARY KEY (version);

CREATE INDEX attempts_run ON ONLY mainspring.attempts USING btree (run);

CREATE INDEX audit_subject ON mainspring.audit USING btree (kind, key, "position");

CREATE INDEX history_id ON ONLY mainspring.history USING btree (id);

CREATE INDEX keys_age ON mainspring.keys USING btree (created_at);

CREATE INDEX logs_run ON ONLY mainspring.logs USING btree (run, "position");

CREATE INDEX logs_seq ON ONLY mainspring.logs USING btree (run, token, seq);

CREATE INDEX runs_claimable ON mainspring.runs USING btree (line, priority, due_at, id) WHERE (state = 1);

CREATE INDEX runs_held ON mainspring.runs USING btree (session) WHERE (state = 2);

CREATE INDEX sessions_open ON mainspring.sessions USING btree (id) WHERE (NOT reclaimed);

CREATE TRIGGER audit_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON mainspring.audit FOR EACH STATEMENT EXECUTE FUNCTION mainspring.refuse_change();
