-- set_lane_full
-- Have the bucket of a lane be full again at another instant.
UPDATE mainspring.lanes AS l SET full_at = :full, used_at = :now WHERE l.id = :lane

-- set_lane_quiet
-- Note which run of a lane waits for quiet.
UPDATE mainspring.lanes AS l SET pending = :pending, first_at = :first_at, used_at = :now WHERE l.id = :lane

-- put_off
-- Have a queued run be due later.
UPDATE mainspring.runs AS r SET due_at = :due_at WHERE r.id = :run AND r.state = 1
