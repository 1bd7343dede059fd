-- Clients of OAuth that the operator set up, for all workspaces. `from_file` marks those of the settings file.
CREATE TABLE oauth_providers (
  name TEXT COLLATE "C" NOT NULL,
  id UUID NOT NULL,
  title TEXT COLLATE "C" NOT NULL,
  -- Whether the provider says the address of the mailbox; otherwise the user gives it.
  says_address BIGINT NOT NULL,
  sealed TEXT COLLATE "C" NOT NULL,
  key_id TEXT COLLATE "C" NOT NULL,
  from_file BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (name)
);

-- Users on their way through the page of a provider. Each row is used once, by the session that it belongs to.
CREATE TABLE oauth_flows (
  workspace_id UUID NOT NULL,
  -- The keyed hash of the state that the page returns.
  hash BYTEA NOT NULL,
  session_id UUID NOT NULL,
  provider TEXT COLLATE "C" NOT NULL,
  account_id UUID,
  address TEXT COLLATE "C",
  name TEXT COLLATE "C",
  -- The PKCE verifier.
  sealed TEXT COLLATE "C" NOT NULL,
  key_id TEXT COLLATE "C" NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, hash)
);

-- The OAuth tokens of accounts.
CREATE TABLE account_tokens (
  workspace_id UUID NOT NULL,
  account_id UUID NOT NULL,
  provider TEXT COLLATE "C",
  sealed TEXT COLLATE "C" NOT NULL,
  key_id TEXT COLLATE "C" NOT NULL,
  -- Increases with every change, so that a slow renewal does not overwrite newer tokens.
  version BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  renewed_at BIGINT NOT NULL,
  -- When a node renews them, and which node does so now.
  refresh_at BIGINT NOT NULL,
  lease_until BIGINT NOT NULL,
  failures BIGINT NOT NULL,
  trouble TEXT COLLATE "C",
  -- The provider has refused the grant: only the user can give it again.
  revoked BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, account_id)
);
CREATE INDEX account_tokens_refresh_at ON account_tokens (refresh_at, workspace_id, account_id);
