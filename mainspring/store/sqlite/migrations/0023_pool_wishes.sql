-- The sizes that operators want pools to have, by the executor's name, so that they outlive its restarts.
CREATE TABLE pool_wishes (
  namespace TEXT NOT NULL,
  executor TEXT NOT NULL,
  pool TEXT NOT NULL,
  core INTEGER NOT NULL,
  max INTEGER NOT NULL,
  queue INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (namespace, executor, pool)
) WITHOUT ROWID;
