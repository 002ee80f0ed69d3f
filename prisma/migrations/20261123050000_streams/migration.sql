-- The deliveries to one endpoint are a stream: its dispatch takes the next ones in order.
ALTER TABLE "tasks" ADD COLUMN "stream" TEXT;

UPDATE "tasks" SET "stream" = d."endpoint_id" FROM "deliveries" d WHERE "tasks"."name" = 'webhook.deliver' AND d."id" = "tasks"."key";

-- A delivery that waited for its turn was put off by up to ten minutes, unless another one woke it. Nothing wakes it any more: it is due.
UPDATE "tasks" SET "run_at" = least("run_at", "due_at" - CASE "clock"
    WHEN 'storefront' THEN (SELECT "ahead_seconds" FROM "clocks" WHERE "clocks"."storefront_id" = "tasks"."storefront_id") * interval '1 second'
    ELSE interval '0' END)
WHERE "stream" IS NOT NULL AND "leased_until" IS NULL AND "last_error" IS NULL;

CREATE INDEX "tasks_streams" ON "tasks" ("stream", "run_at") WHERE "stream" IS NOT NULL;
CREATE INDEX "tasks_plain" ON "tasks" ("run_at", "id") WHERE "stream" IS NULL;

-- What a dispatch looks for, each without a look at the others: a dead endpoint may have hundreds of thousands of any.
CREATE INDEX "deliveries_unstarted" ON "deliveries" ("endpoint_id", "event_id") WHERE "status" = 'pending' AND "started_at" IS NULL;
CREATE INDEX "deliveries_unanswered" ON "deliveries" ("endpoint_id", "event_id")
    WHERE "status" = 'pending' AND "started_at" IS NOT NULL AND "first_answered_at" IS NULL;
CREATE INDEX "deliveries_retries" ON "deliveries" ("endpoint_id", "next_attempt_at") WHERE "status" = 'pending' AND "started_at" IS NOT NULL;
DROP INDEX "deliveries_endpoint_id_status_event_id_idx";
