-- Calendars, by version: a change makes a new one. One that was deleted keeps its row, so that numbers go on.
CREATE TABLE mainspring.calendars (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace text NOT NULL COLLATE "C",
  name text NOT NULL COLLATE "C",
  version integer NOT NULL,
  deleted boolean NOT NULL
);
CREATE UNIQUE INDEX calendars_name ON mainspring.calendars (namespace, name);

-- `computed` are the holidays of some years, as they were known when the version was made.
CREATE TABLE mainspring.calendar_versions (
  calendar integer NOT NULL REFERENCES mainspring.calendars (id),
  version integer NOT NULL,
  author text NOT NULL,
  note text NOT NULL,
  at timestamptz NOT NULL,
  spec bytea NOT NULL,
  computed bytea NOT NULL,
  PRIMARY KEY (calendar, version)
);
