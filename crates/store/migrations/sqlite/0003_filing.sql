-- Whether copies of sent mails are put into the Sent folder of the account, and why that fails.
ALTER TABLE connected_accounts ADD COLUMN file_sent TEXT NOT NULL DEFAULT 'auto';
ALTER TABLE connected_accounts ADD COLUMN filing_problem TEXT;
-- No copy is put into the Sent folder before this time: a node is doing it, or the last attempts failed.
ALTER TABLE account_states ADD COLUMN filing_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account_states ADD COLUMN filing_failures INTEGER NOT NULL DEFAULT 0;

-- Whether a reply that asks to be removed suppresses its sender.
ALTER TABLE workspaces ADD COLUMN unsubscribe_by_reply INTEGER NOT NULL DEFAULT 1;

-- Sequences count their failed enrollments, too.
UPDATE sequences SET enrollments = json_set(enrollments, '$.failed', (SELECT count(*) FROM enrollments e
  WHERE e.workspace_id = sequences.workspace_id AND e.sequence_id = sequences.id AND e.status = 'failed')) WHERE json_valid(enrollments);
