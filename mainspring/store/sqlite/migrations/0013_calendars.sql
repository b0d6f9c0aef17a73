-- Calendars, by version: a change makes a new one. One that was deleted keeps its row, so that numbers go on.
CREATE TABLE calendars (
  id INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  deleted INTEGER NOT NULL
);
CREATE UNIQUE INDEX calendars_name ON calendars (namespace, name);

-- `computed` are the holidays of some years, as they were known when the version was made.
CREATE TABLE calendar_versions (
  calendar INTEGER NOT NULL REFERENCES calendars (id),
  version INTEGER NOT NULL,
  author TEXT NOT NULL,
  note TEXT NOT NULL,
  at INTEGER NOT NULL,
  spec BLOB NOT NULL,
  computed BLOB NOT NULL,
  PRIMARY KEY (calendar, version)
) WITHOUT ROWID;
