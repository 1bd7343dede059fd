-- How long after it was enqueued or put off a job is due. A later due time was written by a clock that has been set back.
ALTER TABLE jobs ADD COLUMN wait BIGINT NOT NULL DEFAULT 0;
UPDATE jobs SET wait = run_at - created_at WHERE run_at > created_at;

-- Whether a deal's probability was chosen for it; otherwise it follows the stage.
ALTER TABLE deals ADD COLUMN own_probability BOOLEAN NOT NULL DEFAULT false;
UPDATE deals SET own_probability = true WHERE NOT EXISTS (SELECT 1 FROM deal_stages s
  WHERE s.workspace_id = deals.workspace_id AND s.id = deals.stage_id AND coalesce(s.probability, -1) = coalesce(deals.probability, -1));

-- Addresses of profiles are found without the scheme, www., a query and the last slash.
UPDATE terms SET key = regexp_replace(regexp_replace(regexp_replace(key, '[?#].*$', ''), '/+$', ''), '^(https?://)?(www[.])?', '')
  WHERE field = 'contact.profile';
