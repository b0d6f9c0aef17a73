-- Runs whose ids were made for this very call are in nobody's way: an insert that looks for conflicts first would cost a third
-- more. Should one be there after all, the statement fails as a whole, and the caller asks again by create_full.
DROP FUNCTION mainspring.create_2;
CREATE FUNCTION mainspring.create_3(
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

DROP FUNCTION mainspring.create_claimed_2;
CREATE FUNCTION mainspring.create_claimed_3(
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
