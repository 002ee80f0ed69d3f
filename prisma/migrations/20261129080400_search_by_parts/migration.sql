-- Locks: customers (SHARE), orders (ACCESS EXCLUSIVE), products (SHARE), subscriptions (SHARE)

-- The search of the admin area by parts of names, companies, email addresses, products, and invoice numbers.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE INDEX customers_search ON customers USING gin (lower((COALESCE(name, ''::text) || ' '::text) || email) gin_trgm_ops);

CREATE INDEX subscriptions_search ON subscriptions USING gin (lower((COALESCE(billing_address ->> 'companyName', ''::text) || ' '::text) || COALESCE(billing_address ->> 'fullName', ''::text)) gin_trgm_ops);

-- Sales only: a renewal has the details of its subscription.
CREATE INDEX orders_search ON orders USING gin (lower(customer_details ->> 'companyName') gin_trgm_ops)
  WHERE checkout_id IS NOT NULL AND (customer_details ->> 'companyName') <> '';

CREATE INDEX products_search ON products USING gin (lower(name) gin_trgm_ops);

-- Serves equality as the former index did, and prefixes.
DROP INDEX orders_invoice_number_idx;
CREATE INDEX orders_invoice_number_idx ON orders (invoice_number text_pattern_ops);
