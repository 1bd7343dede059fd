-- Who deals with a conversation, until when it is out of the inbox, and when it last came to its top. `snooze_job` ends
-- the snooze.
ALTER TABLE conversations ADD COLUMN assigned_to UUID;
ALTER TABLE conversations ADD COLUMN snoozed_until BIGINT;
ALTER TABLE conversations ADD COLUMN snooze_job UUID;
ALTER TABLE conversations ADD COLUMN active_at BIGINT;
UPDATE conversations SET active_at = last_message_at;
CREATE INDEX conversations_active_at ON conversations (workspace_id, active_at, id) WHERE active_at IS NOT NULL;
CREATE INDEX conversations_status_active_at ON conversations (workspace_id, status, active_at, id);
CREATE INDEX conversations_assigned_to_status_active_at ON conversations (workspace_id, assigned_to, status, active_at, id) WHERE assigned_to IS NOT NULL;
CREATE INDEX conversations_snoozed_until ON conversations (workspace_id, snoozed_until, id) WHERE snoozed_until IS NOT NULL;

-- The messages that a member has not read. `unread_count` of conversations has those that nobody has read.
CREATE TABLE conversation_unread (
  workspace_id UUID NOT NULL,
  user_id UUID NOT NULL,
  conversation_id UUID NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, user_id, conversation_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES members (workspace_id, user_id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX conversation_unread_conversation_id ON conversation_unread (workspace_id, conversation_id);
INSERT INTO conversation_unread (workspace_id, user_id, conversation_id, n)
  SELECT c.workspace_id, m.user_id, c.id, c.unread_count FROM conversations c JOIN members m ON m.workspace_id = c.workspace_id
  WHERE c.unread_count > 0;
DROP INDEX conversations_unread_count;

-- The text of messages, for searches. It is apart from `texts` because it is much longer, so that searches for other
-- records stay fast.
CREATE TABLE message_texts (
  workspace_id UUID NOT NULL,
  collection TEXT COLLATE "C" NOT NULL,
  record UUID NOT NULL,
  text TEXT COLLATE "C" NOT NULL,
  likeness TEXT COLLATE "C",
  PRIMARY KEY (workspace_id, collection, record)
);
CREATE INDEX message_texts_trigrams ON message_texts USING gin (text gin_trgm_ops);
CREATE INDEX messages_updated_at ON messages (workspace_id, updated_at, id);
