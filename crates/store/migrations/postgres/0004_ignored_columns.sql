-- Columns of the file that were not recognised and were left out.
ALTER TABLE imports ADD COLUMN ignored_columns TEXT COLLATE "C" NOT NULL DEFAULT '[]';
