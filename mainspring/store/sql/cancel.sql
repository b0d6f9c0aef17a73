-- forget_payload
-- Delete the payload of a run whose input is about to be replaced.
DELETE FROM mainspring.payloads WHERE run = :run

-- take_up
-- Put a run that waits for an operator back into its line.
UPDATE mainspring.runs SET state = 1, reason = NULL, due_at = :now, input = coalesce(:input, input)
WHERE id = :id
RETURNING line
