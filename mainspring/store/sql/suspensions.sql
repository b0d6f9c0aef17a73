-- suspend_idle
-- Have a run wait that no session has.
UPDATE mainspring.runs SET state = 0, reason = 'suspended' WHERE id = :id AND token IS NULL

-- mark_suspending
-- Note on a running run that its handler is to yield.
UPDATE mainspring.runs SET reason = 'suspending' WHERE id = :id AND token IS NOT NULL
