-- The owner of the set that a workflow was applied with, empty if it was not, and the version that was applied last.
ALTER TABLE jobs ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE jobs ADD COLUMN applied INTEGER;
