-- An id that went into another goes on working as that one.
CREATE TABLE merged_ids (
  workspace_id UUID NOT NULL,
  old_id UUID NOT NULL,
  new_id UUID NOT NULL,
  PRIMARY KEY (workspace_id, old_id)
);
CREATE INDEX merged_ids_new ON merged_ids (workspace_id, new_id, old_id);

-- What a merge did, so that it can be undone.
CREATE TABLE merges (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  collection TEXT COLLATE "C" NOT NULL,
  into_id UUID NOT NULL,
  kept TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  undone_at BIGINT,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX merges_into ON merges (workspace_id, into_id, id);

-- What records that may be the same have in common, beside their addresses.
ALTER TABLE texts ADD COLUMN likeness TEXT COLLATE "C";
CREATE INDEX texts_likeness ON texts (workspace_id, collection, likeness, record) WHERE likeness IS NOT NULL;
