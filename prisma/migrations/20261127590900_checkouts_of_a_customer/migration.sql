-- Locks: checkouts (SHARE)
-- What a person has is looked for by their customer; most checkouts have none.
CREATE INDEX "checkouts_of_customer" ON "checkouts" ("customer_id") WHERE "customer_id" IS NOT NULL;
