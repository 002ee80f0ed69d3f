-- CreateTable
CREATE TABLE "email_changes" (
    "id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "customer_id" TEXT COLLATE "C" NOT NULL,
    "sealed" BYTEA NOT NULL,
    "address_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(0) NOT NULL,
    "expires_at" TIMESTAMPTZ(0) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(0),
    "ended_at" TIMESTAMPTZ(0),

    CONSTRAINT "email_changes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "email_changes_storefront_id_testmode_customer_id_id_idx" ON "email_changes"("storefront_id", "testmode", "customer_id", "id");

-- CreateIndex
CREATE INDEX "email_changes_storefront_id_testmode_address_hash_id_idx" ON "email_changes"("storefront_id", "testmode", "address_hash", "id");

-- AddForeignKey
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_customer_id_storefront_id_testmode_fkey" FOREIGN KEY ("customer_id", "storefront_id", "testmode") REFERENCES "customers"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;


ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_end" CHECK ("confirmed_at" IS NULL OR "ended_at" IS NULL);

ALTER TABLE "emails" DROP CONSTRAINT "emails_kind",
  ADD CONSTRAINT "emails_kind" CHECK ("kind" IN ('receipt', 'payment_recovered', 'subscription_confirmation', 'trial_ending', 'renewal_notice', 'refund', 'billing_updated', 'cancellation', 'subscription_ended', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'review_decided', 'endpoint_disabled', 'chargeback_received', 'payout_created', 'portal_link', 'member_invitation', 'password_reset', 'email_change', 'email_changed'));
