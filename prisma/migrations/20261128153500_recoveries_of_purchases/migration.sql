-- Locks: recoveries (ACCESS EXCLUSIVE), emails (ACCESS EXCLUSIVE)
-- The recovery of a purchase, whose direct debit the bank returned, has no subscription; an email asks its buyer to pay.
ALTER TABLE "recoveries" ALTER COLUMN "subscription_id" DROP NOT NULL;
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_subscription" CHECK ("subscription_id" IS NOT NULL OR "collects" = 'sale');

-- One more kind of email, whatever kinds another migration of the same days has added.
DO $$
DECLARE
    emails text := (SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'emails_kind');
BEGIN
    ALTER TABLE "emails" DROP CONSTRAINT "emails_kind";
    EXECUTE 'ALTER TABLE "emails" ADD CONSTRAINT "emails_kind" '
      || replace(emails, '])', ', ''purchase_unpaid''::text])');
END $$;
