-- delete_calendar_versions
-- Delete the versions of the calendars of a namespace,
DELETE FROM calendar_versions WHERE calendar IN (SELECT id FROM calendars WHERE namespace = :name)

-- delete_calendars
-- and those themselves: another namespace of that name begins anew.
DELETE FROM calendars WHERE namespace = :name
