-- Locks: events (ACCESS EXCLUSIVE)

-- Who caused the event: the id of an API key or of a member, or customer, staff, service. Null for older events.
ALTER TABLE events ADD COLUMN caused_by text COLLATE "C";
