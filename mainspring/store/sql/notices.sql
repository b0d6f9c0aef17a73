-- channels_unsent
-- Channels that have notices to send.
SELECT DISTINCT n.namespace, n.channel FROM mainspring.notices AS n WHERE n.state IN ('waiting', 'sending')

-- lock_unsent
-- Lock the notices of a channel that are not sent yet, oldest first.
SELECT n.id, n.namespace, n.channel, n.kind, n.topic, n.alerts, n.state, n.tries, n.next_at, n.made_at, n.sent_at, n.answer, n.token
FROM mainspring.notices AS n
WHERE n.namespace = :namespace AND n.channel = :channel AND n.state IN ('waiting', 'sending')
ORDER BY n.made_at, n.id
LIMIT :limit
FOR UPDATE SKIP LOCKED

-- lock_notice_to_join
-- Lock a notice of this kind and topic that nobody sends yet.
SELECT n.id, n.namespace, n.channel, n.kind, n.topic, n.alerts, n.state, n.tries, n.next_at, n.made_at, n.sent_at, n.answer, n.token
FROM mainspring.notices AS n
WHERE n.namespace = :namespace AND n.channel = :channel AND n.state = 'waiting' AND n.tries = 0 AND n.kind = :kind
  AND n.topic = :topic
ORDER BY n.made_at, n.id
LIMIT 1
FOR UPDATE

-- last_notice
-- When the last notice of this kind and topic was made.
SELECT max(n.made_at) AS made_at
FROM mainspring.notices AS n
WHERE n.namespace = :namespace AND n.channel = :channel AND n.kind = :kind AND n.topic = :topic AND n.made_at > :since

-- add_notice
-- Write a notice.
INSERT INTO mainspring.notices (
  id, namespace, channel, kind, topic, alerts, state, tries, next_at, made_at, sent_at, answer, token
)
VALUES (
  :id, :namespace, :channel, :kind, :topic, :alerts, :state, :tries, :next_at, :made_at, :sent_at, :answer, :token
)

-- change_notice
-- Change a notice that is locked.
UPDATE mainspring.notices AS n
SET alerts = :alerts, state = :state, tries = :tries, next_at = :next_at, sent_at = :sent_at, answer = :answer, token = :token
WHERE n.id = :id

-- settle_notice
-- Write how a try ended, unless another server has taken the notice over.
UPDATE mainspring.notices AS n
SET state = :state, tries = :tries, next_at = :next_at, sent_at = :sent_at, answer = :answer, token = NULL
WHERE n.id = :id AND n.token = :was AND n.state = 'sending'

-- sent_lately
-- How many notices a channel was sent since an instant.
SELECT count(*) AS sent
FROM mainspring.notices AS n
WHERE n.namespace = :namespace AND n.channel = :channel AND n.state = 'sent' AND n.sent_at > :since
  AND n.made_at > :made_since

-- list_notices
-- The notices of a namespace, the newest first.
SELECT n.id, n.namespace, n.channel, n.kind, n.topic, n.alerts, n.state, n.tries, n.next_at, n.made_at, n.sent_at, n.answer, n.token
FROM mainspring.notices AS n
WHERE n.namespace = :namespace AND {conditions}
ORDER BY n.made_at DESC, n.id DESC
LIMIT :limit

-- failed_notices
-- For each channel that has taken nothing since a notice was given up, when the first and the last one of these was made.
SELECT n.namespace, n.channel, min(n.made_at) AS failed_at, max(n.made_at) AS last_failed_at
FROM mainspring.notices AS n
LEFT JOIN (
  SELECT t.namespace, t.channel, max(t.sent_at) AS sent_at
  FROM mainspring.notices AS t
  WHERE t.made_at > :since
  GROUP BY t.namespace, t.channel
) AS taken ON taken.namespace = n.namespace AND taken.channel = n.channel
WHERE n.made_at > :since AND n.state = 'failed' AND (taken.sent_at IS NULL OR n.made_at > taken.sent_at)
GROUP BY n.namespace, n.channel

-- count_waiting
-- How many notices of each channel are not sent yet.
SELECT n.namespace, n.channel, count(*) AS waiting
FROM mainspring.notices AS n
WHERE n.state IN ('waiting', 'sending')
GROUP BY n.namespace, n.channel

-- prune_notices
-- Forget notices that were made long ago.
DELETE FROM mainspring.notices AS n WHERE n.made_at < :before AND n.state NOT IN ('waiting', 'sending')
