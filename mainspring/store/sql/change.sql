-- change_run
-- Give a run that has not started another priority, due time or line.
UPDATE mainspring.runs AS r
SET priority = coalesce(:priority, r.priority), due_at = coalesce(:due_at, r.due_at), line = :line,
  state = CASE WHEN :stays::boolean THEN r.state ELSE 1 END, reason = CASE WHEN :stays::boolean THEN r.reason END
WHERE r.id = :run AND r.token IS NULL
