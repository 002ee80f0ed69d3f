-- Locks: emails (ACCESS EXCLUSIVE), tax_id_checks (ACCESS EXCLUSIVE)
-- An erasure finds what names a customer by the customer: an address is no longer stored once it was changed.
ALTER TABLE "emails" ADD COLUMN "customer_id" TEXT COLLATE "C";
CREATE INDEX "emails_of_customer" ON "emails" ("customer_id") WHERE "customer_id" IS NOT NULL;
ALTER TABLE "tax_id_checks" ADD COLUMN "customer_id" TEXT COLLATE "C";
CREATE INDEX "tax_id_checks_of_customer" ON "tax_id_checks" ("customer_id") WHERE "customer_id" IS NOT NULL;
CREATE INDEX "tax_id_checks_of_checkout" ON "tax_id_checks" ("checkout_id") WHERE "checkout_id" IS NOT NULL;
