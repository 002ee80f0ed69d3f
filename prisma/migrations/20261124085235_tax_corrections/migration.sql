-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "replaced_by_id" TEXT COLLATE "C",
ADD COLUMN     "replaces_order_id" TEXT COLLATE "C";

-- CreateIndex
CREATE UNIQUE INDEX "orders_replaces_order_id_storefront_id_testmode_key" ON "orders"("replaces_order_id", "storefront_id", "testmode");

-- CreateIndex
CREATE UNIQUE INDEX "orders_replaced_by_id_storefront_id_testmode_key" ON "orders"("replaced_by_id", "storefront_id", "testmode");

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_replaces_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("replaces_order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_replaced_by_id_storefront_id_testmode_fkey" FOREIGN KEY ("replaced_by_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;


-- Rules the schema language cannot say. The refund of a replaced invoice returns tax alone.
ALTER TABLE "orders" ADD CONSTRAINT "orders_replacements_are_final" CHECK ("replaces_order_id" IS NULL
    OR ("status" = 'paid' AND "credited_order_id" IS NULL AND "replaced_by_id" IS NULL AND "reversed_subtotal" + "refunding_subtotal" = 0));
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_of_something",
    ADD CONSTRAINT "refunds_of_something" CHECK ("subtotal" >= 0 AND "total" > 0 AND "total" >= "subtotal");

-- One more kind of email, whatever kinds another migration of the same days has added.
DO $$
DECLARE
    known text := (SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'emails_kind');
BEGIN
    ALTER TABLE "emails" DROP CONSTRAINT "emails_kind";
    EXECUTE 'ALTER TABLE "emails" ADD CONSTRAINT "emails_kind" ' || replace(known, '])', ', ''invoice_corrected''::text])');
END $$;
