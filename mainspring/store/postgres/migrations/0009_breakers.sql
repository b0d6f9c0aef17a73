-- Circuit breakers. A breaker's row is written only over the revision that was decided from; its gate has the same id.
CREATE TABLE mainspring.breakers (
  id bigint PRIMARY KEY,
  namespace text NOT NULL,
  name text NOT NULL,
  spec bytea NOT NULL,
  state text NOT NULL,
  epoch bigint NOT NULL,
  revision bigint NOT NULL,
  since_at timestamptz NOT NULL,
  until timestamptz,
  streak integer NOT NULL,
  wave integer NOT NULL,
  rate_before integer NOT NULL,
  was text NOT NULL,
  reason text NOT NULL,
  author text NOT NULL
) WITH (fillfactor = 50);
-- What the calls of each executor came to, in parts of a breaker's window.
CREATE TABLE mainspring.breaker_calls (
  breaker bigint NOT NULL,
  epoch bigint NOT NULL,
  at timestamptz NOT NULL,
  executor text NOT NULL,
  calls integer NOT NULL,
  failures integer NOT NULL,
  slow integer NOT NULL,
  ignored integer NOT NULL,
  retry_at timestamptz,
  PRIMARY KEY (breaker, epoch, at, executor)
) WITH (fillfactor = 50);
-- Every change of state, with the numbers that it was decided by.
CREATE TABLE mainspring.breaker_history (
  breaker bigint NOT NULL,
  epoch bigint NOT NULL,
  at timestamptz NOT NULL,
  was text NOT NULL,
  state text NOT NULL,
  until timestamptz,
  calls integer NOT NULL,
  failures integer NOT NULL,
  slow integer NOT NULL,
  reason text NOT NULL,
  author text NOT NULL,
  PRIMARY KEY (breaker, epoch)
);
