-- Who may open a session again: the digest of a secret that its executor alone has, and of the token it came with.
ALTER TABLE sessions ADD COLUMN seal BLOB NOT NULL DEFAULT x'';
