-- Insert queued runs whose ids were made for this very call: an insert that looks for conflicts first would cost a third more.
-- Should one of them exist after all, the statement fails as a whole, and the server asks again by create_full_3.
CREATE OR REPLACE FUNCTION mainspring.create_3(
  p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamptz[], p_inputs bytea[],
  p_extra bytea, p_now timestamptz
) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO mainspring.runs (
    id, due_at, created_at, line, job, attempt, priority, state, failures, losses, extra, input
  )
  SELECT t.id, t.due_at, p_now, t.line, t.job, 0, t.priority, 1, 0, 0, p_extra, t.input
  FROM unnest(p_runs, p_jobs, p_lines, p_priorities, p_due_at, p_inputs) AS t(id, job, line, priority, due_at, input);
END $$;

-- The same for runs of which some are born claimed: one commit from enqueue to start, so this one is kept short.
CREATE OR REPLACE FUNCTION mainspring.create_claimed_3(
  p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamptz[], p_inputs bytea[],
  p_extra bytea, p_tokens uuid[], p_sessions uuid[], p_owners uuid[], p_now timestamptz
) RETURNS void
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
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

-- The same with all that a run may bring: a key to win first, a deadline, marks to be found by, and a past to be checked.
-- Returns how many were made; a run that exists already stays as it is.
CREATE OR REPLACE FUNCTION mainspring.create_full_2(
  p_namespace text, p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamptz[],
  p_inputs bytea[], p_keys text[], p_digests bytea[], p_deadlines timestamptz[], p_extras bytea[], p_marked uuid[],
  p_marks text[], p_tokens uuid[], p_sessions uuid[], p_owners uuid[], p_seen_since timestamptz, p_now timestamptz
) RETURNS bigint
LANGUAGE plpgsql
-- plan: nested
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

-- create_full_2, without a long wait. A caller's transaction may hold a key for as long as it likes; a server that asks for the
-- same key must not wait so long, nor all the callers whose runs it accepts together. A key counts as held only if the lock that
-- timed out is that of its row, which PostgreSQL names in any language; a lock on a whole table, such as of an operator who builds
-- an index, is raised as it is.
CREATE OR REPLACE FUNCTION mainspring.create_full_3(
  p_namespace text, p_runs uuid[], p_jobs integer[], p_lines integer[], p_priorities smallint[], p_due_at timestamptz[],
  p_inputs bytea[], p_keys text[], p_digests bytea[], p_deadlines timestamptz[], p_extras bytea[], p_marked uuid[],
  p_marks text[], p_tokens uuid[], p_sessions uuid[], p_owners uuid[], p_seen_since timestamptz, p_now timestamptz
) RETURNS bigint
LANGUAGE plpgsql
SET lock_timeout = '500ms'
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
