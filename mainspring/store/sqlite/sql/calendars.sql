-- add_calendar
-- See to it that a calendar has a row; without a version it counts as deleted.
INSERT INTO calendars (namespace, name, version, deleted) VALUES (:namespace, :name, 0, 1) ON CONFLICT DO NOTHING

-- hold_calendar
-- A calendar's row.
SELECT id, version, deleted FROM calendars WHERE namespace = :namespace AND name = :name

-- add_calendar_version
-- Keep a version of a calendar.
INSERT INTO calendar_versions (calendar, version, author, note, at, spec, computed)
VALUES (:calendar, :version, :author, :note, :at, :spec, :computed)

-- update_calendar
-- Let a version take effect.
UPDATE calendars SET version = :version, deleted = 0 WHERE id = :calendar

-- delete_calendar
-- Take a calendar away.
UPDATE calendars SET deleted = 1 WHERE id = :calendar

-- calendar_users
-- Names of triggers that use a calendar.
SELECT name FROM triggers
WHERE namespace = :namespace AND calendar = :calendar AND calendar <> ''
ORDER BY name LIMIT :limit

-- calendar_marks
-- The versions of all calendars.
SELECT namespace, name, version FROM calendars WHERE NOT deleted

-- get_calendar
-- The present version of a calendar.
SELECT c.namespace, c.name, v.version, v.author, v.note, v.at, v.spec, v.computed
FROM calendars AS c
JOIN calendar_versions AS v ON v.calendar = c.id AND v.version = c.version
WHERE c.namespace = :namespace AND c.name = :name AND NOT c.deleted

-- calendar_versions
-- The versions of a calendar, newest first, in front of a number.
SELECT c.namespace, c.name, v.version, v.author, v.note, v.at, v.spec, v.computed
FROM calendars AS c
JOIN calendar_versions AS v ON v.calendar = c.id
WHERE c.namespace = :namespace AND c.name = :name AND NOT c.deleted AND (:before IS NULL OR v.version < :before)
ORDER BY v.version DESC
LIMIT :limit

-- calendar_version
-- One version of a calendar.
SELECT c.namespace, c.name, v.version, v.author, v.note, v.at, v.spec, v.computed
FROM calendars AS c
JOIN calendar_versions AS v ON v.calendar = c.id AND v.version = :number
WHERE c.namespace = :namespace AND c.name = :name AND NOT c.deleted

-- list_calendars
-- A page of calendars by name.
SELECT c.namespace, c.name, v.version, v.author, v.note, v.at, v.spec, v.computed
FROM calendars AS c
JOIN calendar_versions AS v ON v.calendar = c.id AND v.version = c.version
WHERE c.namespace = :namespace AND c.name > :after AND NOT c.deleted
ORDER BY c.name
LIMIT :limit

-- delete_calendar_versions
-- Delete the versions of the calendars of a namespace,
DELETE FROM calendar_versions WHERE calendar IN (SELECT id FROM calendars WHERE namespace = :name)

-- delete_calendars
-- and those themselves: another namespace of that name begins anew.
DELETE FROM calendars WHERE namespace = :name
