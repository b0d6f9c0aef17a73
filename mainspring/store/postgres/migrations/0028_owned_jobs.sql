-- The owner of the set that a workflow was applied with, empty if it was not, and the version that was applied last.
ALTER TABLE mainspring.jobs ADD COLUMN owner text NOT NULL DEFAULT '';
ALTER TABLE mainspring.jobs ADD COLUMN applied integer;
