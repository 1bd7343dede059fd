-- Who deals with a conversation, until when it is out of the inbox, and when it last came to its top. `snooze_job` ends
-- the snooze.
ALTER TABLE conversations ADD COLUMN assigned_to BLOB;
ALTER TABLE conversations ADD COLUMN snoozed_until INTEGER;
ALTER TABLE conversations ADD COLUMN snooze_job BLOB;
ALTER TABLE conversations ADD COLUMN active_at INTEGER;
UPDATE conversations SET active_at = last_message_at;
CREATE INDEX conversations_active_at ON conversations (workspace_id, active_at, id) WHERE active_at IS NOT NULL;
CREATE INDEX conversations_status_active_at ON conversations (workspace_id, status, active_at, id);
CREATE INDEX conversations_assigned_to_status_active_at ON conversations (workspace_id, assigned_to, status, active_at, id) WHERE assigned_to IS NOT NULL;
CREATE INDEX conversations_snoozed_until ON conversations (workspace_id, snoozed_until, id) WHERE snoozed_until IS NOT NULL;

-- The messages that a member has not read. `unread_count` of conversations has those that nobody has read.
CREATE TABLE conversation_unread (
  workspace_id BLOB NOT NULL,
  user_id BLOB NOT NULL,
  conversation_id BLOB NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, user_id, conversation_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX conversation_unread_conversation_id ON conversation_unread (workspace_id, conversation_id);
INSERT INTO conversation_unread (workspace_id, user_id, conversation_id, n)
  SELECT c.workspace_id, m.user_id, c.id, c.unread_count FROM conversations c JOIN members m ON m.workspace_id = c.workspace_id
  WHERE c.unread_count > 0;
DROP INDEX conversations_unread_count;

-- The text of messages, for searches. It is apart from `texts` because it is much longer, so that searches for other
-- records stay fast.
CREATE TABLE message_texts (
  rid INTEGER NOT NULL PRIMARY KEY,
  workspace_id BLOB NOT NULL,
  collection TEXT NOT NULL,
  record BLOB NOT NULL,
  text TEXT NOT NULL,
  likeness TEXT
) STRICT;
CREATE UNIQUE INDEX message_texts_record ON message_texts (workspace_id, collection, record);
CREATE VIRTUAL TABLE message_texts_trigrams USING fts5 (
  text, content = 'message_texts', content_rowid = 'rid', tokenize = 'trigram case_sensitive 1', detail = 'none'
);
CREATE TRIGGER message_texts_added AFTER INSERT ON message_texts BEGIN
  INSERT INTO message_texts_trigrams (rowid, text) VALUES (new.rid, new.text);
END;
CREATE TRIGGER message_texts_changed AFTER UPDATE OF text ON message_texts BEGIN
  INSERT INTO message_texts_trigrams (message_texts_trigrams, rowid, text) VALUES ('delete', old.rid, old.text);
  INSERT INTO message_texts_trigrams (rowid, text) VALUES (new.rid, new.text);
END;
CREATE TRIGGER message_texts_removed AFTER DELETE ON message_texts BEGIN
  INSERT INTO message_texts_trigrams (message_texts_trigrams, rowid, text) VALUES ('delete', old.rid, old.text);
END;
CREATE INDEX messages_updated_at ON messages (workspace_id, updated_at, id);
