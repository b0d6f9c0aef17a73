-- What a run may bring besides its input. `extra` is JSON: its labels, its tags, and by whom it was asked for.
ALTER TABLE mainspring.runs ADD COLUMN deadline_at timestamptz, ADD COLUMN extra bytea;
ALTER TABLE mainspring.history ADD COLUMN deadline_at timestamptz, ADD COLUMN extra bytea;
CREATE INDEX runs_deadline ON mainspring.runs (deadline_at) WHERE deadline_at IS NOT NULL;

-- Leads from a tag, or a label as key=value, to the runs that have it: ids grow with time, so it lists them in order.
CREATE TABLE mainspring.marks (
  namespace text NOT NULL,
  mark text NOT NULL,
  run uuid NOT NULL,
  PRIMARY KEY (namespace, mark, run)
);
CREATE INDEX marks_run ON mainspring.marks (run);

-- Give each slot a due run, most urgent first; never the same run twice. Numbers and ids come back as packed bytes; what
-- else a handler is told of its run comes only if there is any, and by whom the run was asked for is none of it.
CREATE FUNCTION mainspring.claim_2(p_lines integer[], p_slots uuid[], p_sessions uuid[], p_token uuid, p_now timestamptz)
RETURNS TABLE (
  o_session uuid, o_runs bytea, o_lines bytea, o_jobs bytea, o_attempts bytea, o_inputs bytea[], o_extras bytea[],
  o_deadlines timestamptz[]
)
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
    RETURNING r.session, picked.position, r.id, r.line, r.job, r.attempt, r.input, r.deadline_at,
      CASE WHEN r.extra NOT LIKE '{"by":%' THEN r.extra END AS extra
  )
  SELECT c.session, string_agg(uuid_send(c.id), ''), string_agg(int4send(c.line), ''), string_agg(int4send(c.job), ''),
    string_agg(int4send(c.attempt), ''), array_agg(c.input),
    CASE WHEN bool_or(c.extra IS NOT NULL) THEN array_agg(c.extra) END,
    CASE WHEN bool_or(c.deadline_at IS NOT NULL) THEN array_agg(c.deadline_at) END
  FROM (SELECT * FROM claimed ORDER BY claimed.session, claimed.position) AS c
  GROUP BY c.session;
END $$;
DROP FUNCTION mainspring.claim_1;

-- Move the runs whose token matches to history; a pair is compared, never two lists. Only a running run has a token;
-- asking for the state as well would offer the planner another, quadratic way.
CREATE FUNCTION mainspring.succeed_2(
  p_runs uuid[], p_tokens uuid[], p_results bytea[], p_waits integer[], p_durations bigint[], p_now timestamptz
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
  WITH moved AS (
    DELETE FROM mainspring.runs AS r
    USING unnest(p_runs, p_tokens, p_results, p_waits, p_durations) AS e(id, token, result, wait, duration)
    WHERE r.id = e.id AND r.token = e.token
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
  RETURN moved_count;
END $$;
DROP FUNCTION mainspring.succeed_1;

-- The same for any other final state, with its reason.
CREATE FUNCTION mainspring.finish_2(
  p_runs uuid[], p_tokens uuid[], p_states smallint[], p_reasons text[], p_waits integer[], p_durations bigint[],
  p_failures smallint[], p_losses smallint[], p_now timestamptz
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
DROP FUNCTION mainspring.finish_1;

-- Insert runs queued, all with one extra; one that exists already stays as it is.
CREATE FUNCTION mainspring.create_2(
  p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamptz[], p_inputs bytea[],
  p_extra bytea, p_now timestamptz
) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
  made_count bigint;
BEGIN
  INSERT INTO mainspring.runs (
    id, due_at, created_at, line, job, attempt, priority, state, failures, losses, extra, input
  )
  SELECT t.id, t.due_at, p_now, t.line, t.job, 0, t.priority, 1, 0, 0, p_extra, t.input
  FROM unnest(p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_inputs) AS t(id, job, line, priority, due_at, input)
  ON CONFLICT (id) DO NOTHING;
  GET DIAGNOSTICS made_count = ROW_COUNT;
  RETURN made_count;
END $$;
DROP FUNCTION mainspring.create_1;

-- The same for runs of which some are born claimed: one commit from enqueue to start, so this one is kept short.
CREATE FUNCTION mainspring.create_claimed_2(
  p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamptz[], p_inputs bytea[],
  p_extra bytea, p_tokens uuid[], p_sessions uuid[], p_owners uuid[], p_now timestamptz
) RETURNS bigint
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
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
    id, due_at, created_at, claimed_at, line, job, attempt, priority, state, failures, losses, token, session,
    extra, input
  )
  SELECT
    t.id, t.due_at, p_now, CASE WHEN t.token IS NULL THEN NULL ELSE p_now END, t.line, t.job,
    CASE WHEN t.token IS NULL THEN 0 ELSE 1 END, t.priority, CASE WHEN t.token IS NULL THEN 1 ELSE 2 END, 0, 0,
    t.token, t.session, p_extra, t.input
  FROM unnest(p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_inputs, p_tokens, p_sessions)
    AS t(id, job, line, priority, due_at, input, token, session)
  ON CONFLICT (id) DO NOTHING;
  GET DIAGNOSTICS made_count = ROW_COUNT;
  RETURN made_count;
END $$;
DROP FUNCTION mainspring.create_claimed_1;

-- The same with all that a run may bring: a key to win first, a deadline, marks to be found by, and a past to be checked.
CREATE FUNCTION mainspring.create_full_2(
  p_namespace text, p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamptz[],
  p_inputs bytea[], p_keys text[], p_digests bytea[], p_deadlines timestamptz[], p_extras bytea[], p_marked uuid[],
  p_marks text[], p_tokens uuid[], p_sessions uuid[], p_owners uuid[], p_seen_since timestamptz, p_now timestamptz
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
  IF cardinality(p_marks) > 0 THEN
    INSERT INTO mainspring.marks (namespace, mark, run)
    SELECT p_namespace, t.mark, t.run
    FROM unnest(p_marks, p_marked) AS t(mark, run)
    WHERE EXISTS (SELECT FROM mainspring.runs AS r WHERE r.id = t.run)
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN made_count;
END $$;
DROP FUNCTION mainspring.create_full_1;
