-- saved_views
-- The views of an owner, and those that are shared.
SELECT v.namespace, v.owner, v.name, v.query, v.author, v.updated_at
FROM mainspring.saved_views AS v
WHERE v.namespace = :namespace AND v.owner IN (:owner, '')

-- other_saved_views
-- How many views an owner has beside the one of a name.
SELECT count(*) AS count
FROM mainspring.saved_views AS v
WHERE v.namespace = :namespace AND v.owner = :owner AND v.name <> :name

-- save_view
-- Add a view, or replace the one of that name and owner.
INSERT INTO mainspring.saved_views (namespace, owner, name, query, author, updated_at)
VALUES (:namespace, :owner, :name, :query, :author, :updated_at)
ON CONFLICT (namespace, owner, name) DO UPDATE
SET query = excluded.query, author = excluded.author, updated_at = excluded.updated_at

-- delete_saved_view
-- Take a view away.
DELETE FROM mainspring.saved_views AS v WHERE v.namespace = :namespace AND v.owner = :owner AND v.name = :name

-- delete_namespace_views
-- Take away all views of a namespace.
DELETE FROM mainspring.saved_views AS v WHERE v.namespace = :name

-- delete_views_of_owner
-- Take away the views of an owner that is gone.
DELETE FROM mainspring.saved_views AS v WHERE v.owner = :owner
