-- The ways of a sale, and what stands on each.
CREATE TABLE deal_pipelines (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  is_default BOOLEAN NOT NULL,
  position BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

CREATE TABLE deal_stages (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  pipeline_id UUID NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL,
  probability BIGINT,
  color TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, pipeline_id) REFERENCES deal_pipelines (workspace_id, id) ON DELETE RESTRICT
);
CREATE INDEX deal_stages_pipeline_id ON deal_stages (workspace_id, pipeline_id, id);

CREATE TABLE deals (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  version BIGINT NOT NULL,
  title TEXT COLLATE "C" NOT NULL,
  title_fold TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  amount BIGINT,
  signed_amount BIGINT,
  currency TEXT COLLATE "C" NOT NULL,
  currency_fold TEXT COLLATE "C" NOT NULL,
  expected_amount BIGINT,
  expected_close_date BIGINT,
  probability BIGINT,
  pipeline_id UUID NOT NULL,
  stage_id UUID NOT NULL,
  company_id UUID,
  owner_id UUID,
  primary_source_id UUID,
  contact_ids TEXT COLLATE "C" NOT NULL,
  close_reason_id UUID,
  loss_reason_id UUID,
  closed_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  archived_at BIGINT,
  stage_since BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, stage_id) REFERENCES deal_stages (workspace_id, id) ON DELETE RESTRICT
);
CREATE INDEX deals_updated_at ON deals (workspace_id, updated_at, id);
CREATE INDEX deals_title ON deals (workspace_id, title_fold, id);
CREATE INDEX deals_amount ON deals (workspace_id, amount, id) WHERE amount IS NOT NULL;
CREATE INDEX deals_expected_close_date ON deals (workspace_id, expected_close_date, id) WHERE expected_close_date IS NOT NULL;
CREATE INDEX deals_probability ON deals (workspace_id, probability, id) WHERE probability IS NOT NULL;
CREATE INDEX deals_closed_at ON deals (workspace_id, closed_at, id) WHERE closed_at IS NOT NULL;
CREATE INDEX deals_stage_id_status ON deals (workspace_id, stage_id, status, id);

-- Who takes part in a deal; the same ids stand in the deal's `contact_ids`.
CREATE TABLE deal_contacts (
  workspace_id UUID NOT NULL,
  id UUID NOT NULL,
  deal_id UUID NOT NULL,
  contact_id UUID NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, deal_id) REFERENCES deals (workspace_id, id) ON DELETE RESTRICT
);
CREATE UNIQUE INDEX deal_contacts_deal_id ON deal_contacts (workspace_id, deal_id, contact_id);
CREATE INDEX deal_contacts_contact_id ON deal_contacts (workspace_id, contact_id, id);

-- What the open deals of a stage that are not archived come to, in ten-thousandths: sums may exceed 64 bits.
CREATE TABLE deal_sums (
  workspace_id UUID NOT NULL,
  stage_id UUID NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  n BIGINT NOT NULL,
  amount TEXT COLLATE "C" NOT NULL,
  expected_amount TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, stage_id, currency),
  FOREIGN KEY (workspace_id, stage_id) REFERENCES deal_stages (workspace_id, id) ON DELETE RESTRICT
);

CREATE INDEX notes_deal_id ON notes (workspace_id, deal_id, id) WHERE deal_id IS NOT NULL;
