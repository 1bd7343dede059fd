-- For the list of the notes of all records.
CREATE INDEX notes_author_id ON notes (workspace_id, author_id, id) WHERE author_id IS NOT NULL;
CREATE INDEX notes_updated_at ON notes (workspace_id, updated_at, id);
