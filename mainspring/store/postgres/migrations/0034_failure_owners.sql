-- Who looks after a kind of failure, a person or a team, and who said so; empty: nobody does.
ALTER TABLE mainspring.failure_notes
  ADD COLUMN owner text NOT NULL DEFAULT '',
  ADD COLUMN owned_by text NOT NULL DEFAULT '',
  ADD COLUMN owned_at timestamptz;
