-- Locks: orders (SHARE), subscriptions (SHARE), customers (SHARE)

-- Orders by amount. Amounts of different currencies are not compared.
CREATE INDEX orders_storefront_id_testmode_currency_total_id_idx ON orders (storefront_id, testmode, currency, total, id);
CREATE INDEX orders_storefront_id_testmode_status_currency_total_id_idx
  ON orders (storefront_id, testmode, status, currency, total, id);

-- Subscriptions by next charge. Subscriptions without a next charge follow the others.
CREATE INDEX subscriptions_by_next_charge ON subscriptions (storefront_id, testmode,
  coalesce(CASE WHEN status IN ('active', 'trial') THEN renewed_until END, 'infinity'::timestamptz), id);
CREATE INDEX subscriptions_by_status_and_next_charge ON subscriptions (storefront_id, testmode, status,
  coalesce(CASE WHEN status IN ('active', 'trial') THEN renewed_until END, 'infinity'::timestamptz), id);

-- Customers by name, or else by address.
CREATE INDEX customers_by_name ON customers (storefront_id, testmode, (lower(coalesce(name, email)) COLLATE "C"), id);
