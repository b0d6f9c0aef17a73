-- Whose set of definitions a calendar was applied from, and the version that this made; empty and 0: none.
ALTER TABLE calendars ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE calendars ADD COLUMN applied INTEGER NOT NULL DEFAULT 0;
