-- Definitions by version: a change makes a new one, so that it can be looked up, compared and brought back.
-- `code` is what an executor's code said last; a job that was deleted keeps its row, for history names it.
ALTER TABLE mainspring.jobs
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  ADD COLUMN code bytea,
  ADD COLUMN deleted_at timestamptz;
UPDATE mainspring.jobs SET code = spec;

CREATE TABLE mainspring.job_versions (
  job integer NOT NULL REFERENCES mainspring.jobs (id),
  version integer NOT NULL,
  origin text NOT NULL,
  author text NOT NULL,
  code_version text NOT NULL,
  note text NOT NULL,
  at timestamptz NOT NULL,
  spec bytea NOT NULL,
  PRIMARY KEY (job, version)
);
INSERT INTO mainspring.job_versions (job, version, origin, author, code_version, note, at, spec)
SELECT j.id, j.version, 'code', '', '', '', j.updated_at, j.spec FROM mainspring.jobs AS j;

-- Executors that are to take nothing new, by name, so that it outlives their restarts.
CREATE TABLE mainspring.cordons (
  namespace text NOT NULL,
  executor text NOT NULL,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  reason text NOT NULL,
  drain_at timestamptz,
  grace double precision NOT NULL,
  PRIMARY KEY (namespace, executor)
);

-- `specs` leads from a job to the digest of what the session's code says of it; `load` comes with its last beat.
ALTER TABLE mainspring.sessions
  ADD COLUMN specs jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN load bytea;
CREATE INDEX sessions_executor ON mainspring.sessions (namespace, executor);
-- Each beat writes the row anew: what only a hello changes is kept beside it, and what comes with the beat within.
ALTER TABLE mainspring.sessions SET (toast_tuple_target = 256);
ALTER TABLE mainspring.sessions ALTER COLUMN load SET STORAGE PLAIN;

-- Extend the leases of those not dead, and keep what their beats said.
CREATE FUNCTION mainspring.renew_1(p_sessions uuid[], p_loads bytea[], p_lease_until timestamptz)
RETURNS SETOF uuid
LANGUAGE plpgsql
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_material = off
SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN QUERY
  UPDATE mainspring.sessions AS s
  SET lease_until = greatest(s.lease_until, p_lease_until), load = coalesce(b.load, s.load)
  FROM unnest(p_sessions, p_loads) AS b(id, load)
  WHERE s.id = b.id AND s.state <> 2
  RETURNING s.id;
END $$;
