-- changed_users
-- Users that were changed after a version.
SELECT u.id, u.name, u.display_name, u.password, u.subject, u.roles, u.created_by, u.created_at, u.password_at, u.disabled_at
FROM mainspring.users AS u
WHERE u.version > :since

-- user
-- One user by name.
SELECT u.id, u.name, u.display_name, u.password, u.subject, u.roles, u.created_by, u.created_at, u.password_at, u.disabled_at
FROM mainspring.users AS u
WHERE u.name = :name

-- user_by_id
-- One user by id.
SELECT u.id, u.name, u.display_name, u.password, u.subject, u.roles, u.created_by, u.created_at, u.password_at, u.disabled_at
FROM mainspring.users AS u
WHERE u.id = :id

-- user_by_subject
-- The user who signs in elsewhere under that subject.
SELECT u.id, u.name, u.display_name, u.password, u.subject, u.roles, u.created_by, u.created_at, u.password_at, u.disabled_at
FROM mainspring.users AS u
WHERE u.subject = :subject AND u.subject <> ''

-- list_users
-- Users by name, after one.
SELECT u.id, u.name, u.display_name, u.password, u.subject, u.roles, u.created_by, u.created_at, u.password_at, u.disabled_at
FROM mainspring.users AS u
WHERE u.name > :after
ORDER BY u.name
LIMIT :limit

-- has_users
-- Whether there is any.
SELECT EXISTS (SELECT 1 FROM mainspring.users) AS held

-- all_users
-- Every user, to see who rules.
SELECT u.id, u.name, u.display_name, u.password, u.subject, u.roles, u.created_by, u.created_at, u.password_at, u.disabled_at
FROM mainspring.users AS u

-- add_user
-- Add a user, unless the name is taken.
INSERT INTO mainspring.users
  (id, name, display_name, password, subject, roles, created_by, created_at, password_at, disabled_at, version)
VALUES
  (:id, :name, :display_name, :password, :subject, :roles, :created_by, :created_at, :password_at, :disabled_at, :version)
ON CONFLICT DO NOTHING

-- change_user
-- Write a user's fields anew.
UPDATE mainspring.users AS u
SET display_name = :display_name, roles = :roles, disabled_at = :disabled_at, version = :version
WHERE u.id = :id

-- set_password
-- Give a user another password.
UPDATE mainspring.users AS u SET password = :password, password_at = :now, version = :version WHERE u.id = :id

-- rehash
-- Keep the same password under stronger parameters, unless it was changed meanwhile.
UPDATE mainspring.users AS u SET password = :password WHERE u.id = :id AND u.password = :old

-- delete_user
-- Delete a user.
DELETE FROM mainspring.users AS u WHERE u.id = :id

-- add_invitation
-- Keep the hash of a link.
INSERT INTO mainspring.invitations (digest, person, created_by, expires_at)
VALUES (:digest, :person, :created_by, :expires_at)

-- invitation
-- A link that is still good.
SELECT i.digest, i.person, i.created_by, i.expires_at FROM mainspring.invitations AS i
WHERE i.digest = :digest AND i.expires_at > :now

-- delete_invitations
-- End the links of a user.
DELETE FROM mainspring.invitations AS i WHERE i.person = :person

-- forget_invitations
-- Delete links that have been dead for long.
DELETE FROM mainspring.invitations AS i WHERE i.expires_at < :before

-- changed_sign_ins
-- Sign-ins that were changed after a version.
SELECT s.id, s.digest, s.person, s.token, s.address, s.browser, s.created_at, s.expires_at, s.seen_at, s.ended_at
FROM mainspring.sign_ins AS s
WHERE s.version > :since

-- sign_in
-- One sign-in.
SELECT s.id, s.digest, s.person, s.token, s.address, s.browser, s.created_at, s.expires_at, s.seen_at, s.ended_at
FROM mainspring.sign_ins AS s
WHERE s.id = :id

-- sign_ins_of
-- The latest sign-ins of a user.
SELECT s.id, s.digest, s.person, s.token, s.address, s.browser, s.created_at, s.expires_at, s.seen_at, s.ended_at
FROM mainspring.sign_ins AS s
WHERE s.person = :person
ORDER BY s.created_at DESC
LIMIT :limit

-- add_sign_in
-- Keep the hash of a sign-in's secret.
INSERT INTO mainspring.sign_ins (id, digest, person, token, address, browser, created_at, expires_at, seen_at, version)
VALUES (:id, :digest, :person, :token, :address, :browser, :created_at, :expires_at, :seen_at, :version)

-- end_sign_in
-- End one sign-in.
UPDATE mainspring.sign_ins AS s SET ended_at = :now, version = :version WHERE s.id = :id AND s.ended_at IS NULL

-- end_sign_ins_of
-- End the sign-ins of a user but one.
UPDATE mainspring.sign_ins AS s SET ended_at = :now, version = :version
WHERE s.person = :person AND s.id <> :but AND s.ended_at IS NULL

-- note_seen
-- Keep when a sign-in was used last.
UPDATE mainspring.sign_ins AS s SET seen_at = :at WHERE s.id = :id AND s.seen_at < :at

-- forget_sign_ins
-- Delete sign-ins that have been dead for long.
DELETE FROM mainspring.sign_ins AS s WHERE s.ended_at < :before OR s.expires_at < :before

-- begin_tries
-- Make the row of a name or an address that nobody has tried yet.
INSERT INTO mainspring.sign_in_tries (key, fails, last_at) VALUES (:key, 0, :now) ON CONFLICT DO NOTHING

-- tries
-- Lock the tries of a name or an address.
SELECT t.key, t.fails, t.last_at, t.blocked_until FROM mainspring.sign_in_tries AS t WHERE t.key = :key FOR UPDATE

-- count_tries
-- Write the tries of a name or an address.
UPDATE mainspring.sign_in_tries AS t SET fails = :fails, last_at = :last_at, blocked_until = :blocked_until WHERE t.key = :key

-- forgive_tries
-- Forget the tries of a name or an address.
DELETE FROM mainspring.sign_in_tries AS t WHERE t.key = :key

-- forget_tries
-- Forget tries that were long ago.
DELETE FROM mainspring.sign_in_tries AS t WHERE t.last_at < :before
