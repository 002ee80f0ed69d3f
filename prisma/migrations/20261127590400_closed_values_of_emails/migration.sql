-- Locks: emails (ACCESS EXCLUSIVE)
-- As of payments.
ALTER TABLE "emails"
    ADD CONSTRAINT "emails_locale" CHECK ("locale" IN ('en', 'de', 'fr', 'nl', 'es', 'it', 'pt', 'pl')) NOT VALID;
