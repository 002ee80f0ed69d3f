-- Locks: emails (ACCESS EXCLUSIVE)
-- An email to an address that the mail server cannot write to (no SMTPUTF8).
ALTER TABLE "emails" DROP CONSTRAINT "emails_status",
  ADD CONSTRAINT "emails_status" CHECK ("status" IN ('kept', 'queued', 'sent', 'refused', 'suppressed', 'unsupported'));
