-- The invoice or credit note that is attached to an email.
ALTER TABLE "emails" ADD COLUMN     "order_id" TEXT COLLATE "C";

-- AddForeignKey
ALTER TABLE "emails" ADD CONSTRAINT "emails_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE "emails" DROP CONSTRAINT "emails_kind",
  ADD CONSTRAINT "emails_kind" CHECK ("kind" IN ('receipt', 'subscription_confirmation', 'payment_failed', 'payment_method_needed', 'canceled_for_nonpayment', 'portal_link'));

-- A document is emailed once.
CREATE UNIQUE INDEX "emails_order_id_key" ON "emails"("order_id");
