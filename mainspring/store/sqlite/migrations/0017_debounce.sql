-- Of a lane whose job is debounced: the run that waits for quiet, and when the first of those that it stands for came.
ALTER TABLE lanes ADD COLUMN pending BLOB;
ALTER TABLE lanes ADD COLUMN first_at INTEGER;
