-- Locks: webhook_endpoints (ACCESS EXCLUSIVE)

-- A replaced secret signs deliveries beside the new one for a day.
ALTER TABLE "webhook_endpoints" ADD COLUMN "previous_secret" BYTEA,
ADD COLUMN "previous_secret_until" TIMESTAMPTZ(3);

ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_previous_secret"
  CHECK (("previous_secret" IS NULL) = ("previous_secret_until" IS NULL));
