-- What a workspace asked for about its contacts.
CREATE TABLE enrichment_requests (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  contact_id BLOB NOT NULL,
  types TEXT NOT NULL,
  status TEXT NOT NULL,
  result TEXT,
  provider TEXT,
  credits_consumed INTEGER NOT NULL,
  max_credits INTEGER,
  error TEXT,
  attempts TEXT NOT NULL,
  asked TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  completed_at INTEGER,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX enrichment_requests_contact_id ON enrichment_requests (workspace_id, contact_id, id);
CREATE INDEX enrichment_requests_status ON enrichment_requests (workspace_id, status, id);

-- Whom a workspace asks, in order of position. How is sealed; it is forgotten when the provider is removed.
CREATE TABLE enrichment_providers (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  position INTEGER NOT NULL,
  finds TEXT NOT NULL,
  host TEXT NOT NULL,
  hands INTEGER NOT NULL,
  seconds INTEGER NOT NULL,
  sealed TEXT,
  key_id TEXT,
  free_at INTEGER NOT NULL,
  trouble TEXT,
  removed_at INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;

-- Requests that are not over, and whom they ask next; gone when they are.
CREATE TABLE enrichment_due (
  workspace_id BLOB NOT NULL,
  request_id BLOB NOT NULL,
  provider_id BLOB NOT NULL,
  run_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, request_id),
  FOREIGN KEY (workspace_id, request_id) REFERENCES enrichment_requests (workspace_id, id),
  FOREIGN KEY (workspace_id, provider_id) REFERENCES enrichment_providers (workspace_id, id)
) STRICT;
CREATE INDEX enrichment_due_provider_id ON enrichment_due (workspace_id, provider_id, run_at);
CREATE INDEX enrichment_due_taken ON enrichment_due (workspace_id, provider_id, lease_until) WHERE lease_until > 0;
