-- What runs remember from attempt to attempt: a checkpoint (0), steps (1), effects (2).
CREATE TABLE mainspring.memories (
  run uuid NOT NULL,
  kind smallint NOT NULL,
  name text NOT NULL,
  attempt integer NOT NULL,
  turn bigint NOT NULL,
  at timestamptz NOT NULL,
  value bytea,
  PRIMARY KEY (run, kind, name)
) WITH (fillfactor = 70);

-- Why runs are set aside, and until when; the run's own row says whether it is.
CREATE TABLE mainspring.suspensions (
  run uuid PRIMARY KEY,
  reason text NOT NULL,
  resume_at timestamptz
);
CREATE INDEX suspensions_resume ON mainspring.suspensions (resume_at) WHERE resume_at IS NOT NULL;
CREATE INDEX runs_suspending ON mainspring.runs (session) WHERE state = 2 AND reason = 'suspending';

-- Settle a run as succeeded in the transaction of its handler: what that writes and the success come to pass together.
CREATE FUNCTION mainspring.settle(run uuid, token uuid, result json DEFAULT 'null') RETURNS uuid
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  settled_at CONSTANT timestamptz := clock_timestamp();
BEGIN
  IF octet_length(settle.result::text) > 1048576 THEN
    PERFORM mainspring.refuse(
      'result', 'result_too_large', octet_length(settle.result::text) || ' bytes are over the limit of 1048576'
    );
  END IF;
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
REVOKE ALL ON FUNCTION mainspring.settle FROM PUBLIC;
