-- Locks: emails (ACCESS EXCLUSIVE), disabled_email_kinds (ACCESS EXCLUSIVE)
-- One more kind of email, whatever kinds another migration of the same days has added.
DO $$
DECLARE
    emails text := (SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'emails_kind');
    disabled text := (SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'disabled_email_kinds_kind');
BEGIN
    ALTER TABLE "emails" DROP CONSTRAINT "emails_kind";
    EXECUTE 'ALTER TABLE "emails" ADD CONSTRAINT "emails_kind" '
      || replace(emails, '])', ', ''renewal_uncollectable''::text])');
    ALTER TABLE "disabled_email_kinds" DROP CONSTRAINT "disabled_email_kinds_kind";
    EXECUTE 'ALTER TABLE "disabled_email_kinds" ADD CONSTRAINT "disabled_email_kinds_kind" '
      || replace(disabled, '])', ', ''renewal_uncollectable''::text])');
END $$;
