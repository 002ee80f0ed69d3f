-- Locks: chargebacks (SHARE), events (SHARE), refunds (SHARE), subscriptions (SHARE)

-- CreateIndex
CREATE INDEX "chargebacks_storefront_id_testmode_customer_id_id_idx" ON "chargebacks"("storefront_id", "testmode", "customer_id", "id");

-- CreateIndex
CREATE INDEX "events_storefront_id_testmode_name_id_idx" ON "events"("storefront_id", "testmode", "name", "id");

-- CreateIndex
CREATE INDEX "refunds_storefront_id_testmode_status_id_idx" ON "refunds"("storefront_id", "testmode", "status", "id");

-- CreateIndex
CREATE INDEX "refunds_storefront_id_testmode_customer_id_id_idx" ON "refunds"("storefront_id", "testmode", "customer_id", "id");

-- CreateIndex
CREATE INDEX "subscriptions_storefront_id_testmode_subscription_plan_id_i_idx" ON "subscriptions"("storefront_id", "testmode", "subscription_plan_id", "id");
