-- Whose set of definitions a calendar was applied from, and the version that this made; empty and 0: none.
ALTER TABLE mainspring.calendars
  ADD COLUMN owner text NOT NULL DEFAULT '',
  ADD COLUMN applied integer NOT NULL DEFAULT 0;
