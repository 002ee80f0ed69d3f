-- When a delivery was given up, so that all that failed since a moment can be sent again.
ALTER TABLE "deliveries" ADD COLUMN "failed_at" TIMESTAMPTZ(3);

-- The attempts are kept for 90 days; before that the delivery itself is the nearest.
UPDATE "deliveries" SET "failed_at" = greatest("created_at",
    (SELECT max("started_at") FROM "delivery_attempts" WHERE "delivery_attempts"."delivery_id" = "deliveries"."id"))
WHERE "status" = 'failed';

CREATE INDEX "deliveries_failed" ON "deliveries" ("endpoint_id", "failed_at") WHERE "status" = 'failed';
