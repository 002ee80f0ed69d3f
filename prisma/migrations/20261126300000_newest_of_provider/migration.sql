-- Locks: payments (SHARE)
-- Each start looks for the newest payment of each account at a provider. Of one that has none every payment was read.
CREATE INDEX "payments_newest_of_provider" ON "payments" ("provider", "id") WHERE "provider_ref" IS NOT NULL;
