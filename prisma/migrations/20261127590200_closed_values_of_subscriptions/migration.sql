-- Locks: subscriptions (ACCESS EXCLUSIVE)
-- As of payments.
ALTER TABLE "subscriptions"
    ADD CONSTRAINT "subscriptions_locale" CHECK ("locale" IN ('en', 'de', 'fr', 'nl', 'es', 'it', 'pt', 'pl')) NOT VALID;
