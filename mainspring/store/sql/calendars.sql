-- add_calendar
-- See to it that a calendar has a row to lock; without a version it counts as deleted.
INSERT INTO mainspring.calendars (namespace, name, version, deleted) VALUES (:namespace, :name, 0, true) ON CONFLICT DO NOTHING

-- lock_calendar
-- Lock a calendar.
SELECT c.id, c.version, c.deleted FROM mainspring.calendars AS c WHERE c.namespace = :namespace AND c.name = :name FOR UPDATE

-- add_calendar_version
-- Keep a version of a calendar.
INSERT INTO mainspring.calendar_versions (calendar, version, author, note, at, spec, computed)
VALUES (:calendar, :version, :author, :note, :at, :spec, :computed)

-- update_calendar
-- Let a version take effect.
UPDATE mainspring.calendars AS c SET version = :version, deleted = false WHERE c.id = :calendar

-- own_calendar
-- Note whose set a calendar was applied from, and at which version.
UPDATE mainspring.calendars AS c SET owner = :owner, applied = :version WHERE c.id = :calendar

-- delete_calendar
-- Take a calendar away.
UPDATE mainspring.calendars AS c SET deleted = true, owner = '', applied = 0 WHERE c.id = :calendar

-- calendar_users
-- Names of triggers that use a calendar.
SELECT t.name FROM mainspring.triggers AS t
WHERE t.namespace = :namespace AND t.calendar = :calendar AND t.calendar <> ''
ORDER BY t.name LIMIT :limit

-- present_versions
-- The versions of all calendars.
SELECT c.namespace, c.name, c.version FROM mainspring.calendars AS c WHERE NOT c.deleted

-- get_calendar
-- The present version of a calendar.
SELECT c.namespace, c.name, c.owner, c.applied, v.version, v.author, v.note, v.at, v.spec, v.computed
FROM mainspring.calendars AS c
JOIN mainspring.calendar_versions AS v ON v.calendar = c.id AND v.version = c.version
WHERE c.namespace = :namespace AND c.name = :name AND NOT c.deleted

-- calendar_versions
-- The versions of a calendar, newest first, in front of a number.
SELECT c.namespace, c.name, c.owner, c.applied, v.version, v.author, v.note, v.at, v.spec, v.computed
FROM mainspring.calendars AS c
JOIN mainspring.calendar_versions AS v ON v.calendar = c.id
WHERE c.namespace = :namespace AND c.name = :name AND NOT c.deleted AND (:before::integer IS NULL OR v.version < :before)
ORDER BY v.version DESC
LIMIT :limit

-- calendar_version
-- One version of a calendar.
SELECT c.namespace, c.name, c.owner, c.applied, v.version, v.author, v.note, v.at, v.spec, v.computed
FROM mainspring.calendars AS c
JOIN mainspring.calendar_versions AS v ON v.calendar = c.id AND v.version = :number
WHERE c.namespace = :namespace AND c.name = :name AND NOT c.deleted

-- list_calendars
-- A page of calendars by name.
SELECT c.namespace, c.name, c.owner, c.applied, v.version, v.author, v.note, v.at, v.spec, v.computed
FROM mainspring.calendars AS c
JOIN mainspring.calendar_versions AS v ON v.calendar = c.id AND v.version = c.version
WHERE c.namespace = :namespace AND c.name > :after AND NOT c.deleted
ORDER BY c.name
LIMIT :limit
