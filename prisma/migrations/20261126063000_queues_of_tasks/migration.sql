-- Locks: tasks (ACCESS EXCLUSIVE)
-- The queue that a task waits in. The worker looks for the first due tasks of each queue, and read those of all others on its way: beside
-- ten thousand renewals each look for an email read ten thousand rows.
ALTER TABLE "tasks" ADD COLUMN "queue" TEXT NOT NULL DEFAULT 'work';
UPDATE "tasks" SET "queue" = CASE "name" WHEN 'email.send' THEN 'email' WHEN 'webhook.deliver' THEN 'webhooks' ELSE 'dispatch' END
    WHERE "stream" IS NULL AND "name" IN ('email.send', 'webhook.deliver', 'webhook.dispatch');


-- Rules the schema language cannot say.
CREATE INDEX "tasks_queues" ON "tasks" ("queue", "run_at", "id") WHERE "stream" IS NULL;
DROP INDEX "tasks_plain";
