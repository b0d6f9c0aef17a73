-- A job with policies, or one that was paused, has lines of its own: what concerns the job alone is a property of its lines.
CREATE TABLE lines_with_jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL,
  queue TEXT NOT NULL,
  handler TEXT NOT NULL,
  address TEXT NOT NULL,
  job TEXT NOT NULL DEFAULT '',  -- empty: any job of the handler
  UNIQUE (namespace, queue, handler, address, job)
);
INSERT INTO lines_with_jobs (id, namespace, queue, handler, address)
SELECT id, namespace, queue, handler, address FROM lines;
DROP TABLE lines;
ALTER TABLE lines_with_jobs RENAME TO lines;

ALTER TABLE jobs ADD COLUMN own_line INTEGER NOT NULL DEFAULT 0;  -- never taken back: an empty line costs nothing
ALTER TABLE jobs ADD COLUMN paused_at INTEGER;
ALTER TABLE jobs ADD COLUMN paused_by TEXT;
ALTER TABLE jobs ADD COLUMN pause_reason TEXT;
