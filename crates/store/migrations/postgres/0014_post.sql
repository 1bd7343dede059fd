-- Accounts through which messages leave and arrive.
CREATE TABLE connected_accounts (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  name_fold TEXT COLLATE "C" NOT NULL,
  provider TEXT COLLATE "C" NOT NULL,
  license_type TEXT COLLATE "C",
  api_status TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  status_reason TEXT COLLATE "C",
  owner_id UUID NOT NULL,
  address TEXT COLLATE "C",
  daily_limit BIGINT,
  min_gap_minutes BIGINT,
  ramp_up BIGINT,
  receives BOOLEAN NOT NULL,
  last_sync_at BIGINT,
  mails_in_folder BIGINT NOT NULL,
  mails_stored BIGINT NOT NULL,
  mails_unstored BIGINT NOT NULL,
  removed_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX connected_accounts_name ON connected_accounts (workspace_id, name_fold, id);

-- What the server keeps of an account besides: its sealed secrets, when it may send again, how far it has received.
CREATE TABLE account_states (
  workspace_id UUID NOT NULL,
  account_id UUID NOT NULL,
  sealed TEXT COLLATE "C",
  key_id TEXT COLLATE "C",
  free_at BIGINT NOT NULL,
  failures BIGINT NOT NULL,
  sync_at BIGINT NOT NULL,
  sync_until BIGINT NOT NULL,
  sync_node TEXT COLLATE "C",
  uid_validity BIGINT NOT NULL,
  uid_next BIGINT NOT NULL,
  place TEXT COLLATE "C",
  PRIMARY KEY (workspace_id, account_id)
);
CREATE INDEX account_states_free_at ON account_states (free_at, workspace_id, account_id);
CREATE INDEX account_states_sync_at ON account_states (sync_at, workspace_id, account_id);

-- An email thread, or all of network or chat between a contact and an account.
CREATE TABLE conversations (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  channel TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  account_id UUID NOT NULL,
  contact_id UUID NOT NULL,
  subject TEXT COLLATE "C",
  unread_count BIGINT NOT NULL,
  last_message_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX conversations_contact_id ON conversations (workspace_id, contact_id, id);
CREATE INDEX conversations_unread_count ON conversations (workspace_id, unread_count, id);
CREATE INDEX conversations_last_message_at ON conversations (workspace_id, last_message_at, id) WHERE last_message_at IS NOT NULL;
CREATE INDEX conversations_status_last_message_at ON conversations (workspace_id, status, last_message_at, id);

CREATE TABLE messages (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  conversation_id UUID NOT NULL,
  content TEXT COLLATE "C" NOT NULL,
  html TEXT COLLATE "C",
  subject TEXT COLLATE "C",
  direction TEXT COLLATE "C" NOT NULL,
  channel TEXT COLLATE "C" NOT NULL,
  address TEXT COLLATE "C",
  kind TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  error TEXT COLLATE "C",
  attachments TEXT COLLATE "C" NOT NULL,
  sent_at BIGINT,
  read_at BIGINT,
  enrollment_id UUID,
  step_id UUID,
  contact_id UUID NOT NULL,
  account_id UUID NOT NULL,
  reference TEXT COLLATE "C",
  handed_at BIGINT,
  bounced_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX messages_conversation_id_sent_at ON messages (workspace_id, conversation_id, sent_at, id);
CREATE INDEX messages_reference ON messages (workspace_id, reference, id) WHERE reference IS NOT NULL;
CREATE INDEX messages_account_id_handed_at ON messages (workspace_id, account_id, handed_at, id);

-- The bytes of what came with a message.
CREATE TABLE attachments (
  workspace_id UUID NOT NULL,
  message_id UUID NOT NULL,
  id UUID NOT NULL,
  filename TEXT COLLATE "C" NOT NULL,
  content_type TEXT COLLATE "C" NOT NULL,
  size BIGINT NOT NULL,
  blob TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, message_id, id),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX attachments_blob ON attachments (workspace_id, blob);

-- The outbox: a row per message that is to be handed over, or of which nobody knows whether it was.
CREATE TABLE sends (
  workspace_id UUID NOT NULL,
  message_id UUID NOT NULL,
  account_id UUID NOT NULL,
  contact_id UUID NOT NULL,
  conversation_id UUID NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  due_at BIGINT NOT NULL,
  lease_until BIGINT NOT NULL,
  node TEXT COLLATE "C",
  attempts BIGINT NOT NULL,
  recipient TEXT COLLATE "C" NOT NULL,
  reference TEXT COLLATE "C" NOT NULL,
  letter TEXT COLLATE "C" NOT NULL,
  enrollment_id UUID,
  step_id UUID,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, message_id)
);
CREATE INDEX sends_account ON sends (workspace_id, account_id, state, due_at);
CREATE INDEX sends_lease ON sends (state, lease_until);
CREATE INDEX sends_enrollment ON sends (workspace_id, enrollment_id) WHERE enrollment_id IS NOT NULL;

-- Every mail in an account's folder, and the message it was stored as.
CREATE TABLE mailbox (
  workspace_id UUID NOT NULL,
  account_id UUID NOT NULL,
  uid BIGINT NOT NULL,
  message_id UUID,
  PRIMARY KEY (workspace_id, account_id, uid)
);

-- Those that were not, with the reason.
CREATE TABLE unstored_mails (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  account_id UUID NOT NULL,
  uid BIGINT NOT NULL,
  reason TEXT COLLATE "C" NOT NULL,
  sender TEXT COLLATE "C",
  subject TEXT COLLATE "C",
  size BIGINT,
  received_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX unstored_mails_account_id ON unstored_mails (workspace_id, account_id, id);

-- Addresses and domains to which nothing is sent by itself.
CREATE TABLE suppressions (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  address TEXT COLLATE "C",
  address_fold TEXT COLLATE "C",
  domain TEXT COLLATE "C",
  domain_fold TEXT COLLATE "C",
  reason TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX suppressions_address ON suppressions (workspace_id, address_fold, id) WHERE address_fold IS NOT NULL;
CREATE INDEX suppressions_domain ON suppressions (workspace_id, domain_fold, id) WHERE domain_fold IS NOT NULL;
