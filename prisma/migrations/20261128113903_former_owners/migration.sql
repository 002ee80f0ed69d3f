-- Locks: merchants (SHARE ROW EXCLUSIVE), emails (ACCESS EXCLUSIVE)
-- CreateTable
CREATE TABLE "former_owners" (
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "former_owners_pkey" PRIMARY KEY ("merchant_id","email")
);

-- CreateIndex
CREATE INDEX "former_owners_ended_at_idx" ON "former_owners"("ended_at");

-- AddForeignKey
ALTER TABLE "former_owners" ADD CONSTRAINT "former_owners_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE "emails" DROP CONSTRAINT "emails_kind",
  ADD CONSTRAINT "emails_kind" CHECK ("kind" IN ('receipt', 'payment_recovered', 'subscription_confirmation', 'trial_ending', 'renewal_notice', 'refund', 'billing_updated', 'cancellation', 'subscription_ended', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'review_decided', 'endpoint_disabled', 'chargeback_received', 'payout_created', 'portal_link', 'member_invitation', 'password_reset', 'email_change', 'email_changed', 'withdrawal_received', 'withdrawal_declared', 'debit_notice', 'passkey_added', 'invoice_corrected', 'payout_account_changed', 'payout_returned', 'access_changed', 'own_access_changed'));
