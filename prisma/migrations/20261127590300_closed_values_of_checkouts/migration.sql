-- Locks: checkouts (ACCESS EXCLUSIVE)
-- As of payments.
ALTER TABLE "checkouts"
    ADD CONSTRAINT "checkouts_locale" CHECK ("locale" IN ('en', 'de', 'fr', 'nl', 'es', 'it', 'pt', 'pl')) NOT VALID;
