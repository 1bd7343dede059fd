-- Messages that are not sent yet, of one member. Without a conversation, conversation_id is the nil UUID.
CREATE TABLE message_drafts (
  workspace_id UUID NOT NULL,
  user_id UUID NOT NULL,
  id UUID NOT NULL,
  contact_id UUID NOT NULL,
  conversation_id UUID NOT NULL,
  channel TEXT COLLATE "C" NOT NULL,
  members TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX message_drafts_place ON message_drafts (workspace_id, user_id, contact_id, conversation_id);
CREATE INDEX message_drafts_contact_id ON message_drafts (workspace_id, contact_id);
