-- The survey also keeps since when the longest attempt of a line has been under way.
ALTER TABLE depths ADD COLUMN running_oldest_at INTEGER;
