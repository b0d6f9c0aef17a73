-- The order of a queue's runs, as its operators want it: JSON of domain/queues/policy.py.
ALTER TABLE queues ADD COLUMN policy BLOB;
-- By deadline: only runs that have one cost anything.
CREATE INDEX runs_urgent ON runs (line, priority, deadline_at, id) WHERE state = 1 AND deadline_at IS NOT NULL;
