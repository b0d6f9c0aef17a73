-- Channel A: what each committed transaction did to runs and sessions, kept by triggers, whoever wrote it.

CREATE SCHEMA chaos;

CREATE TABLE chaos.events (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  kind text NOT NULL,
  id uuid NOT NULL,
  before smallint,
  state smallint NOT NULL,
  attempt integer,
  failures smallint,
  losses smallint,
  token uuid,
  session uuid,
  reason text,
  due_at timestamptz,
  instant timestamptz,
  wish boolean,
  job integer,
  line integer,
  executor text,
  lease_until timestamptz
);
CREATE INDEX events_claims ON chaos.events (id) WHERE kind = 'run' AND state = 2;

CREATE FUNCTION chaos.note_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.state, NEW.attempt, NEW.token, NEW.due_at, NEW.reason, NEW.cancel_reason)
    IS NOT DISTINCT FROM (OLD.state, OLD.attempt, OLD.token, OLD.due_at, OLD.reason, OLD.cancel_reason) THEN
    RETURN NULL;
  END IF;
  -- What comes out of a bundle as it went in is no change: its claim was noted when the bundle was made.
  IF TG_OP = 'INSERT' AND NEW.state = 2 AND EXISTS (
    SELECT FROM chaos.events AS e
    WHERE e.kind = 'run' AND e.state = 2 AND e.id = NEW.id
      AND (e.attempt, e.failures, e.losses, e.token, e.session, e.reason, e.due_at, e.instant, e.wish)
        IS NOT DISTINCT FROM (NEW.attempt, NEW.failures, NEW.losses, NEW.token, NEW.session, NEW.reason, NEW.due_at,
          NEW.claimed_at, NEW.cancel_reason IS NOT NULL)
  ) THEN
    RETURN NULL;
  END IF;
  INSERT INTO chaos.events (
    kind, id, before, state, attempt, failures, losses, token, session, reason, due_at, instant, wish, job, line
  ) VALUES (
    'run', NEW.id, CASE TG_OP WHEN 'UPDATE' THEN OLD.state END, NEW.state, NEW.attempt, NEW.failures, NEW.losses,
    NEW.token, NEW.session, NEW.reason, NEW.due_at,
    CASE WHEN NEW.state = 2 THEN NEW.claimed_at WHEN TG_OP = 'INSERT' THEN NEW.created_at END,
    NEW.cancel_reason IS NOT NULL, NEW.job, NEW.line
  );
  RETURN NULL;
END $$;

CREATE FUNCTION chaos.note_bundle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chaos.events (
    kind, id, before, state, attempt, failures, losses, token, session, reason, due_at, instant, wish, job, line
  )
  SELECT
    'run', r.id, r.state, 2, r.attempt + 1, r.failures, r.losses, NEW.token, NEW.session, r.reason, r.due_at,
    NEW.claimed_at, r.cancel_reason IS NOT NULL, r.job, r.line
  FROM unnest(NEW.held) AS r;
  RETURN NULL;
END $$;

CREATE FUNCTION chaos.note_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chaos.events (
    kind, id, before, state, attempt, failures, losses, token, session, reason, due_at, instant, wish, job, line
  ) VALUES (
    'run', NEW.id, 7, NEW.state, NEW.attempt, NEW.failures, NEW.losses, NEW.token, NEW.session, NEW.reason, NEW.due_at,
    NEW.finished_at, false, NEW.job, NEW.line
  );
  RETURN NULL;
END $$;

CREATE FUNCTION chaos.note_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chaos.events (kind, id, state, executor, lease_until)
  VALUES ('session', NEW.id, NEW.state, NEW.executor, NEW.lease_until);
  RETURN NULL;
END $$;

-- A breaker, by its gate: whoever turns one waits there for claims under way, and claims wait there for it.
CREATE FUNCTION chaos.note_breaker() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO chaos.events (kind, id, state, executor)
  VALUES (
    'breaker', '00000000-0000-0000-0000-000000000000',
    CASE WHEN NEW.at_once = 0 THEN 1 WHEN NEW.at_once > 0 THEN 2 ELSE 0 END, NEW.name
  );
  RETURN NULL;
END $$;

CREATE TRIGGER chaos_runs AFTER INSERT OR UPDATE ON mainspring.runs
FOR EACH ROW EXECUTE FUNCTION chaos.note_run();

CREATE TRIGGER chaos_bundles AFTER INSERT ON mainspring.bundles
FOR EACH ROW EXECUTE FUNCTION chaos.note_bundle();

CREATE TRIGGER chaos_history AFTER INSERT ON mainspring.history
FOR EACH ROW EXECUTE FUNCTION chaos.note_history();

CREATE TRIGGER chaos_sessions AFTER INSERT OR UPDATE ON mainspring.sessions
FOR EACH ROW EXECUTE FUNCTION chaos.note_session();

CREATE TRIGGER chaos_breakers AFTER INSERT OR UPDATE OF at_once ON mainspring.gates
FOR EACH ROW WHEN (NEW.scope = 'breaker') EXECUTE FUNCTION chaos.note_breaker();
