-- An alert keeps the channels that were told of it, as a list in JSON: they are told of its end, whatever becomes of its rule.
ALTER TABLE mainspring.alerts ADD COLUMN told bytea NOT NULL DEFAULT '[]';
