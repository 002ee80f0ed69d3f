-- Locks: recoveries (ACCESS EXCLUSIVE), orders (SHARE)

-- The latest failure of an order in recovery, which the API shows.
ALTER TABLE "recoveries" ADD COLUMN "last_failure_reason" TEXT,
ADD COLUMN "last_failed_at" TIMESTAMPTZ(0);
UPDATE "recoveries" SET "last_failure_reason" = "failure_reason", "last_failed_at" = "started_at";
ALTER TABLE "recoveries" ALTER COLUMN "last_failure_reason" SET NOT NULL,
ALTER COLUMN "last_failed_at" SET NOT NULL,
ADD CONSTRAINT "recoveries_last_failure_reason" CHECK ("last_failure_reason" IN ('insufficient_funds', 'temporary_decline', 'general_failure', 'invalid_mandate', 'mandate_canceled', 'account_closed', 'card_expired', 'card_lost_or_stolen', 'invalid_card_details', 'authentication_failed', 'fraud_suspected'));

-- What a subscription owes is read with each subscription.
CREATE INDEX "orders_unpaid_of_subscription" ON "orders" ("subscription_id") WHERE "subscription_id" IS NOT NULL AND "status" IN ('pending', 'canceled');
