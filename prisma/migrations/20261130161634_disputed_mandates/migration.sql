-- Locks: mandates (SHARE)

-- Customers with a mandate that a dispute ended. Without the index, the search for one customer reads every mandate.
CREATE INDEX mandates_disputed ON mandates (customer_id) WHERE disputed_at IS NOT NULL;
