-- Whether copies of sent mails are put into the Sent folder of the account, and why that fails.
ALTER TABLE connected_accounts ADD COLUMN file_sent TEXT COLLATE "C" NOT NULL DEFAULT 'auto';
ALTER TABLE connected_accounts ADD COLUMN filing_problem TEXT COLLATE "C";
-- No copy is put into the Sent folder before this time: a node is doing it, or the last attempts failed.
ALTER TABLE account_states ADD COLUMN filing_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE account_states ADD COLUMN filing_failures BIGINT NOT NULL DEFAULT 0;

-- Whether a reply that asks to be removed suppresses its sender.
ALTER TABLE workspaces ADD COLUMN unsubscribe_by_reply BOOLEAN NOT NULL DEFAULT TRUE;

-- Sequences count their failed enrollments, too.
UPDATE sequences SET enrollments = jsonb_set(enrollments::jsonb, '{failed}', to_jsonb((SELECT count(*) FROM enrollments e
  WHERE e.workspace_id = sequences.workspace_id AND e.sequence_id = sequences.id AND e.status = 'failed')))::text WHERE enrollments LIKE '{%}';
