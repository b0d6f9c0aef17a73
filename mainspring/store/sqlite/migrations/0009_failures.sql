-- When the first attempt of a run began. It stands behind the input and is read only when an attempt did not succeed.
ALTER TABLE runs ADD COLUMN first_started_at INTEGER;
