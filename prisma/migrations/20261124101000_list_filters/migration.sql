-- AlterTable
ALTER TABLE "delivery_attempts" ADD COLUMN     "signature" TEXT;

-- AlterTable
ALTER TABLE "emails" ADD COLUMN     "subscription_id" TEXT;

-- CreateIndex
CREATE INDEX "audit_entries_subject_seq_idx" ON "audit_entries"("subject", "seq");

-- CreateIndex
CREATE INDEX "chargebacks_storefront_id_testmode_status_id_idx" ON "chargebacks"("storefront_id", "testmode", "status", "id");

-- CreateIndex
CREATE INDEX "checkouts_storefront_id_testmode_status_id_idx" ON "checkouts"("storefront_id", "testmode", "status", "id");

-- CreateIndex
CREATE INDEX "deliveries_endpoint_id_id_idx" ON "deliveries"("endpoint_id", "id");

-- CreateIndex
CREATE INDEX "emails_storefront_id_testmode_status_id_idx" ON "emails"("storefront_id", "testmode", "status", "id");

-- CreateIndex
CREATE INDEX "emails_subscription_id_id_idx" ON "emails"("subscription_id", "id");

-- CreateIndex
CREATE INDEX "orders_storefront_id_testmode_status_id_idx" ON "orders"("storefront_id", "testmode", "status", "id");

-- CreateIndex
CREATE INDEX "subscriptions_storefront_id_testmode_status_id_idx" ON "subscriptions"("storefront_id", "testmode", "status", "id");

-- AddForeignKey
ALTER TABLE "emails" ADD CONSTRAINT "emails_subscription_id_storefront_id_testmode_fkey" FOREIGN KEY ("subscription_id", "storefront_id", "testmode") REFERENCES "subscriptions"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;


-- Those of all storefronts that wait for a decision, the oldest first.
CREATE INDEX "chargebacks_to_decide" ON "chargebacks"("id") WHERE "status" = 'requires_amount_review';

-- What waits for a review, the oldest first.
CREATE INDEX "products_to_review" ON "products"("testmode", "id") WHERE "review" IS NOT NULL;

-- CreateIndex
CREATE INDEX "emails_order_id_id_idx" ON "emails"("order_id", "id");

-- AlterTable
ALTER TABLE "operator_sessions" ADD COLUMN     "confirmed_at" TIMESTAMPTZ(3);
