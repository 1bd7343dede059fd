-- The text at the end of the account's mails.
ALTER TABLE connected_accounts ADD COLUMN signature TEXT COLLATE "C";

-- Further recipients of a mail, where answers go, and when it is sent.
ALTER TABLE messages ADD COLUMN cc TEXT COLLATE "C" NOT NULL DEFAULT '[]';
ALTER TABLE messages ADD COLUMN bcc TEXT COLLATE "C" NOT NULL DEFAULT '[]';
ALTER TABLE messages ADD COLUMN reply_to TEXT COLLATE "C";
ALTER TABLE messages ADD COLUMN send_at BIGINT;
CREATE INDEX messages_sent_at ON messages (workspace_id, sent_at, id) WHERE sent_at IS NOT NULL;
CREATE INDEX messages_status_sent_at ON messages (workspace_id, status, sent_at, id);
CREATE INDEX messages_send_at ON messages (workspace_id, send_at, id) WHERE send_at IS NOT NULL;

CREATE TABLE message_templates (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  name_fold TEXT COLLATE "C" NOT NULL,
  subject TEXT COLLATE "C",
  content TEXT COLLATE "C" NOT NULL,
  shared BOOLEAN NOT NULL,
  owner_id UUID NOT NULL,
  variables TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX message_templates_name ON message_templates (workspace_id, name_fold, id);

-- Stored steps show the new members, too.
UPDATE sequence_versions SET steps = replace(steps, '"content_template":', '"cc":[],"bcc":[],"reply_to":null,"attachments":[],"content_template":');
