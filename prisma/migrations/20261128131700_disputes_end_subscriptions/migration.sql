-- Locks: storefronts (ACCESS EXCLUSIVE), mandates (ACCESS EXCLUSIVE), emails (ACCESS EXCLUSIVE)
-- A dispute for fraud, or of a canceled subscription, ends the subscription, unless the storefront has switched that off.
ALTER TABLE "storefronts" ADD COLUMN "disputes_end_subscriptions" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "mandates" ADD COLUMN "disputed_at" TIMESTAMPTZ(0);

-- One more kind of email, whatever kinds another migration of the same days has added.
DO $$
DECLARE
    emails text := (SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'emails_kind');
BEGIN
    ALTER TABLE "emails" DROP CONSTRAINT "emails_kind";
    EXECUTE 'ALTER TABLE "emails" ADD CONSTRAINT "emails_kind" '
      || replace(emails, '])', ', ''payment_method_missing''::text])');
END $$;
