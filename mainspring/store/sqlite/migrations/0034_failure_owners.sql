-- Who looks after a kind of failure, a person or a team, and who said so; empty: nobody does.
ALTER TABLE failure_notes ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE failure_notes ADD COLUMN owned_by TEXT NOT NULL DEFAULT '';
ALTER TABLE failure_notes ADD COLUMN owned_at INTEGER;
