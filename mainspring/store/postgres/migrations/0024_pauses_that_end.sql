-- When a pause ends by itself; null: by an operator's word alone.
ALTER TABLE mainspring.queues ADD COLUMN paused_until timestamptz;
