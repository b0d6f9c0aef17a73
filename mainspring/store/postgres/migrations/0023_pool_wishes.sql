-- The sizes that operators want pools to have, by the executor's name, so that they outlive its restarts.
CREATE TABLE mainspring.pool_wishes (
  namespace text NOT NULL,
  executor text NOT NULL,
  pool text NOT NULL,
  core integer NOT NULL,
  max integer NOT NULL,
  queue integer NOT NULL,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (namespace, executor, pool)
);
