-- Who wrote a message. Messages of before have it in the event that created them.
ALTER TABLE messages ADD COLUMN author_kind TEXT COLLATE "C";
ALTER TABLE messages ADD COLUMN author_id UUID;
ALTER TABLE messages ADD COLUMN author_name TEXT COLLATE "C";

UPDATE messages SET author_kind = e.actor_kind, author_id = e.actor_id, author_name = e.actor_name
FROM events e
WHERE messages.direction = 'outbound' AND messages.enrollment_id IS NULL
  AND e.workspace_id = messages.workspace_id AND e.record_id = messages.id AND e.actor_kind IN ('user', 'key')
  AND e.place = (SELECT min(f.place) FROM events f WHERE f.workspace_id = e.workspace_id AND f.record_id = e.record_id);
