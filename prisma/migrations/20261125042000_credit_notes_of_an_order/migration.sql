-- Locks: orders (SHARE)
-- The credit notes of an order are found by it. Without an index each look read all orders of the storefront, and the nightly
-- check all orders for each order.
CREATE INDEX "orders_credited" ON "orders" ("credited_order_id") WHERE "credited_order_id" IS NOT NULL;
