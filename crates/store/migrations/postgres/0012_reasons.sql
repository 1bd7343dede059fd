-- How much of what every workspace starts with it has been given.
ALTER TABLE heads ADD COLUMN furnished BIGINT NOT NULL DEFAULT 0;

CREATE TABLE reasons (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  removed_at BIGINT,
  PRIMARY KEY (workspace_id, id)
);
