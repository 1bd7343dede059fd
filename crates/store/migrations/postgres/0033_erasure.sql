-- Keyed hashes of the addresses of erased people and companies, so that they are not stored again. `suppression` is the
-- reason why nothing was sent to the address, for the case that an admin allows it again.
CREATE TABLE erased_addresses (
  workspace_id UUID NOT NULL,
  hash BYTEA NOT NULL,
  suppression TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, hash)
);
-- The key of these hashes; null until something is erased.
ALTER TABLE workspaces ADD COLUMN erasure_key BYTEA;

-- The messages in the outbox to a contact that is erased.
CREATE INDEX sends_contact ON sends (workspace_id, contact_id);
