-- Locks: subscriptions (SHARE), payments (SHARE)
-- What a mandate is used for. Without these a payment method that failed, or that is given up, was looked for in all subscriptions of
-- the storefront, and in all payments.
CREATE INDEX "subscriptions_mandate_id_idx" ON "subscriptions" ("mandate_id");
CREATE INDEX "payments_open_of_mandate" ON "payments" ("mandate_id") WHERE "mandate_id" IS NOT NULL AND "open_order_id" IS NOT NULL;
