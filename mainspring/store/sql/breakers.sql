-- all_breakers
-- Every breaker.
SELECT b.id, b.namespace, b.name, b.spec, b.state, b.epoch, b.revision, b.since_at, b.until, b.streak, b.wave, b.rate_before,
  b.was, b.reason, b.author
FROM mainspring.breakers AS b

-- lock_breaker
-- Lock a breaker.
SELECT b.id, b.namespace, b.name, b.spec, b.state, b.epoch, b.revision, b.since_at, b.until, b.streak, b.wave, b.rate_before,
  b.was, b.reason, b.author
FROM mainspring.breakers AS b
WHERE b.id = :id FOR UPDATE

-- add_breaker
-- Make a breaker, unless there is one of this name.
INSERT INTO mainspring.breakers (
  id, namespace, name, spec, state, epoch, revision, since_at, until, streak, wave, rate_before, was, reason, author
)
VALUES (
  :id, :namespace, :name, :spec, :state, :epoch, :revision, :since, :until, :streak, :wave, :rate_before, :was, :reason, :author
)
ON CONFLICT (id) DO NOTHING

-- turn_breaker
-- Change a breaker, unless somebody else has changed it since.
UPDATE mainspring.breakers AS b
SET spec = :spec, state = :state, epoch = :epoch, revision = :revision, since_at = :since, until = :until, streak = :streak,
  wave = :wave, rate_before = :rate_before, was = :was, reason = :reason, author = :author
WHERE b.id = :id AND b.revision = :before

-- delete_breaker
-- Take a breaker away.
DELETE FROM mainspring.breakers AS b WHERE b.id = :id

-- delete_breaker_history
-- Forget the changes of a breaker up to an epoch.
DELETE FROM mainspring.breaker_history AS h WHERE h.breaker = :id AND h.epoch <= :epoch

-- add_breaker_change
-- Note a change of state.
INSERT INTO mainspring.breaker_history (breaker, epoch, at, was, state, until, calls, failures, slow, reason, author)
VALUES (:id, :epoch, :at, :was, :state, :until, :calls, :failures, :slow, :reason, :author)

-- breaker_changes
-- The changes of a breaker, newest first.
SELECT h.breaker, h.epoch, h.at, h.was, h.state, h.until, h.calls, h.failures, h.slow, h.reason, h.author
FROM mainspring.breaker_history AS h
WHERE h.breaker = :id
ORDER BY h.epoch DESC
LIMIT :limit

-- breaker_calls
-- What was counted in an epoch since an instant.
SELECT c.executor, c.at, c.calls, c.failures, c.slow, c.ignored, c.retry_at
FROM mainspring.breaker_calls AS c
WHERE c.breaker = :id AND c.epoch = :epoch AND c.at > :since

-- add_breaker_calls
-- Add calls to those of the same executor in the same part of a window.
INSERT INTO mainspring.breaker_calls AS c (breaker, epoch, at, executor, calls, failures, slow, ignored, retry_at)
VALUES (:id, :epoch, :at, :executor, :calls, :failures, :slow, :ignored, :retry_at)
ON CONFLICT (breaker, epoch, at, executor) DO UPDATE
SET calls = c.calls + excluded.calls, failures = c.failures + excluded.failures, slow = c.slow + excluded.slow,
  ignored = c.ignored + excluded.ignored, retry_at = coalesce(excluded.retry_at, c.retry_at)

-- drop_breaker_calls
-- Forget calls of other epochs, and those of before an instant.
DELETE FROM mainspring.breaker_calls AS c WHERE c.breaker = :id AND (c.epoch <> :epoch OR c.at <= :since)

-- delete_namespace_calls
-- Forget what the breakers of a namespace have counted.
DELETE FROM mainspring.breaker_calls AS c
WHERE c.breaker IN (SELECT b.id FROM mainspring.breakers AS b WHERE b.namespace = :name)

-- delete_namespace_changes
-- Forget the changes of the breakers of a namespace.
DELETE FROM mainspring.breaker_history AS h
WHERE h.breaker IN (SELECT b.id FROM mainspring.breakers AS b WHERE b.namespace = :name)

-- delete_namespace_breakers
-- Delete the breakers of a namespace.
DELETE FROM mainspring.breakers AS b WHERE b.namespace = :name
