-- An id that went into another goes on working as that one.
CREATE TABLE merged_ids (
  workspace_id BLOB NOT NULL,
  old_id BLOB NOT NULL,
  new_id BLOB NOT NULL,
  PRIMARY KEY (workspace_id, old_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX merged_ids_new ON merged_ids (workspace_id, new_id, old_id);

-- What a merge did, so that it can be undone.
CREATE TABLE merges (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  collection TEXT NOT NULL,
  into_id BLOB NOT NULL,
  kept TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  undone_at INTEGER,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX merges_into ON merges (workspace_id, into_id, id);

-- What records that may be the same have in common, beside their addresses.
ALTER TABLE texts ADD COLUMN likeness TEXT;
CREATE INDEX texts_likeness ON texts (workspace_id, collection, likeness, record) WHERE likeness IS NOT NULL;
