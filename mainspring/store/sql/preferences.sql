-- preferences
-- What somebody chose for the console.
SELECT p.owner, p.chosen FROM mainspring.preferences AS p WHERE p.owner = :owner

-- set_preferences
-- Keep what somebody chose.
INSERT INTO mainspring.preferences (owner, chosen) VALUES (:owner, :chosen)
ON CONFLICT (owner) DO UPDATE SET chosen = excluded.chosen

-- delete_preferences
-- Take away what a user chose who is gone.
DELETE FROM mainspring.preferences AS p WHERE p.owner = :owner
