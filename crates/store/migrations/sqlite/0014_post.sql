-- Accounts through which messages leave and arrive.
CREATE TABLE connected_accounts (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  name_fold TEXT NOT NULL,
  provider TEXT NOT NULL,
  license_type TEXT,
  api_status TEXT NOT NULL,
  status TEXT NOT NULL,
  status_reason TEXT,
  owner_id BLOB NOT NULL,
  address TEXT,
  daily_limit INTEGER,
  min_gap_minutes INTEGER,
  ramp_up INTEGER,
  receives INTEGER NOT NULL,
  last_sync_at INTEGER,
  mails_in_folder INTEGER NOT NULL,
  mails_stored INTEGER NOT NULL,
  mails_unstored INTEGER NOT NULL,
  removed_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX connected_accounts_name ON connected_accounts (workspace_id, name_fold, id);

-- What the server keeps of an account besides: its sealed secrets, when it may send again, how far it has received.
CREATE TABLE account_states (
  workspace_id BLOB NOT NULL,
  account_id BLOB NOT NULL,
  sealed TEXT,
  key_id TEXT,
  free_at INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  sync_at INTEGER NOT NULL,
  sync_until INTEGER NOT NULL,
  sync_node TEXT,
  uid_validity INTEGER NOT NULL,
  uid_next INTEGER NOT NULL,
  place TEXT,
  PRIMARY KEY (workspace_id, account_id)
) STRICT;
CREATE INDEX account_states_free_at ON account_states (free_at, workspace_id, account_id);
CREATE INDEX account_states_sync_at ON account_states (sync_at, workspace_id, account_id);

-- An email thread, or all of network or chat between a contact and an account.
CREATE TABLE conversations (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  channel TEXT NOT NULL,
  status TEXT NOT NULL,
  account_id BLOB NOT NULL,
  contact_id BLOB NOT NULL,
  subject TEXT,
  unread_count INTEGER NOT NULL,
  last_message_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX conversations_contact_id ON conversations (workspace_id, contact_id, id);
CREATE INDEX conversations_unread_count ON conversations (workspace_id, unread_count, id);
CREATE INDEX conversations_last_message_at ON conversations (workspace_id, last_message_at, id) WHERE last_message_at IS NOT NULL;
CREATE INDEX conversations_status_last_message_at ON conversations (workspace_id, status, last_message_at, id);

CREATE TABLE messages (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  conversation_id BLOB NOT NULL,
  content TEXT NOT NULL,
  html TEXT,
  subject TEXT,
  direction TEXT NOT NULL,
  channel TEXT NOT NULL,
  address TEXT,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  error TEXT,
  attachments TEXT NOT NULL,
  sent_at INTEGER,
  read_at INTEGER,
  enrollment_id BLOB,
  step_id BLOB,
  contact_id BLOB NOT NULL,
  account_id BLOB NOT NULL,
  reference TEXT,
  handed_at INTEGER,
  bounced_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX messages_conversation_id_sent_at ON messages (workspace_id, conversation_id, sent_at, id);
CREATE INDEX messages_reference ON messages (workspace_id, reference, id) WHERE reference IS NOT NULL;
CREATE INDEX messages_account_id_handed_at ON messages (workspace_id, account_id, handed_at, id);

-- The bytes of what came with a message.
CREATE TABLE attachments (
  workspace_id BLOB NOT NULL,
  message_id BLOB NOT NULL,
  id BLOB NOT NULL,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  blob TEXT NOT NULL,
  PRIMARY KEY (workspace_id, message_id, id),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages (workspace_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX attachments_blob ON attachments (workspace_id, blob);

-- The outbox: a row per message that is to be handed over, or of which nobody knows whether it was.
CREATE TABLE sends (
  workspace_id BLOB NOT NULL,
  message_id BLOB NOT NULL,
  account_id BLOB NOT NULL,
  contact_id BLOB NOT NULL,
  conversation_id BLOB NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  node TEXT,
  attempts INTEGER NOT NULL,
  recipient TEXT NOT NULL,
  reference TEXT NOT NULL,
  letter TEXT NOT NULL,
  enrollment_id BLOB,
  step_id BLOB,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, message_id)
) STRICT;
CREATE INDEX sends_account ON sends (workspace_id, account_id, state, due_at);
CREATE INDEX sends_lease ON sends (state, lease_until);
CREATE INDEX sends_enrollment ON sends (workspace_id, enrollment_id) WHERE enrollment_id IS NOT NULL;

-- Every mail in an account's folder, and the message it was stored as.
CREATE TABLE mailbox (
  workspace_id BLOB NOT NULL,
  account_id BLOB NOT NULL,
  uid INTEGER NOT NULL,
  message_id BLOB,
  PRIMARY KEY (workspace_id, account_id, uid)
) STRICT;

-- Those that were not, with the reason.
CREATE TABLE unstored_mails (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  account_id BLOB NOT NULL,
  uid INTEGER NOT NULL,
  reason TEXT NOT NULL,
  sender TEXT,
  subject TEXT,
  size INTEGER,
  received_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX unstored_mails_account_id ON unstored_mails (workspace_id, account_id, id);

-- Addresses and domains to which nothing is sent by itself.
CREATE TABLE suppressions (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  address TEXT,
  address_fold TEXT,
  domain TEXT,
  domain_fold TEXT,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX suppressions_address ON suppressions (workspace_id, address_fold, id) WHERE address_fold IS NOT NULL;
CREATE INDEX suppressions_domain ON suppressions (workspace_id, domain_fold, id) WHERE domain_fold IS NOT NULL;
