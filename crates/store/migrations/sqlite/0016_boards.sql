-- A stage's deals in the order of their last change, as boards show them.
CREATE INDEX deals_stage_id_status_updated_at ON deals (workspace_id, stage_id, status, updated_at, id);
DROP INDEX deals_stage_id_status;
