-- An alert keeps the channels that were told of it, as a list in JSON: they are told of its end, whatever becomes of its rule.
ALTER TABLE alerts ADD COLUMN told BLOB NOT NULL DEFAULT x'5b5d';
