-- add_sweep
-- Add a sweep.
INSERT INTO mainspring.sweeps (id, namespace, live, version, body) VALUES (:id, :namespace, true, :version, :body)
ON CONFLICT (id) DO NOTHING

-- sweep
-- One sweep of a namespace.
SELECT s.id, s.body FROM mainspring.sweeps AS s WHERE s.id = :id AND s.namespace = :namespace

-- lock_sweep
-- Lock a sweep, unless it is another one by now.
SELECT true AS held FROM mainspring.sweeps AS s WHERE s.id = :id AND s.version = :version AND s.live FOR UPDATE

-- save_sweep
-- Store a sweep in place of the one before, by its version.
UPDATE mainspring.sweeps AS s SET live = :live, version = :version, body = :body WHERE s.id = :id AND s.version = :version - 1 AND s.live

-- prune_sweeps
-- Delete old sweeps that are over.
DELETE FROM mainspring.sweeps AS s WHERE NOT s.live AND s.id < :before
