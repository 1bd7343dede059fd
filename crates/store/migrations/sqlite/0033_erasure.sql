-- Keyed hashes of the addresses of erased people and companies, so that they are not stored again. `suppression` is the
-- reason why nothing was sent to the address, for the case that an admin allows it again.
CREATE TABLE erased_addresses (
  workspace_id BLOB NOT NULL,
  hash BLOB NOT NULL,
  suppression TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, hash)
) STRICT, WITHOUT ROWID;
-- The key of these hashes; null until something is erased.
ALTER TABLE workspaces ADD COLUMN erasure_key BLOB;

-- The messages in the outbox to a contact that is erased.
CREATE INDEX sends_contact ON sends (workspace_id, contact_id);
