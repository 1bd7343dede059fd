-- Clients of OAuth that the operator set up, for all workspaces. `from_file` marks those of the settings file.
CREATE TABLE oauth_providers (
  name TEXT NOT NULL,
  id BLOB NOT NULL,
  title TEXT NOT NULL,
  -- Whether the provider says the address of the mailbox; otherwise the user gives it.
  says_address INTEGER NOT NULL,
  sealed TEXT NOT NULL,
  key_id TEXT NOT NULL,
  from_file INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (name)
) STRICT;

-- Users on their way through the page of a provider. Each row is used once, by the session that it belongs to.
CREATE TABLE oauth_flows (
  workspace_id BLOB NOT NULL,
  -- The keyed hash of the state that the page returns.
  hash BLOB NOT NULL,
  session_id BLOB NOT NULL,
  provider TEXT NOT NULL,
  account_id BLOB,
  address TEXT,
  name TEXT,
  -- The PKCE verifier.
  sealed TEXT NOT NULL,
  key_id TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, hash)
) STRICT;

-- The OAuth tokens of accounts.
CREATE TABLE account_tokens (
  workspace_id BLOB NOT NULL,
  account_id BLOB NOT NULL,
  provider TEXT,
  sealed TEXT NOT NULL,
  key_id TEXT NOT NULL,
  -- Increases with every change, so that a slow renewal does not overwrite newer tokens.
  version INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  renewed_at INTEGER NOT NULL,
  -- When a node renews them, and which node does so now.
  refresh_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  trouble TEXT,
  -- The provider has refused the grant: only the user can give it again.
  revoked INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, account_id)
) STRICT;
CREATE INDEX account_tokens_refresh_at ON account_tokens (refresh_at, workspace_id, account_id);
