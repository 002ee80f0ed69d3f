-- CreateTable
CREATE TABLE "member_invitations" (
    "id" TEXT COLLATE "C" NOT NULL,
    "merchant_id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "invited_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "withdrawn_at" TIMESTAMPTZ(3),

    CONSTRAINT "member_invitations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "member_invitations_token_hash_key" ON "member_invitations"("token_hash");

-- CreateIndex
CREATE INDEX "member_invitations_merchant_id_id_idx" ON "member_invitations"("merchant_id", "id");

-- AddForeignKey
ALTER TABLE "member_invitations" ADD CONSTRAINT "member_invitations_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE "member_invitations" ADD CONSTRAINT "member_invitations_role" CHECK ("role" IN ('owner', 'developer', 'support', 'accountant'));
ALTER TABLE "member_invitations" ADD CONSTRAINT "member_invitations_ended" CHECK ("accepted_at" IS NULL OR "withdrawn_at" IS NULL);

-- An address has one open invitation of a merchant.
CREATE UNIQUE INDEX "member_invitations_open_key" ON "member_invitations"("merchant_id", "email")
  WHERE "accepted_at" IS NULL AND "withdrawn_at" IS NULL;

ALTER TABLE "emails" DROP CONSTRAINT "emails_kind",
  ADD CONSTRAINT "emails_kind" CHECK ("kind" IN ('receipt', 'payment_recovered', 'subscription_confirmation', 'trial_ending', 'renewal_notice', 'refund', 'billing_updated', 'cancellation', 'subscription_ended', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'review_decided', 'endpoint_disabled', 'chargeback_received', 'payout_created', 'portal_link', 'member_invitation'));
