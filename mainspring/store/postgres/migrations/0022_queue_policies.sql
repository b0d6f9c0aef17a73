-- The order of a queue's runs, as its operators want it: JSON of domain/queues/policy.py.
ALTER TABLE mainspring.queues ADD COLUMN policy bytea;
-- By deadline: only runs that have one cost anything.
CREATE INDEX runs_urgent ON mainspring.runs (line, priority, deadline_at, id) WHERE state = 1 AND deadline_at IS NOT NULL;
