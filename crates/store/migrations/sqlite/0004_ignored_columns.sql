-- Columns of the file that were not recognised and were left out.
ALTER TABLE imports ADD COLUMN ignored_columns TEXT NOT NULL DEFAULT '[]';
