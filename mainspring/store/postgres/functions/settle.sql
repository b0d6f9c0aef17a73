-- Move succeeded runs to history, those with a token; a run that is not found may be in a bundle that another server has made. A
-- pair is compared, never two lists. Only a running run has a token; asking for the state as well would offer the planner another,
-- quadratic way.
CREATE OR REPLACE FUNCTION mainspring.succeed_2(
  p_runs uuid[], p_tokens uuid[], p_results bytea[], p_waits integer[], p_durations bigint[], p_now timestamptz
) RETURNS bigint
LANGUAGE plpgsql
-- plan: nested
AS $$
DECLARE
  forgetful CONSTANT integer[] := ARRAY(SELECT j.id FROM mainspring.jobs AS j WHERE j.forgets > 0);
  wanted_count CONSTANT bigint := cardinality(array_remove(p_tokens, NULL));
  gated CONSTANT boolean := EXISTS (SELECT FROM mainspring.gates);
  laned CONSTANT boolean := EXISTS (SELECT FROM mainspring.lanes);
  moved_count bigint;
  found_count bigint := 0;
BEGIN
  FOR look IN 1..2 LOOP
    WITH moved AS (
      DELETE FROM mainspring.runs AS r
      USING unnest(p_runs, p_tokens, p_results, p_waits, p_durations) AS e(id, token, result, wait, duration)
      WHERE e.token IS NOT NULL AND r.id = e.id AND r.token = e.token
      RETURNING r.*, e.result, e.wait, e.duration,
        r.job = ANY (forgetful) AND coalesce(r.extra, '') NOT LIKE '{"workflow"%' AS forgotten
    ), noted AS (
      INSERT INTO mainspring.forgotten (runs)
      SELECT array_agg(m.id) FROM moved AS m WHERE m.forgotten AND m.input = '' HAVING count(*) > 0
    ), freed AS (
      INSERT INTO mainspring.exits (gate, ended)
      SELECT g.gate, sum(c.ended)
      FROM (SELECT m.line, count(*) AS ended FROM moved AS m WHERE gated GROUP BY m.line) AS c
      JOIN mainspring.gate_lines AS g ON g.line = c.line
      GROUP BY g.gate
    ), turned AS (
      INSERT INTO mainspring.turns (line, priority, turn, lane)
      SELECT m.line, max(m.priority), coalesce(
          nullif((SELECT l.pass FROM mainspring.lanes AS l WHERE l.id = m.lane), 0),
          floor(extract(epoch FROM p_now) * 1000000)::bigint
        ), m.lane
      FROM moved AS m
      WHERE laned AND m.lane IS NOT NULL
      GROUP BY m.line, m.lane
      ORDER BY m.lane
    )
    INSERT INTO mainspring.history (
      {kept}, input, started_at, finished_at, duration, attempt, state, failures, losses, token, session, result
    )
    SELECT
      {m.kept}, CASE WHEN m.forgotten THEN '\x00' ELSE m.input END, m.claimed_at + m.wait * interval '1 millisecond', p_now, m.duration, m.attempt, 3, m.failures, m.losses,
      m.token, m.session, CASE WHEN NOT m.forgotten THEN m.result END
    FROM moved AS m;
    GET DIAGNOSTICS moved_count = ROW_COUNT;
    found_count := found_count + moved_count;
    EXIT WHEN found_count >= wanted_count OR look = 2;
    -- Look again even if there is nothing to undo: somebody else may have done it since the first look.
    PERFORM mainspring.unbundle_under_1(p_tokens);
  END LOOP;
  RETURN found_count;
END $$;

-- Move runs whose token matches to history in any other final state, with its reason.
CREATE OR REPLACE FUNCTION mainspring.finish_2(
  p_runs uuid[], p_tokens uuid[], p_states smallint[], p_reasons text[], p_waits integer[], p_durations bigint[],
  p_failures smallint[], p_losses smallint[], p_now timestamptz
) RETURNS bigint
LANGUAGE plpgsql
-- plan: nested
AS $$
DECLARE
  forgetful CONSTANT integer[] := ARRAY(SELECT j.id FROM mainspring.jobs AS j WHERE j.forgets > 1);
  gated CONSTANT boolean := EXISTS (SELECT FROM mainspring.gates);
  laned CONSTANT boolean := EXISTS (SELECT FROM mainspring.lanes);
  moved_count bigint;
BEGIN
  WITH moved AS (
    DELETE FROM mainspring.runs AS r
    USING unnest(p_runs, p_tokens, p_states, p_reasons, p_waits, p_durations, p_failures, p_losses)
      AS e(id, token, state, reason, wait, duration, failures, losses)
    WHERE r.id = e.id AND r.token = e.token
    RETURNING
      r.*, e.state AS final, e.reason AS why, e.wait, e.duration, e.failures AS failed, e.losses AS lost,
      r.job = ANY (forgetful) AND coalesce(r.extra, '') NOT LIKE '{"workflow"%' AS forgotten
  ), noted AS (
    INSERT INTO mainspring.forgotten (runs)
    SELECT array_agg(m.id) FROM moved AS m WHERE m.forgotten AND m.input = '' HAVING count(*) > 0
  ), freed AS (
    INSERT INTO mainspring.exits (gate, ended)
    SELECT g.gate, sum(c.ended)
    FROM (SELECT m.line, count(*) AS ended FROM moved AS m WHERE gated GROUP BY m.line) AS c
    JOIN mainspring.gate_lines AS g ON g.line = c.line
    GROUP BY g.gate
  ), turned AS (
    INSERT INTO mainspring.turns (line, priority, turn, lane)
    SELECT m.line, max(m.priority), coalesce(
        nullif((SELECT l.pass FROM mainspring.lanes AS l WHERE l.id = m.lane), 0),
        floor(extract(epoch FROM p_now) * 1000000)::bigint
      ), m.lane
    FROM moved AS m
    WHERE laned AND m.lane IS NOT NULL
    GROUP BY m.line, m.lane
    ORDER BY m.lane
  )
  INSERT INTO mainspring.history (
    {kept}, input, started_at, finished_at, duration, attempt, state, failures, losses, token, session, reason
  )
  SELECT
    {m.kept}, CASE WHEN m.forgotten THEN '\x00' ELSE m.input END, m.claimed_at + m.wait * interval '1 millisecond', p_now, m.duration, m.attempt, m.final,
    m.failures + m.failed, m.losses + m.lost, m.token, m.session, m.why
  FROM moved AS m;
  GET DIAGNOSTICS moved_count = ROW_COUNT;
  RETURN moved_count;
