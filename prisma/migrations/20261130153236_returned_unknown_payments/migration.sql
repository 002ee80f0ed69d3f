-- Locks: unknown_payments (ACCESS EXCLUSIVE)

-- Whether money of the payment was refunded or disputed at the provider. `restore list` can then show the same as `restore compare`. Until a comparison
-- runs again, the rows of earlier comparisons count as not returned.
ALTER TABLE unknown_payments ADD COLUMN money_returned boolean NOT NULL DEFAULT false;
