-- Locks: payments (ACCESS EXCLUSIVE)
-- A payment is for one thing, never for none.
ALTER TABLE "payments" DROP CONSTRAINT "payments_of_one_kind",
    ADD CONSTRAINT "payments_of_one_kind" CHECK (num_nonnulls("checkout_id", "billing_update_link_id", "mandate_id") = 1);
