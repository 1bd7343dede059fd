-- Messages that are not sent yet, of one member. Without a conversation, conversation_id is the nil UUID.
CREATE TABLE message_drafts (
  workspace_id BLOB NOT NULL,
  user_id BLOB NOT NULL,
  id BLOB NOT NULL,
  contact_id BLOB NOT NULL,
  conversation_id BLOB NOT NULL,
  channel TEXT NOT NULL,
  members TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX message_drafts_place ON message_drafts (workspace_id, user_id, contact_id, conversation_id);
CREATE INDEX message_drafts_contact_id ON message_drafts (workspace_id, contact_id);
