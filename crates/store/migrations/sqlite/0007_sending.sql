-- The text at the end of the account's mails.
ALTER TABLE connected_accounts ADD COLUMN signature TEXT;

-- Further recipients of a mail, where answers go, and when it is sent.
ALTER TABLE messages ADD COLUMN cc TEXT NOT NULL DEFAULT '[]';
ALTER TABLE messages ADD COLUMN bcc TEXT NOT NULL DEFAULT '[]';
ALTER TABLE messages ADD COLUMN reply_to TEXT;
ALTER TABLE messages ADD COLUMN send_at INTEGER;
CREATE INDEX messages_sent_at ON messages (workspace_id, sent_at, id) WHERE sent_at IS NOT NULL;
CREATE INDEX messages_status_sent_at ON messages (workspace_id, status, sent_at, id);
CREATE INDEX messages_send_at ON messages (workspace_id, send_at, id) WHERE send_at IS NOT NULL;

CREATE TABLE message_templates (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  name_fold TEXT NOT NULL,
  subject TEXT,
  content TEXT NOT NULL,
  shared INTEGER NOT NULL,
  owner_id BLOB NOT NULL,
  variables TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX message_templates_name ON message_templates (workspace_id, name_fold, id);

-- Stored steps show the new members, too.
UPDATE sequence_versions SET steps = replace(steps, '"content_template":', '"cc":[],"bcc":[],"reply_to":null,"attachments":[],"content_template":');
