-- The commit that last changed the workspace's custom fields: cached definitions are valid only for this stamp.
ALTER TABLE heads ADD COLUMN fields_stamp BIGINT NOT NULL DEFAULT 0;
