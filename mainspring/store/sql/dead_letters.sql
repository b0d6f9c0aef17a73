-- dead_letter
-- One dead run of a namespace, discarded or not.
SELECT d.run, d.failed_at, d.fingerprint, d.error, d.message, d.reason, j.name AS job, l.queue,
  d.discarded_at, d.discarded_by, d.discard_reason
FROM mainspring.dead AS d
JOIN mainspring.jobs AS j ON j.id = d.job
JOIN mainspring.lines AS l ON l.id = d.line
WHERE d.run = :run AND d.namespace = :namespace
