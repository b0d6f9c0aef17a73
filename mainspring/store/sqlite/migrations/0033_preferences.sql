-- What people and tokens chose for the console, as JSON.
CREATE TABLE preferences (
  owner TEXT NOT NULL PRIMARY KEY,
  chosen TEXT NOT NULL
) WITHOUT ROWID;
