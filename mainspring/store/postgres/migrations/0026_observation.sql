-- The survey also keeps since when the longest attempt of a line has been under way.
ALTER TABLE mainspring.depths ADD COLUMN running_oldest_at timestamptz;
-- Runs that are enqueued in callers' own transactions carry their trace.
ALTER TYPE mainspring.call ADD ATTRIBUTE traceparent json;
