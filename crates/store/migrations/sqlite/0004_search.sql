-- Texts now hold what `search` looks at, too: they are written anew.
DROP TRIGGER texts_removed;
INSERT INTO texts_trigrams (texts_trigrams) VALUES ('delete-all');
DELETE FROM texts;
DELETE FROM indexed;
CREATE TRIGGER texts_removed AFTER DELETE ON texts BEGIN
  INSERT INTO texts_trigrams (texts_trigrams, rowid, text) VALUES ('delete', old.rid, old.text);
END;

-- Records whose text has changed though they have not.
CREATE TABLE texts_due (
  workspace_id BLOB NOT NULL,
  collection TEXT NOT NULL,
  record BLOB NOT NULL,
  PRIMARY KEY (workspace_id, collection, record)
) STRICT, WITHOUT ROWID;

-- Events that belong to the timeline of a record besides their own.
CREATE TABLE event_subjects (
  workspace_id BLOB NOT NULL,
  record_id BLOB NOT NULL,
  place INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, record_id, place)
) STRICT, WITHOUT ROWID;
