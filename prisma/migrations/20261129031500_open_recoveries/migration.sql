-- Locks: recoveries (SHARE)

-- The open recoveries of a storefront and mode, for the list of past due payments.
CREATE INDEX recoveries_open ON recoveries (storefront_id, testmode, id) WHERE (status = 'open'::text);
