-- Of a lane whose job is debounced: the run that waits for quiet, and when the first of those that it stands for came.
ALTER TABLE mainspring.lanes ADD COLUMN pending uuid, ADD COLUMN first_at timestamptz;
