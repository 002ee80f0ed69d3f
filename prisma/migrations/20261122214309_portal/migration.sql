-- AlterTable
ALTER TABLE "customers" ADD COLUMN     "locale" TEXT;

-- CreateTable
CREATE TABLE "portal_sessions" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "customer_id" TEXT COLLATE "C" NOT NULL,
    "return_url" TEXT,
    "expires_at" TIMESTAMPTZ(0) NOT NULL,
    "created_at" TIMESTAMPTZ(0) NOT NULL,
    "redeemed_at" TIMESTAMPTZ(3),
    "secret_hash" BYTEA,
    "last_used_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "portal_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cancellation_feedback" (
    "subscription_id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "reason" TEXT,
    "comment" TEXT,
    "created_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "cancellation_feedback_pkey" PRIMARY KEY ("subscription_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "portal_sessions_secret_hash_key" ON "portal_sessions"("secret_hash");

-- CreateIndex
CREATE INDEX "portal_sessions_storefront_id_testmode_customer_id_id_idx" ON "portal_sessions"("storefront_id", "testmode", "customer_id", "id");

-- CreateIndex
CREATE INDEX "orders_storefront_id_testmode_customer_id_id_idx" ON "orders"("storefront_id", "testmode", "customer_id", "id");

-- AddForeignKey
ALTER TABLE "portal_sessions" ADD CONSTRAINT "portal_sessions_customer_id_storefront_id_testmode_fkey" FOREIGN KEY ("customer_id", "storefront_id", "testmode") REFERENCES "customers"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;


ALTER TABLE "customers" ADD CONSTRAINT "customers_locale" CHECK ("locale" IN ('en', 'de', 'fr', 'nl', 'es', 'it', 'pt', 'pl'));
ALTER TABLE "portal_sessions" ADD CONSTRAINT "portal_sessions_redeemed"
  CHECK (("redeemed_at" IS NULL) = ("secret_hash" IS NULL) AND ("redeemed_at" IS NULL) = ("last_used_at" IS NULL));

ALTER TABLE "cancellation_feedback" ADD CONSTRAINT "cancellation_feedback_subscription_id_storefront_id_testmo_fkey" FOREIGN KEY ("subscription_id", "storefront_id", "testmode") REFERENCES "subscriptions"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE "cancellation_feedback" ADD CONSTRAINT "cancellation_feedback_reason"
  CHECK ("reason" IN ('too_expensive', 'not_used', 'missing_features', 'switched', 'other'));

ALTER TABLE "emails" DROP CONSTRAINT "emails_kind",
  ADD CONSTRAINT "emails_kind" CHECK ("kind" IN ('payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'portal_link'));
