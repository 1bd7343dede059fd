-- Answers to requests that came with an Idempotency-Key, and what came of the parts of those that have many.
CREATE TABLE idempotency (
  workspace_id UUID NOT NULL,
  user_id UUID NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  fingerprint BYTEA NOT NULL,
  status BIGINT NOT NULL,
  location TEXT COLLATE "C",
  version BIGINT,
  answer BYTEA NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, user_id, key)
);
CREATE INDEX idempotency_created_at ON idempotency (created_at);
