-- The invoice or credit note that is attached to an email.
ALTER TABLE "emails" ADD COLUMN     "order_id" TEXT COLLATE "C";

-- AddForeignKey
ALTER TABLE "emails" ADD CONSTRAINT "emails_order_id_storefront_id_testmode_fkey" FOREIGN KEY ("order_id", "storefront_id", "testmode") REFERENCES "orders"("id", "storefront_id", "testmode") ON DELETE NO ACTION ON UPDATE NO ACTION;
