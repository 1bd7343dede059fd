-- The ways of a sale, and what stands on each.
CREATE TABLE deal_pipelines (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  is_default INTEGER NOT NULL,
  position INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;

CREATE TABLE deal_stages (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  pipeline_id BLOB NOT NULL,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  probability INTEGER,
  color TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, pipeline_id) REFERENCES deal_pipelines (workspace_id, id) ON DELETE RESTRICT
) STRICT;
CREATE INDEX deal_stages_pipeline_id ON deal_stages (workspace_id, pipeline_id, id);

CREATE TABLE deals (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  version INTEGER NOT NULL,
  title TEXT NOT NULL,
  title_fold TEXT NOT NULL,
  status TEXT NOT NULL,
  amount INTEGER,
  signed_amount INTEGER,
  currency TEXT NOT NULL,
  currency_fold TEXT NOT NULL,
  expected_amount INTEGER,
  expected_close_date INTEGER,
  probability INTEGER,
  pipeline_id BLOB NOT NULL,
  stage_id BLOB NOT NULL,
  company_id BLOB,
  owner_id BLOB,
  primary_source_id BLOB,
  contact_ids TEXT NOT NULL,
  close_reason_id BLOB,
  loss_reason_id BLOB,
  closed_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  archived_at INTEGER,
  stage_since INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, stage_id) REFERENCES deal_stages (workspace_id, id) ON DELETE RESTRICT
) STRICT;
CREATE INDEX deals_updated_at ON deals (workspace_id, updated_at, id);
CREATE INDEX deals_title ON deals (workspace_id, title_fold, id);
CREATE INDEX deals_amount ON deals (workspace_id, amount, id) WHERE amount IS NOT NULL;
CREATE INDEX deals_expected_close_date ON deals (workspace_id, expected_close_date, id) WHERE expected_close_date IS NOT NULL;
CREATE INDEX deals_probability ON deals (workspace_id, probability, id) WHERE probability IS NOT NULL;
CREATE INDEX deals_closed_at ON deals (workspace_id, closed_at, id) WHERE closed_at IS NOT NULL;
CREATE INDEX deals_stage_id_status ON deals (workspace_id, stage_id, status, id);

-- Who takes part in a deal; the same ids stand in the deal's `contact_ids`.
CREATE TABLE deal_contacts (
  workspace_id BLOB NOT NULL,
  id BLOB NOT NULL,
  deal_id BLOB NOT NULL,
  contact_id BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, deal_id) REFERENCES deals (workspace_id, id) ON DELETE RESTRICT
) STRICT;
CREATE UNIQUE INDEX deal_contacts_deal_id ON deal_contacts (workspace_id, deal_id, contact_id);
CREATE INDEX deal_contacts_contact_id ON deal_contacts (workspace_id, contact_id, id);

-- What the open deals of a stage that are not archived come to, in ten-thousandths: sums may exceed 64 bits.
CREATE TABLE deal_sums (
  workspace_id BLOB NOT NULL,
  stage_id BLOB NOT NULL,
  currency TEXT NOT NULL,
  n INTEGER NOT NULL,
  amount TEXT NOT NULL,
  expected_amount TEXT NOT NULL,
  PRIMARY KEY (workspace_id, stage_id, currency),
  FOREIGN KEY (workspace_id, stage_id) REFERENCES deal_stages (workspace_id, id) ON DELETE RESTRICT
) STRICT, WITHOUT ROWID;

CREATE INDEX notes_deal_id ON notes (workspace_id, deal_id, id) WHERE deal_id IS NOT NULL;
