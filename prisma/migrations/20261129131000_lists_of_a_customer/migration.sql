-- Locks: orders (ACCESS EXCLUSIVE), subscriptions (ACCESS EXCLUSIVE), refunds (ACCESS EXCLUSIVE), chargebacks (ACCESS EXCLUSIVE)

-- The rows of a customer are found by the customer alone. An index that begins with the storefront lets PostgreSQL
-- choose another index of the storefront, and read all rows of a large one.
CREATE INDEX orders_customer_id_id_idx ON orders (customer_id, id);
CREATE INDEX subscriptions_customer_id_id_idx ON subscriptions (customer_id, id);
CREATE INDEX refunds_customer_id_id_idx ON refunds (customer_id, id);
CREATE INDEX chargebacks_customer_id_id_idx ON chargebacks (customer_id, id);
-- The subscriptions of a plan, in the same way.
CREATE INDEX subscriptions_subscription_plan_id_id_idx ON subscriptions (subscription_plan_id, id);
CREATE INDEX subscriptions_subscription_plan_id_status_id_idx ON subscriptions (subscription_plan_id, status, id);
DROP INDEX subscriptions_subscription_plan_id_idx;
DROP INDEX subscriptions_storefront_id_testmode_subscription_plan_id_i_idx;
DROP INDEX orders_storefront_id_testmode_customer_id_id_idx;
DROP INDEX subscriptions_storefront_id_testmode_customer_id_id_idx;
DROP INDEX refunds_storefront_id_testmode_customer_id_id_idx;
DROP INDEX chargebacks_storefront_id_testmode_customer_id_id_idx;

-- Most storefronts have few plans. With the real count, PostgreSQL takes each plan for a large part of the table, and searches all
-- subscriptions for a plan with none. Takes effect with the next ANALYZE.
ALTER TABLE subscriptions ALTER COLUMN subscription_plan_id SET (n_distinct = -0.1);
