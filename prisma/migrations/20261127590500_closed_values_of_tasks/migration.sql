-- Locks: tasks (ACCESS EXCLUSIVE)
-- As of payments.
ALTER TABLE "tasks"
    ADD CONSTRAINT "tasks_clock" CHECK ("clock" IN ('storefront', 'real')) NOT VALID,
    ADD CONSTRAINT "tasks_queue" CHECK ("queue" IN ('work', 'webhooks', 'email', 'dispatch')) NOT VALID;
