-- Locks: tasks (ACCESS EXCLUSIVE)

-- The tasks of each stream that waits for a test clock: an advance runs the same dispatch as real time.
CREATE INDEX tasks_streams_of_clock ON tasks (storefront_id, stream, due_at) WHERE ((clock = 'storefront'::text) AND (stream IS NOT NULL));
DROP INDEX tasks_deliveries_unasked;
