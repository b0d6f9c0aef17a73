-- When the rule of a trigger was changed last; null: it is not known, or it never was.
ALTER TABLE triggers ADD COLUMN ruled_at INTEGER;
