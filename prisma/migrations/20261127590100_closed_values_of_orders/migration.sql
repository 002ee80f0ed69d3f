-- Locks: orders (ACCESS EXCLUSIVE)
-- A number without its series would escape the unique key of both.
ALTER TABLE "orders"
    ADD CONSTRAINT "orders_number_in_series" CHECK (("invoice_number" IS NULL) = ("invoice_scope" IS NULL)) NOT VALID;
