-- How much of what every workspace starts with it has been given.
ALTER TABLE heads ADD COLUMN furnished INTEGER NOT NULL DEFAULT 0;

CREATE TABLE reasons (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER,
  PRIMARY KEY (workspace_id, id)
) STRICT;
