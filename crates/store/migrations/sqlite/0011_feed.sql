-- Answers to requests that came with an Idempotency-Key, and what came of the parts of those that have many.
CREATE TABLE idempotency (
  workspace_id BLOB NOT NULL,
  user_id BLOB NOT NULL,
  key TEXT NOT NULL,
  fingerprint BLOB NOT NULL,
  status INTEGER NOT NULL,
  location TEXT,
  version INTEGER,
  answer BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, user_id, key)
) STRICT;
CREATE INDEX idempotency_created_at ON idempotency (created_at);
