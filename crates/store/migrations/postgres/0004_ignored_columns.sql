-- Columns of the file that stand for nothing and were left out.
ALTER TABLE imports ADD COLUMN ignored_columns TEXT COLLATE "C" NOT NULL DEFAULT '[]';
