-- Texts now hold what `search` looks at, too: they are written anew.
TRUNCATE texts;
DELETE FROM indexed;

-- Records whose text has changed though they have not.
CREATE TABLE texts_due (
  workspace_id UUID NOT NULL,
  collection TEXT COLLATE "C" NOT NULL,
  record UUID NOT NULL,
  PRIMARY KEY (workspace_id, collection, record)
);

-- Events that belong to the timeline of a record besides their own.
CREATE TABLE event_subjects (
  workspace_id UUID NOT NULL,
  record_id UUID NOT NULL,
  place BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, record_id, place)
);
