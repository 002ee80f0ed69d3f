-- A list is planned once per connection. For any storefront it is taken for a list of two rows, which is read by the index for lists. As long as
-- there are few storefronts, PostgreSQL took it for one of half a table, which the primary key finds as quickly; so that it planned each list again
-- for the storefront and the limit that were asked for, which takes longer than to read ten orders.
ALTER TABLE "events" ALTER COLUMN "storefront_id" SET (n_distinct = -0.5);
ALTER TABLE "deliveries" ALTER COLUMN "storefront_id" SET (n_distinct = -0.5);
ALTER TABLE "customers" ALTER COLUMN "storefront_id" SET (n_distinct = -0.5);
ALTER TABLE "checkouts" ALTER COLUMN "storefront_id" SET (n_distinct = -0.5);
ALTER TABLE "orders" ALTER COLUMN "storefront_id" SET (n_distinct = -0.5);
ALTER TABLE "subscriptions" ALTER COLUMN "storefront_id" SET (n_distinct = -0.5);
ALTER TABLE "refunds" ALTER COLUMN "storefront_id" SET (n_distinct = -0.5);
ALTER TABLE "chargebacks" ALTER COLUMN "storefront_id" SET (n_distinct = -0.5);
ALTER TABLE "emails" ALTER COLUMN "storefront_id" SET (n_distinct = -0.5);

-- It holds from the next ANALYZE on.
ANALYZE "events", "deliveries", "customers", "checkouts", "orders", "subscriptions", "refunds", "chargebacks", "emails";
