-- CreateTable
CREATE TABLE "payout_accounts" (
    "id" TEXT NOT NULL,
    "storefront_id" TEXT NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(0) NOT NULL,
    "valid_from" TIMESTAMPTZ(0) NOT NULL,
    "stopped_at" TIMESTAMPTZ(0),

    CONSTRAINT "payout_accounts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "payout_accounts_storefront_id_testmode_id_idx" ON "payout_accounts"("storefront_id", "testmode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "payout_accounts_id_storefront_id_testmode_key" ON "payout_accounts"("id", "storefront_id", "testmode");

-- AddForeignKey
ALTER TABLE "payout_accounts" ADD CONSTRAINT "payout_accounts_storefront_id_fkey" FOREIGN KEY ("storefront_id") REFERENCES "storefronts"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE "payout_accounts"
  ADD CONSTRAINT "payout_accounts_times" CHECK ("valid_from" >= "created_at" AND "stopped_at" BETWEEN "created_at" AND "valid_from");

ALTER TABLE "emails" DROP CONSTRAINT "emails_kind",
  ADD CONSTRAINT "emails_kind" CHECK ("kind" IN ('receipt', 'payment_recovered', 'subscription_confirmation', 'trial_ending', 'renewal_notice', 'refund', 'billing_updated', 'cancellation', 'subscription_ended', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'review_decided', 'endpoint_disabled', 'chargeback_received', 'payout_created', 'portal_link', 'member_invitation', 'password_reset', 'email_change', 'email_changed', 'withdrawal_received', 'withdrawal_declared', 'debit_notice', 'passkey_added', 'invoice_corrected', 'payout_account_changed', 'payout_returned'));
ALTER TABLE "disabled_email_kinds" DROP CONSTRAINT "disabled_email_kinds_kind",
  ADD CONSTRAINT "disabled_email_kinds_kind" CHECK ("kind" IN ('trial_ending', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'review_decided', 'endpoint_disabled', 'chargeback_received', 'payout_created', 'payout_returned', 'withdrawal_declared'));
