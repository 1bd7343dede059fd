-- The mail that a received mail quotes. Messages of before keep it in their content.
ALTER TABLE messages ADD COLUMN quoted TEXT COLLATE "C";
