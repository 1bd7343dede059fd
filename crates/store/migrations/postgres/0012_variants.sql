-- The variant of the step whose text was sent.
ALTER TABLE step_runs ADD COLUMN variant_id UUID;
ALTER TABLE messages ADD COLUMN variant_id UUID;

-- Stored steps show the new member, too.
UPDATE sequence_versions SET steps = replace(steps, '"content_template":', '"variants":[],"content_template":');
