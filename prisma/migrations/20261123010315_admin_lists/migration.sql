-- CreateIndex
CREATE INDEX "customers_email_idx" ON "customers"("email");

-- CreateIndex
CREATE INDEX "deliveries_storefront_id_testmode_status_id_idx" ON "deliveries"("storefront_id", "testmode", "status", "id");

-- CreateIndex
CREATE INDEX "events_entity_id_id_idx" ON "events"("entity_id", "id");

-- CreateIndex
CREATE INDEX "orders_invoice_number_idx" ON "orders"("invoice_number");