END $$;

-- Put runs back into their line, or let them wait, without an owner. A run that has been started has its deadline in the column,
-- where until then the instant by which it had to start may have stood. The wait of one that has not been started is negative.
CREATE OR REPLACE FUNCTION mainspring.requeue_2(
  p_runs uuid[], p_tokens uuid[], p_states smallint[], p_due_at timestamptz[], p_reasons text[], p_failures smallint[],
  p_losses smallint[], p_deadlines timestamptz[], p_waits integer[]
) RETURNS bigint
LANGUAGE plpgsql
-- plan: nested
AS $$
DECLARE
  gated CONSTANT boolean := EXISTS (SELECT FROM mainspring.gates);
  laned CONSTANT boolean := EXISTS (SELECT FROM mainspring.lanes);
  moved_count bigint;
BEGIN
  WITH moved AS (
    UPDATE mainspring.runs AS r
    SET state = e.state, token = NULL, session = NULL, claimed_at = NULL, due_at = coalesce(e.due_at, r.due_at),
        reason = e.reason, failures = r.failures + e.failures, losses = r.losses + e.losses, deadline_at = e.deadline_at,
        first_started_at = coalesce(
          r.first_started_at, CASE WHEN e.wait >= 0 THEN r.claimed_at + e.wait * interval '1 millisecond' END
        )
    FROM unnest(p_runs, p_tokens, p_states, p_due_at, p_reasons, p_failures, p_losses, p_deadlines, p_waits)
      AS e(id, token, state, due_at, reason, failures, losses, deadline_at, wait)
    WHERE r.id = e.id AND r.token = e.token
    RETURNING r.line, r.priority, r.lane
  ), freed AS (
    INSERT INTO mainspring.exits (gate, ended)
    SELECT g.gate, sum(c.ended)
    FROM (SELECT m.line, count(*) AS ended FROM moved AS m WHERE gated GROUP BY m.line) AS c
    JOIN mainspring.gate_lines AS g ON g.line = c.line
    GROUP BY g.gate
  ), turned AS (
    INSERT INTO mainspring.turns (line, priority, turn, lane)
    SELECT m.line, max(m.priority), coalesce(
        nullif((SELECT l.pass FROM mainspring.lanes AS l WHERE l.id = m.lane), 0),
        1  -- before the others: it has waited longest
      ), m.lane
    FROM moved AS m
    WHERE laned AND m.lane IS NOT NULL
    GROUP BY m.line, m.lane
    ORDER BY m.lane
  )
  SELECT count(*) INTO moved_count FROM moved;
  RETURN moved_count;
END $$;

-- Settle a run as succeeded in the transaction of its handler: the handler's writes and the success commit together.
CREATE OR REPLACE FUNCTION mainspring.settle(run uuid, token uuid, result json DEFAULT 'null') RETURNS uuid
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  forgetful CONSTANT integer[] := ARRAY(SELECT j.id FROM mainspring.jobs AS j WHERE j.forgets > 0);
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
    DELETE FROM mainspring.runs AS r WHERE r.id = settle.run AND r.token = settle.token
    RETURNING r.*, r.job = ANY (forgetful) AND coalesce(r.extra, '') NOT LIKE '{"workflow"%' AS forgotten
  ), noted AS (
    INSERT INTO mainspring.forgotten (runs)
    SELECT array_agg(m.id) FROM moved AS m WHERE m.forgotten AND m.input = '' HAVING count(*) > 0
  ), freed AS (
    INSERT INTO mainspring.exits (gate, ended)
    SELECT g.gate, 1 FROM moved AS m JOIN mainspring.gate_lines AS g ON g.line = m.line
  ), turned AS (
    INSERT INTO mainspring.turns (line, priority, turn, lane)
    SELECT m.line, m.priority, coalesce(
        nullif((SELECT l.pass FROM mainspring.lanes AS l WHERE l.id = m.lane), 0),
        floor(extract(epoch FROM settled_at) * 1000000)::bigint
      ), m.lane
    FROM moved AS m
    WHERE m.lane IS NOT NULL
  )
  INSERT INTO mainspring.history (
    {kept}, input, started_at, finished_at, duration, attempt, state, failures, losses, token, session, result
  )
  SELECT
    {m.kept}, CASE WHEN m.forgotten THEN '\x00' ELSE m.input END, m.claimed_at, settled_at, greatest(extract(epoch FROM settled_at - m.claimed_at) * 1000000, 0)::bigint,
    m.attempt, 3, m.failures, m.losses, m.token, m.session,
    CASE WHEN NOT m.forgotten THEN convert_to(settle.result::text, 'UTF8') END
  FROM moved AS m;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'this attempt does not own run % any more', settle.run USING ERRCODE = 'MSLST';
  END IF;
  RETURN settle.run;
END $$;
REVOKE ALL ON FUNCTION mainspring.settle FROM PUBLIC;
