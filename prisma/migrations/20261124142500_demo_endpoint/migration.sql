-- Locks: webhook_endpoints (ACCESS EXCLUSIVE)
-- The demo's receiver takes none of the five places of its storefront.
ALTER TABLE "webhook_endpoints" DROP CONSTRAINT "webhook_endpoints_slot",
    ADD CONSTRAINT "webhook_endpoints_slot" CHECK ("slot" BETWEEN 0 AND 5);
