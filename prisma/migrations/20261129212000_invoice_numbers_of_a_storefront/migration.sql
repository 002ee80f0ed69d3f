-- Locks: orders (ACCESS EXCLUSIVE)

-- The search by the beginning of an invoice number reads the numbers of one storefront. All storefronts use similar
-- numbers, so an index of the number alone reads the numbers of other storefronts.
CREATE INDEX orders_by_number ON orders (storefront_id, invoice_number text_pattern_ops) WHERE invoice_number IS NOT NULL;
DROP INDEX orders_invoice_number_idx;
