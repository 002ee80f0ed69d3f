-- Locks: payments (ACCESS EXCLUSIVE), orders (ACCESS EXCLUSIVE), emails (ACCESS EXCLUSIVE)
-- Bank transfer and pay by bank are payment methods; a bank transfer has the account that the buyer transfers the money to.
ALTER TABLE "payments" ADD COLUMN "transfer" JSONB;
ALTER TABLE "payments" DROP CONSTRAINT "payments_method",
  ADD CONSTRAINT "payments_method" CHECK ("method" IN ('creditcard', 'ideal', 'bancontact', 'paypal', 'directdebit', 'banktransfer', 'paybybank'));
ALTER TABLE "orders" DROP CONSTRAINT "orders_payment_method",
  ADD CONSTRAINT "orders_payment_method" CHECK ("payment_method" IN ('creditcard', 'ideal', 'bancontact', 'paypal', 'directdebit', 'banktransfer', 'paybybank'));

-- One more kind of email, whatever kinds another migration of the same days has added.
DO $$
DECLARE
    emails text := (SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'emails_kind');
BEGIN
    ALTER TABLE "emails" DROP CONSTRAINT "emails_kind";
    EXECUTE 'ALTER TABLE "emails" ADD CONSTRAINT "emails_kind" '
      || replace(emails, '])', ', ''transfer_instructions''::text])');
END $$;
