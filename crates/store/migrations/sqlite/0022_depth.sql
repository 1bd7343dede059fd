-- A table is looked at far down, and archived contacts are left out of most views: the indexes know who is archived, so
-- that those who are passed over are not read. One more has the order of creation.

DROP INDEX contacts_updated_at;
CREATE INDEX contacts_updated_at ON contacts (workspace_id, updated_at, id, archived_at);
DROP INDEX contacts_global_status;
CREATE INDEX contacts_global_status ON contacts (workspace_id, global_status, id, archived_at);
DROP INDEX contacts_global_status_updated_at;
CREATE INDEX contacts_global_status_updated_at ON contacts (workspace_id, global_status, updated_at, id, archived_at);
DROP INDEX contacts_first_name;
CREATE INDEX contacts_first_name ON contacts (workspace_id, first_name_fold, id, archived_at);
DROP INDEX contacts_last_name;
CREATE INDEX contacts_last_name ON contacts (workspace_id, last_name_fold, id, archived_at) WHERE last_name_fold IS NOT NULL;
DROP INDEX contacts_title;
CREATE INDEX contacts_title ON contacts (workspace_id, title_fold, id, archived_at) WHERE title_fold IS NOT NULL;
DROP INDEX contacts_current_company;
CREATE INDEX contacts_current_company ON contacts (workspace_id, current_company_fold, id, archived_at) WHERE current_company_fold IS NOT NULL;
DROP INDEX contacts_years_experience;
CREATE INDEX contacts_years_experience ON contacts (workspace_id, years_experience, id, archived_at) WHERE years_experience IS NOT NULL;
DROP INDEX contacts_last_contacted_at;
CREATE INDEX contacts_last_contacted_at ON contacts (workspace_id, last_contacted_at, id, archived_at) WHERE last_contacted_at IS NOT NULL;
CREATE INDEX contacts_id ON contacts (workspace_id, id, archived_at);
