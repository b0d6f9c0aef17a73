-- delete_limit_rule
-- Take a limit away.
DELETE FROM mainspring.limits AS l
WHERE l.namespace = :namespace AND l.scope = :scope AND l.name = :name
RETURNING revision

-- add_gate
-- Make a gate, or give it newer numbers; a breaker's bucket is full again with each change of it.
INSERT INTO mainspring.gates AS g (id, namespace, scope, name, at_once, gap, burst, revision)
VALUES (:id, :namespace, :scope, :name, :at_once, :gap, :burst, :revision)
ON CONFLICT (id) DO UPDATE
SET at_once = excluded.at_once, gap = excluded.gap, burst = excluded.burst, revision = excluded.revision,
  full_at = CASE WHEN excluded.scope = 'breaker' THEN 0 ELSE g.full_at END
WHERE g.revision < excluded.revision

-- renew_gate
-- Give a gate newer numbers, if it is there.
UPDATE mainspring.gates AS g
SET at_once = :at_once, gap = :gap, burst = :burst, revision = :revision, name = :name, scope = :scope, namespace = :namespace
WHERE g.id = :id AND g.revision < :revision

-- all_gate_lines
-- The gates of every line.
SELECT l.line, l.gate FROM mainspring.gate_lines AS l
