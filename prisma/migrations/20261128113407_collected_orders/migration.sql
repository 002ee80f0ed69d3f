-- Locks: recoveries (ACCESS EXCLUSIVE), orders (SHARE ROW EXCLUSIVE), subscriptions (SHARE ROW EXCLUSIVE)
-- A recovery knows what its order billed, and a change that was charged at once what it replaced.
ALTER TABLE "recoveries" ADD COLUMN "collects" TEXT;
UPDATE "recoveries" SET "collects" = CASE
    WHEN (SELECT "checkout_id" FROM "orders" WHERE "orders"."id" = "recoveries"."order_id") IS NULL THEN 'renewal' ELSE 'sale' END;
ALTER TABLE "recoveries"
    ALTER COLUMN "collects" SET NOT NULL,
    ADD CONSTRAINT "recoveries_collects" CHECK ("collects" IN ('sale', 'renewal', 'change'));

CREATE TABLE "charged_changes" (
    "order_id" TEXT COLLATE "C" NOT NULL,
    "storefront_id" TEXT COLLATE "C" NOT NULL,
    "testmode" BOOLEAN NOT NULL,
    "subscription_id" TEXT COLLATE "C" NOT NULL,
    "before" JSONB NOT NULL,
    "after" JSONB NOT NULL,

    CONSTRAINT "charged_changes_pkey" PRIMARY KEY ("order_id")
);

CREATE INDEX "charged_changes_subscription_id_order_id_idx" ON "charged_changes"("subscription_id", "order_id");
CREATE UNIQUE INDEX "charged_changes_order_id_storefront_id_testmode_key" ON "charged_changes"("order_id", "storefront_id", "testmode");

ALTER TABLE "charged_changes" ADD CONSTRAINT "charged_changes_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "charged_changes" ADD CONSTRAINT "charged_changes_subscription_id_storefront_id_testmode_fkey" FOREIGN KEY ("subscription_id", "storefront_id", "testmode") REFERENCES "subscriptions"("id", "storefront_id", "testmode") ON DELETE RESTRICT ON UPDATE CASCADE;
