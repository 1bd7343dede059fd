-- How many bytes of files a workspace keeps, and how many it may; without a limit of its own it has the installation's.
ALTER TABLE workspaces ADD COLUMN storage_used BIGINT NOT NULL DEFAULT 0;
ALTER TABLE workspaces ADD COLUMN storage_limit BIGINT;
UPDATE workspaces SET storage_used = CAST(coalesce((SELECT sum(size) FROM files f WHERE f.workspace_id = workspaces.id), 0)
  + coalesce((SELECT sum(size) FROM cvs c WHERE c.workspace_id = workspaces.id), 0)
  + coalesce((SELECT sum(size) FROM attachments a WHERE a.workspace_id = workspaces.id), 0)
  + coalesce((SELECT sum(size) FROM imports i WHERE i.workspace_id = workspaces.id AND i.blob IS NOT NULL), 0) AS BIGINT);

-- The request log kept the values of queries: names and addresses that were searched for.
UPDATE requests SET query = '';
-- Removed workspaces kept their names.
UPDATE workspaces SET name = 'removed' WHERE removed_at IS NOT NULL;
