-- read_in_order
-- Have the next statement of the transaction read by an index in its order, and stop when it has a page: without
-- statistics the planner would rather gather all that matches, which may be everything, and sort it.
SET LOCAL enable_sort = off;
SET LOCAL enable_bitmapscan = off;
SET LOCAL enable_seqscan = off
