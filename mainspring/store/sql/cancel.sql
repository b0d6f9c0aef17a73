-- take_up
-- Put a run that waits for an operator back into its line.
UPDATE mainspring.runs SET state = 1, reason = NULL, due_at = :now, input = coalesce(:input, input)
WHERE id = :id
RETURNING line
