-- CreateTable
CREATE TABLE "order_withdrawals" (
    "order_id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "source" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "declared_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "order_withdrawals_pkey" PRIMARY KEY ("order_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "order_withdrawals_order_id_storefront_id_testmode_key" ON "order_withdrawals"("order_id", "storefront_id", "testmode");

-- AddForeignKey
ALTER TABLE "order_withdrawals" ADD CONSTRAINT "order_withdrawals_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;


ALTER TABLE "order_withdrawals" ADD CONSTRAINT "order_withdrawals_source" CHECK ("source" IN ('portal', 'link'));

ALTER TABLE "emails" DROP CONSTRAINT "emails_kind",
  ADD CONSTRAINT "emails_kind" CHECK ("kind" IN ('receipt', 'payment_recovered', 'subscription_confirmation', 'trial_ending', 'renewal_notice', 'refund', 'billing_updated', 'cancellation', 'subscription_ended', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'review_decided', 'endpoint_disabled', 'chargeback_received', 'payout_created', 'portal_link', 'member_invitation', 'password_reset', 'email_change', 'email_changed', 'withdrawal_received', 'withdrawal_declared'));
ALTER TABLE "disabled_email_kinds" DROP CONSTRAINT "disabled_email_kinds_kind",
  ADD CONSTRAINT "disabled_email_kinds_kind" CHECK ("kind" IN ('trial_ending', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'review_decided', 'endpoint_disabled', 'chargeback_received', 'payout_created', 'withdrawal_declared'));
