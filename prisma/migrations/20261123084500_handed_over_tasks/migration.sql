-- When a task was first handed to a task server that has not begun it: what waits there is late too.
ALTER TABLE "tasks" ADD COLUMN "handed_over_at" TIMESTAMPTZ(3);
CREATE INDEX "tasks_handed_over" ON "tasks" ("handed_over_at") WHERE "handed_over_at" IS NOT NULL;
