-- What a workspace asked for about its contacts.
CREATE TABLE enrichment_requests (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  contact_id UUID NOT NULL,
  types TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  result TEXT COLLATE "C",
  provider TEXT COLLATE "C",
  credits_consumed BIGINT NOT NULL,
  max_credits BIGINT,
  error TEXT COLLATE "C",
  attempts TEXT COLLATE "C" NOT NULL,
  asked TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  completed_at BIGINT,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX enrichment_requests_contact_id ON enrichment_requests (workspace_id, contact_id, id);
CREATE INDEX enrichment_requests_status ON enrichment_requests (workspace_id, status, id);

-- Whom a workspace asks, in order of position. How is sealed; it is forgotten when the provider is removed.
CREATE TABLE enrichment_providers (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL,
  finds TEXT COLLATE "C" NOT NULL,
  host TEXT COLLATE "C" NOT NULL,
  hands BIGINT NOT NULL,
  seconds BIGINT NOT NULL,
  sealed TEXT COLLATE "C",
  key_id TEXT COLLATE "C",
  free_at BIGINT NOT NULL,
  trouble TEXT COLLATE "C",
  removed_at BIGINT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

-- Requests that are not over, and whom they ask next; gone when they are.
CREATE TABLE enrichment_due (
  workspace_id UUID NOT NULL,
  request_id UUID NOT NULL,
  provider_id UUID NOT NULL,
  run_at BIGINT NOT NULL,
  lease_until BIGINT NOT NULL,
  tries BIGINT NOT NULL,
  since BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, request_id),
  FOREIGN KEY (workspace_id, request_id) REFERENCES enrichment_requests (workspace_id, id),
  FOREIGN KEY (workspace_id, provider_id) REFERENCES enrichment_providers (workspace_id, id)
);
CREATE INDEX enrichment_due_provider_id ON enrichment_due (workspace_id, provider_id, run_at);
CREATE INDEX enrichment_due_taken ON enrichment_due (workspace_id, provider_id, lease_until) WHERE lease_until > 0;
